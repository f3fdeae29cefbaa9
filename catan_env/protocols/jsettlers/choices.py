"""A seat's choices outside its turn's actions, on copies of its view."""

from collections.abc import Callable, Sequence

from catan_env.core.constants import DESERT, Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.view import SeatView
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
    offer = Action.offer((view.viewer - maker) % view.seats, give, get)
    try:
        trial.apply(Event(maker, offer))
    except IllegalActionError:  # we cannot pay, or our rules allow no offers in this phase
        return False
    return ask(trial).kind == ActionKind.ACCEPT


def victim(view: SeatView, can: Sequence[int], chosen: int | None) -> int:
    """Return the seat decided on, or the seat with most cards of those that can be robbed."""
    return chosen if chosen is not None and chosen in can else max(can, key=view.hand_size)


def some_tile(view: SeatView, desert_is_barred: bool) -> int:
    """Return a tile to which a knight that has won may move the robber."""
    return next(
        tile
        for tile in range(len(TILES))
        if tile != view.robber and not (desert_is_barred and is_desert(view, tile))
    )


def is_desert(view: SeatView, tile: int) -> bool:
    """True for the desert."""
    return view.board.tiles[tile].terrain == DESERT
