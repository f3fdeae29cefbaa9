"""Corrections of a view where a table's rules differ from ours.

Views are changed in place, and their legal actions are recomputed. At a table that follows our
rules nothing here changes a byte.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from catan_env.core import doors
from catan_env.core.actions import BIT_OF, WORD_OF
from catan_env.core.constants import (
    AWARD,
    CARDS_PER_RESOURCE,
    CITY_PIECE,
    DISCARD,
    FREE_ROAD,
    MAIN,
    NOBODY,
    NOTHING,
    PLACE_ROAD,
    PLACE_SETTLEMENT,
    ROAD_PIECE,
    ROBBER,
    ROLL,
    SETTLEMENT_PIECE,
    DevelopmentCard,
    Phase,
    Resource,
)
from catan_env.game.action import Action, ActionKind
from catan_env.game.apply import apply_action
from catan_env.game.event import Event, to_code
from catan_env.game.rules import LIMITS
from catan_env.game.view import SeatView

SOME_ROLL = 8

_PHASES = {
    ActionKind.ROLL: ROLL,
    ActionKind.DISCARD: DISCARD,
    ActionKind.MOVE_ROBBER: ROBBER,
}
_SET_UP_PHASES = {ActionKind.SETTLEMENT: PLACE_SETTLEMENT, ActionKind.ROAD: PLACE_ROAD}
_PIECES = {
    ActionKind.ROAD: ROAD_PIECE,
    ActionKind.SETTLEMENT: SETTLEMENT_PIECE,
    ActionKind.CITY: CITY_PIECE,
}
_COUNTS = ("hand", "hand_size", "known", "bank", "cards", "card_count", "pieces")


def ask(view: SeatView, phase: Phase) -> None:
    """Make it the viewer's decision in `phase`, regardless of the view's own state."""
    state, me = view._array[0], view.viewer
    state["phase"], state["seat"] = phase, me
    if phase == DISCARD:
        state["owed"][me] = state["owed"][me] or state["hand_size"][me] // 2
    elif phase in (ROLL, MAIN, ROBBER):
        state["turn_seat"], state["owed"], state["free_roads"] = me, 0, 0
        state["roll"] = 0 if phase == ROLL else state["roll"] or SOME_ROLL
        state["resume"] = MAIN
    refresh(view)


def owe(view: SeatView, cards: int) -> None:
    """Set the number of cards that the viewer owes; other seats' obligations are unchanged."""
    view._array[0]["owed"][view.viewer] = cards
    refresh(view)


def owe_alone(view: SeatView) -> None:
    """Let only the viewer owe cards, so that all of its discards are consecutive."""
    owed = view._array[0]["owed"]
    cards = int(owed[view.viewer])
    owed[:] = 0
    owe(view, cards)


def rule_out(view: SeatView, action: Action) -> None:
    """Remove a legal action from the mask because a server cannot carry it out."""
    index = action.index
    view._array[0]["mask"][WORD_OF[index]] &= ~(1 << int(BIT_OF[index]))


def hold_back(view: SeatView, kinds: Iterable[DevelopmentCard]) -> None:
    """Let the viewer, on turn, play no cards of these kinds, as if they were bought this turn."""
    state = view._array[0]
    for kind in kinds:
        state["new_cards"][kind] = state["cards"][view.viewer, kind]
    refresh(view)


def force(view: SeatView, event: Event) -> None:
    """Apply an event that the rules forbid, as far as the memory can represent it."""
    if _is_impossible(view, event):
        return
    action, state = event.action, view._array[0]
    phases = _PHASES if state["turn"] else _SET_UP_PHASES
    state["seat"] = event.seat
    state["phase"] = phases.get(action.kind, MAIN)
    if action.kind != ActionKind.DISCARD:
        state["turn_seat"] = event.seat
    code = NOTHING if event.outcome is None else to_code(action, event.outcome, view.seats)
    apply_action(view, action, code, event.seat)
    for name in _COUNTS:
        np.maximum(state[name], 0, out=state[name])
    np.minimum(state["bank"], CARDS_PER_RESOURCE, out=state["bank"])
    refresh(view)


def _is_impossible(view: SeatView, event: Event) -> bool:
    """True if a piece cannot be at the place given, or is not in stock."""
    kind, args = event.action.kind, event.action.args
    piece = _PIECES.get(kind)
    if piece is not None and view.pieces(event.seat)[piece] <= 0:
        return True
    step = args[1] if kind == ActionKind.MOVE_ROBBER else args[0] if kind == ActionKind.OFFER else 0
    if step is not None and step >= view.seats:
        return True
    state = view._array[0]
    if kind == ActionKind.SETTLEMENT and not state["turn"] and state["placed"] >= 2 * view.seats:
        return True
    seats = range(view.seats)
    if kind == ActionKind.ROAD:
        return any(args[0] in view.roads(seat) for seat in seats)
    if kind == ActionKind.SETTLEMENT:
        return any(args[0] in (*view.settlements(s), *view.cities(s)) for s in seats)
    return kind == ActionKind.CITY and args[0] not in view.settlements(event.seat)


def count_bank(view: SeatView) -> None:
    """Set the bank to its minimum, given the known cards of the hands."""
    state = view._array[0]
    state["bank"] = least_bank(state, view.viewer, view.seats)
    refresh(view)


def forget(view: SeatView, seat: int, count: int) -> None:
    """Remove `count` cards of unknown kinds from a hand whose size is already right."""
    state = view._array[0]
    state["known"][seat] = np.maximum(state["known"][seat] - count, 0)
    count_bank(view)


