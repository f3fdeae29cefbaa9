"""The point in a turn at which a position is: fields that each phase has and cannot have."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from catan_env.core.constants import HAND_LIMIT, ROAD_PIECE, Phase
from catan_env.game.action import counts_of
from catan_env.game.position import States
from catan_env.kernel.numbers import whole

LAST_TURN = 2**31 - 2
SET_UP = (Phase.PLACE_SETTLEMENT, Phase.PLACE_ROAD)


class Moment(NamedTuple):
    """The given fields of the turn; None is derived from the phase."""

    turn: int | None
    roll: int | None
    free_roads: int | None
    discards: Mapping[int, int] | None
    offer: tuple[int, Any, Any] | None


def phase_of(given: Phase | str) -> Phase:
    """Return a Phase from itself or its name in lower case; ValueError if there is none."""
    if not isinstance(given, str):
        return Phase(given)
    if given.upper() not in Phase.__members__:
        allowed = ", ".join(repr(phase.name.lower()) for phase in _PUT)
        raise ValueError(f"unknown phase {given!r}; allowed are {allowed}")
    return Phase[given.upper()]


def put_moment(states: States, phase: Phase, given: Moment) -> None:
    """Write the phase and its fields; ValueError for fields that the phase cannot have."""
    states["phase"] = phase
    _refuse("discards", given.discards, phase, phase == Phase.DISCARD)
    _refuse("offer", given.offer, phase, phase == Phase.ANSWER)
    _refuse("free_roads", given.free_roads, phase, phase not in SET_UP)
    _PUT[phase](states, given)


def _refuse(name: str, given: Any, phase: Phase, has_it: bool) -> None:
    if given is not None and not has_it:
        raise ValueError(f"{name} is {given!r}, but phase {phase.name} has none")


def _put_set_up(states: States, given: Moment) -> None:
    if given.turn or given.roll:
        raise ValueError("the set-up comes before the first turn and the first roll")
    seats, first = int(states["seats"][0]), int(states["first_seat"][0])
    order = [(first + k) % seats for k in (*range(seats), *reversed(range(seats)))]
    laying = bool(states["phase"][0] == Phase.PLACE_ROAD)
    placed = _placed(states, order, laying)
    seat = order[placed - 1] if laying else order[placed]
    states["placed"], states["turn_seat"], states["seat"] = placed, seat, seat
    if laying:
        states["placed_vertex"] = _without_road(states, seat)


def _placed(states: States, order: list[int], laying: bool) -> int:
    """Return the number of settlements placed in the set-up; pieces must follow its order."""
    seats = int(states["seats"][0])
    built = [_count(states["settlements"][0, seat]) for seat in range(seats)]
    placed = sum(built)
    if placed > len(order) - (not laying) or placed < laying:
        raise ValueError(f"{placed} settlements do not fit the phase of the set-up")
    if np.any(states["cities"]) or built != [order[:placed].count(s) for s in range(seats)]:
        raise ValueError(f"the set-up's order is {order}: settlements {built} do not follow it")
    laid = [_count(a) + _count(b) for a, b in states["roads"][0, :seats]]
    done = placed - 1 if laying else placed
    if laid != [order[:done].count(s) for s in range(seats)]:
        raise ValueError(f"the set-up's order is {order}: roads {laid} do not follow it")
    return placed


def _without_road(states: States, seat: int) -> int:
    bare = int(states["settlements"][0, seat] & ~states["reach"][0, seat])
    if not bare or bare & (bare - 1):
        raise ValueError(f"one settlement of seat {seat} must not have its road yet")
    return bare.bit_length() - 1


def _count(word: Any) -> int:
    return int(word).bit_count()


def _put_turn(states: States, given: Moment, roll: int, free_roads: int = 0) -> None:
    """Write a turn; `roll` and `free_roads` are its defaults."""
    roll = roll if given.roll is None else given.roll
    if whole("roll", roll, 0, 12) == 1:
        raise ValueError(f"roll is {roll}; allowed are 2..12, or 0 before the roll")
    if given.turn is not None:
        whole("turn", given.turn, 1, LAST_TURN)
    left = free_roads if given.free_roads is None else given.free_roads
    _refuse_free_roads(states, left)
    states["placed"] = 2 * states["seats"]
    states["turn"] = 1 if given.turn is None else given.turn
    states["roll"] = roll
    states["resume"] = Phase.MAIN if roll else Phase.ROLL
    states["free_roads"] = left


def _refuse_free_roads(states: States, left: int) -> None:
    phase = Phase(states["phase"][0])
    whole("free_roads", left, 0, 2)
    if left and phase != Phase.FREE_ROAD and states["free_roads_at_once"][0]:
        raise ValueError(
            f"{left} free roads in phase {phase.name}; they are laid immediately (C150)"
        )


def _put_before_roll(states: States, given: Moment) -> None:
    if given.roll:
        raise ValueError(f"a roll of {given.roll} before the roll")
    _put_turn(states, given, 0)


def _put_main(states: States, given: Moment) -> None:
    if given.roll == 0:
        raise ValueError("the main phase comes after the roll: allowed are 2..12")
    _put_turn(states, given, 8)


def _put_robber(states: States, given: Moment) -> None:
    if not states["card_played"][0]:
        _refuse_without_sevens(states)
    if given.roll not in (None, 7) and not states["card_played"][0]:
        raise ValueError(
            f"the robber moves on a 7, or after a knight: roll {given.roll}, no card_played"
        )
    _put_turn(states, given, 7)


def _put_discard(states: States, given: Moment) -> None:
    _refuse_without_sevens(states)
    if given.roll not in (None, 7):
        raise ValueError(f"a roll of {given.roll}; cards are discarded on a 7 (C065)")
    _put_turn(states, given, 7)
    seats, turn_seat = int(states["seats"][0]), int(states["turn_seat"][0])
    sizes = [int(n) for n in states["hand_size"][0, :seats]]
    owed, limit = given.discards, HAND_LIMIT + int(states["larger_hand"][0])
    if owed is None:
        owed = {seat: n // 2 for seat, n in enumerate(sizes) if n > limit}
    for seat, n in owed.items():
        if whole("discards", n, 0) > sizes[whole("seat", seat, 0, seats - 1)]:
            raise ValueError(f"seat {seat} owes {n} of {sizes[seat]} cards")
        states["owed"][0, seat] = n
    clockwise = [(turn_seat + k) % seats for k in range(seats)]
    owing = [seat for seat in clockwise if owed.get(seat)]
    if not owing:
        raise ValueError(f"no seat owes a card: no hand is above {limit}")
    states["seat"] = owing[0]


def _refuse_without_sevens(states: States) -> None:
    if not states["robber_moves"][0]:
        phase = Phase(states["phase"][0])
        raise ValueError(f"no phase {phase.name}: a 7 yields nothing under these rules")


def _put_free_road(states: States, given: Moment) -> None:
    left = 2 if given.free_roads is None else given.free_roads
    if left not in (1, 2) or not states["free_roads_at_once"][0]:
        raise ValueError(f"{left} free roads in the phase of laying them; allowed are 1 and 2")
    seat = int(states["turn_seat"][0])
    if not states["pieces"][0, seat, ROAD_PIECE] or not np.any(states["road_spots"][0, seat]):
        raise ValueError(f"seat {seat} has no road to lay, or no place for one (C149)")
    _put_turn(states, given, 8, left)
    states["card_played"] = 1


def _put_answer(states: States, given: Moment) -> None:
    if given.offer is None:
        raise ValueError("an answer needs an offer: (places clockwise, give, get)")
    if not states["player_trade"][0]:
        raise ValueError("there is no trade between seats under these rules")
    _put_main(states, given)
    seats, turn_seat = int(states["seats"][0]), int(states["turn_seat"][0])
    step, give, get = given.offer[0], counts_of(given.offer[1]), counts_of(given.offer[2])
    whole("places to the seat asked", step, 1, seats - 1)
    if np.any(np.array(give) > states["hand"][0, turn_seat]):
        raise ValueError(f"seat {turn_seat} offers cards that it does not hold (C127)")
    if not any(give) or not any(get) or any(a and b for a, b in zip(give, get, strict=True)):
        raise ValueError("an offer has different resources on both sides (C123-C125)")
    states["offer_give"], states["offer_get"], states["offers"] = give, get, 1
    states["offer_to"] = states["seat"] = (turn_seat + step) % seats


def _refuse_over(states: States, given: Moment) -> None:
    raise ValueError("to set up a finished game, give its points in phase 'main'")


_PUT: dict[Phase, Callable[[States, Moment], None]] = {
    Phase.PLACE_SETTLEMENT: _put_set_up,
    Phase.PLACE_ROAD: _put_set_up,
    Phase.ROLL: _put_before_roll,
    Phase.DISCARD: _put_discard,
    Phase.ROBBER: _put_robber,
    Phase.FREE_ROAD: _put_free_road,
    Phase.MAIN: _put_main,
    Phase.ANSWER: _put_answer,
    Phase.OVER: _refuse_over,
}
