"""A seat's choices outside its turn's actions, on copies of its view."""

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from typing import Any

from catan_env.core.constants import DESERT, Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.discards import let_discard
from catan_env.protocols.jsettlers.places import TILES
from catan_env.protocols.jsettlers.speech import KINDS

Ask = Callable[[SeatView], Action]
"""Return the policy's legal action."""


def discards(view: SeatView, count: int, ask: Ask) -> list[int]:
    """Return five counts by Resource, chosen card by card, with the discards not announced yet."""
    me, trial = view.viewer, view.copy()
    while trial.phase == Phase.DISCARD and trial.seat != me:
        let_discard(trial, trial.seat, trial.owes(trial.seat))
    gone = [0] * KINDS
    while sum(gone) < count and trial.phase == Phase.DISCARD and trial.seat == me:
        action = ask(trial)
        gone[action.args[0]] += 1
        trial.apply(Event(me, action))
    while sum(gone) < count:  # the server demands more than our rules
        left = [held - n for held, n in zip(view.hand(me), gone, strict=True)]
        gone[left.index(max(left))] += 1
    return gone


def accepts(view: SeatView, give: Sequence[int], get: Sequence[int], ask: Ask) -> bool:
    """True if the seat accepts the active seat's offer, as if it were made to it alone."""
    if not any(give) or not any(get) or any(map(min, give, get)):
        return False
    trial, maker = view.copy(), view.turn_seat
    try:
        trial.apply(Event(maker, Action.offer((view.viewer - maker) % view.seats, give, get)))
    except ValueError:  # not payable, not allowed in this phase, or too many for an Action
        return False
    return ask(trial).kind == ActionKind.ACCEPT


def victims(view: SeatView, can: Sequence[int], chosen: int | None) -> list[int]:
    """Return the seats that can be robbed: first the one decided on, then by their cards."""
    return sorted(can, key=lambda seat: (seat != chosen, -view.hand_size(seat)))


def of_card(game: str, is_monopoly: bool) -> list[Any]:
    """Return every choice of a card: the messages that name a kind or two."""
    if is_monopoly:
        return [m.PickMonopoly(game, kind + 1) for kind in range(KINDS)]
    pairs = combinations_with_replacement(range(KINDS), 2)
    return [m.PickCards(game, tuple(map(pair.count, range(KINDS)))) for pair in pairs]


def tiles(view: SeatView, desert_is_barred: bool) -> list[int]:
    """Return the tiles to which a knight that has won may move the robber."""
    return [
        tile
        for tile in range(len(TILES))
        if tile != view.robber and not (desert_is_barred and is_desert(view, tile))
    ]


def is_desert(view: SeatView, tile: int) -> bool:
    """True for the desert."""
    return view.board.tiles[tile].terrain == DESERT