def award(view: SeatView, name: str, seat: int | None) -> None:
    """Give `longest_road` or `largest_army` to a seat, or to none."""
    state = view._array[0]
    holder, now = int(state[name]), NOBODY if seat is None else seat
    if holder == now:
        return
    if holder != NOBODY:
        state["points"][holder] -= AWARD
    if now != NOBODY:
        state["points"][now] += AWARD
    state[name] = now
    refresh(view)


def exchange(view: SeatView, seat: int, lost: Sequence[int], gained: Sequence[int]) -> None:
    """Exchange cards between a seat and the bank, openly, at a rate outside the rules."""
    state = view._array[0]
    less, more = np.array(lost, np.int8), np.array(gained, np.int8)
    state["known"][seat] = np.maximum(state["known"][seat] - less, 0) + more
    state["hand_size"][seat] += more.sum() - less.sum()
    state["bank"] += less - more
    if seat == view.viewer:
        state["hand"][seat] = np.maximum(state["hand"][seat] + more - less, 0)
    refresh(view)


def lay_no_more_roads(view: SeatView) -> None:
    """Forfeit the free roads that the seat on turn has left."""
    state = view._array[0]
    state["free_roads"] = 0
    if state["phase"] == FREE_ROAD:
        state["phase"] = state["resume"]
    refresh(view)


def take_card_back(view: SeatView, seat: int, card: DevelopmentCard) -> None:
    """Return a card that the seat on turn has begun to play to its hand."""
    state = view._array[0]
    if state["played"][seat, card] > 0:
        state["played"][seat, card] -= 1
        state["card_count"][seat] += 1
        state["cards"][seat, card] += seat == view.viewer
    state["card_played"], state["free_roads"] = 0, 0
    if state["phase"] in (FREE_ROAD, ROBBER):
        state["phase"] = state["resume"]
    refresh(view)


def place_next(view: SeatView, seat: int, is_second: bool) -> bool:
    """Let `seat` place its first or second settlement next; False if the view expected that."""
    state = view._array[0]
    after_first = (seat - int(state["first_seat"])) % view.seats
    placed = 2 * view.seats - 1 - after_first if is_second else after_first
    if (state["phase"], state["seat"], state["placed"]) == (PLACE_SETTLEMENT, seat, placed):
        return False
    state["phase"], state["turn"], state["placed"] = PLACE_SETTLEMENT, 0, placed
    state["seat"] = state["turn_seat"] = seat
    state["placed_vertex"] = NOBODY
    refresh(view)
    return True


def begin_turns(view: SeatView, seat: int) -> None:
    """End the set-up, even if some seat has not placed; `seat` rolls next."""
    state = view._array[0]
    state["phase"], state["turn"], state["placed"] = ROLL, 1, 2 * view.seats
    state["seat"] = state["turn_seat"] = seat
    refresh(view)


def begin_turn(view: SeatView, seat: int) -> None:
    """Let `seat` roll next, regardless of the order of seats or of a game that seemed over."""
    state = view._array[0]
    for name in ("new_cards", "card_played", "free_roads", "offers", "roll", "owed"):
        state[name] = 0
    state["phase"], state["winner"] = ROLL, NOBODY
    state["seat"] = state["turn_seat"] = seat
    refresh(view)


def play_on(view: SeatView) -> None:
    """Continue a game that seemed over, for as many points as rules can ask for."""
    most, state = LIMITS["points_to_win"][1], view._array[0]
    view._rules = replace(view.rules, points_to_win=most)
    state["points_to_win"], state["winner"] = most, NOBODY
    state["phase"], state["seat"] = MAIN, state["turn_seat"]
    refresh(view)


def empty_seat(view: SeatView, seat: int) -> None:
    """Mark `seat` as vacant: its turns are skipped."""
    view._array[0]["gone"] |= 1 << seat
    refresh(view)


def take_seat(view: SeatView, seat: int) -> None:
    """Mark `seat` as occupied again."""
    view._array[0]["gone"] &= ~(1 << seat)
    refresh(view)


def put_hand_away(view: SeatView, seat: int) -> tuple[int, tuple[int, ...]]:
    """Take another seat's cards out of play; return the hand's size and its known cards."""
    state = view._array[0]
    hand = int(state["hand_size"][seat]), tuple(int(n) for n in state["known"][seat])
    state["hand_size"][seat], state["known"][seat] = 0, 0
    refresh(view)
    return hand


def put_hand_back(view: SeatView, seat: int, size: int, known: Sequence[int]) -> None:
    """The inverse of `put_hand_away`."""
    state = view._array[0]
    state["hand_size"][seat], state["known"][seat] = size, known
    refresh(view)


def offer_no_more(view: SeatView) -> None:
    """Use up the seat's offers of this turn."""
    view._array[0]["offers"] = view.rules.offers_per_turn
    refresh(view)


def declare_winner(view: SeatView, seat: int) -> None:
    """Declare a winner, possibly by cards that the viewer has not seen."""
    doors.declare_winner(view._states, 0, seat)
    doors.redact(view._states, 0, view.viewer)


def least_bank(state: Any, me: int, seats: int) -> np.ndarray[Any, Any]:
    """Return the fewest cards of each kind that the bank may have, given the known cards."""
    most = np.zeros(len(Resource), int)
    for seat in range(seats):
        sure = state["hand" if seat == me else "known"][seat]
        unknown = int(state["hand_size"][seat]) - int(sure.sum())
        most = most + sure + max(0, unknown)
    return np.clip(CARDS_PER_RESOURCE - most, 0, CARDS_PER_RESOURCE)


def refresh(view: SeatView) -> None:
    """Recompute the legal actions; hide what the viewer may not know."""
    doors.find_winner(view._states, 0)
    doors.redact(view._states, 0, view.viewer)
