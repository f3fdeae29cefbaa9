"""Setting up a position directly: for tests, puzzles and analysis."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from catan_env.core import doors
from catan_env.core.compiled import ensure_rules
from catan_env.core.constants import (
    AWARD,
    CARDS_PER_RESOURCE,
    KNIGHT,
    LARGEST_ARMY_MINIMUM,
    LONGEST_ROAD_MINIMUM,
    MOST_CARDS,
    NOBODY,
    VICTORY_POINT,
    DevelopmentCard,
    Phase,
    Resource,
)
from catan_env.core.state import doorway
from catan_env.game.action import Counts, counts_of
from catan_env.game.board import Board
from catan_env.game.moment import Moment, phase_of, put_moment
from catan_env.game.pieces import Places, put_harbours, put_pieces
from catan_env.game.position import States
from catan_env.game.rules import Rules
from catan_env.game.start import checked_seed, fresh_states, rules_of
from catan_env.kernel.numbers import flag, whole

Cards = Mapping[int, Any]
"""Counts by seat: a mapping from Resource or DevelopmentCard to a number, or five numbers."""

DERIVE = "derive"


def states_at(
    *,
    board: Board,
    seats: int = 4,
    rules: Rules | str | None = None,
    seed: int = 0,
    first_seat: int = 0,
    settlements: Places | None = None,
    cities: Places | None = None,
    roads: Places | None = None,
    robber: int | None = None,
    hands: Cards | None = None,
    known: Cards | None = None,
    cards: Cards | None = None,
    new_cards: Any = (0, 0, 0, 0, 0),
    played: Cards | None = None,
    longest_road_seat: int | str | None = DERIVE,
    largest_army_seat: int | str | None = DERIVE,
    phase: Phase | str = "main",
    turn_seat: int = 0,
    turn: int | None = None,
    roll: int | None = None,
    card_played: bool = False,
    free_roads: int | None = None,
    discards: Mapping[int, int] | None = None,
    offer: tuple[int, Any, Any] | None = None,
    left: Iterable[int] = (),
) -> tuple[States, Rules]:
    """Return the memory of a game at this position, and its rules.

    Values that follow from the position are computed.

    Pieces, hands (resource cards), `known` (the publicly proven cards, none by default),
    `cards` (development cards held, those bought this turn also in `new_cards`) and
    `played` are by seat. `phase` is a Phase or its name in lower case. Bank and deck hold the
    rest. `left` are the seats that have left the table. A position need not be reachable by
    play, but it must not contradict itself: the ValueError names the contradiction.

    - In the set-up ("place_settlement", "place_road") the pieces determine whose turn it is.
    - `roll` is 0 before the roll; after it 8 by default, 7 for "discard" and "robber" (0 there:
      a knight was played before the roll).
    - "discard": `discards` are the cards each seat still owes; by default half of too large hands.
    - "free_road": `free_roads` are left, 2 by default. "answer": `offer` is (places clockwise to
      the seat asked, give, get).
    - The awards' holders follow from the pieces unless there is a tie: then no seat holds
      Longest Road by default, and Largest Army must be given.
    """
    if not isinstance(board, Board):
        raise ValueError(f"expected a Board, got {board!r}")
    ensure_rules()
    agreed = rules_of(rules)
    states = fresh_states(seats, agreed, first_seat, board)
    states["seed"] = checked_seed(seed)
    states["robber"] = board.robber_start if robber is None else board.robber_at(robber)
    put_pieces(states, settlements, cities, roads)
    inner = doorway(states)
    doors.derive(inner, 0)
    most = MOST_CARDS if agreed.endless_bank else CARDS_PER_RESOURCE
    _put_hands(states, _by_seat(hands, seats, most), _by_seat(known, seats, most))
    _put_cards(states, _by_seat(cards, seats), _by_seat(played, seats), counts_of(new_cards))
    put_harbours(states, board)
    states["turn_seat"] = states["seat"] = whole("seat", turn_seat, 0, seats - 1)
    states["card_played"] = flag("card_played", card_played)
    put_moment(states, phase_of(phase), Moment(turn, roll, free_roads, discards, offer))
    _put_left(states, {whole("seat", seat, 0, seats - 1) for seat in left})
    if not agreed.development_cards:
        _refuse_card_played(states)
    _refuse_new_cards(states)
    _put_longest_road(states, longest_road_seat)
    _put_largest_army(states, largest_army_seat)
    doors.find_winner(inner, 0)
    return states, agreed


# Python's errors of missing and unknown arguments name the function that a user calls.
states_at.__qualname__ = "Game.from_position"


def _by_seat(cards: Cards | None, seats: int, most: int = CARDS_PER_RESOURCE) -> list[Counts]:
    cards = cards or {}
    for seat in cards:
        whole("seat", seat, 0, seats - 1)
    return [counts_of(cards.get(seat, (0, 0, 0, 0, 0)), most) for seat in range(seats)]


def _put_hands(states: States, hands: list[Counts], known: list[Counts]) -> None:
    states["hand"][0, : len(hands)] = hands
    states["known"][0, : len(known)] = known
    if np.any(states["known"] > states["hand"]):
        raise ValueError("a seat is known to hold more of a resource than it holds")
    left = CARDS_PER_RESOURCE - states["hand"][0].sum(axis=0, dtype=int)
    is_endless, total = states["endless_bank"][0], int(states["hand"].sum(dtype=int))
    if is_endless and total > MOST_CARDS:
        raise ValueError(f"the hands hold {total} cards; allowed are {MOST_CARDS} (C227)")
    for resource, n in zip(Resource, left, strict=True):
        if n < 0 and not is_endless:
            raise ValueError(
                f"the hands hold {CARDS_PER_RESOURCE - n} {resource.name}; "
                f"there are {CARDS_PER_RESOURCE} (C001)"
            )
    states["bank"] = left
    states["hand_size"] = states["hand"].sum(axis=2)


def _put_cards(
    states: States, cards: list[Counts], played: list[Counts], new_cards: Counts
) -> None:
    if any(counts[VICTORY_POINT] for counts in played):
        raise ValueError("victory point cards are held, never played (C157)")
    states["cards"][0, : len(cards)] = cards
    states["played"][0, : len(played)] = [counts[:4] for counts in played]
    box = states["deck"][0].astype(int)
    left = box - np.sum(cards, axis=0) - np.sum(played, axis=0)
    for kind, n in zip(DevelopmentCard, left, strict=True):
        if n < 0:
            raise ValueError(f"{box[kind] - n} {kind.name} cards; there are {box[kind]} (C002)")
    states["deck"] = left
    states["deck_size"] = left.sum()
    states["card_count"] = states["cards"].sum(axis=2)
    states["new_cards"] = new_cards


def _put_left(states: States, left: set[int]) -> None:
    seats, turn_seat = int(states["seats"][0]), int(states["turn_seat"][0])
    if left and not states["turn"][0]:
        raise ValueError("no seat leaves in the set-up")
    if turn_seat in left:
        raise ValueError(f"seat {turn_seat} has left, but it is its turn (C223)")
    if len(left) > seats - 2:
        raise ValueError(f"{len(left)} of {seats} seats have left: the last one has won (C226)")
    states["gone"] = sum(1 << seat for seat in left)


def _refuse_card_played(states: States) -> None:
    if states["card_played"][0] or states["free_roads"][0]:
        raise ValueError("these rules have no development card to play")


def _refuse_new_cards(states: States) -> None:
    seat = int(states["turn_seat"][0])
    if np.any(states["new_cards"][0] > states["cards"][0, seat]):
        raise ValueError(f"seat {seat} bought more cards of a kind this turn than it holds")


def _put_longest_road(states: States, holder: int | str | None) -> None:
    lengths = [int(n) for n in states["road_length"][0, : int(states["seats"][0])]]
    longest = max(lengths)
    if longest < LONGEST_ROAD_MINIMUM or not states["awards"][0]:
        allowed: list[int | None] = [None]
    else:
        allowed = [seat for seat, n in enumerate(lengths) if n == longest]
        if len(allowed) > 1:
            allowed.insert(0, None)
    _award(states, "longest_road", holder, allowed, f"road lengths {lengths}")


def _put_largest_army(states: States, holder: int | str | None) -> None:
    armies = [int(n) for n in states["played"][0, : int(states["seats"][0]), KNIGHT]]
    largest = max(armies)
    if largest < LARGEST_ARMY_MINIMUM or not states["awards"][0]:
        allowed: list[int | None] = [None]
    else:
        allowed = [seat for seat, n in enumerate(armies) if n == largest]
        if len(allowed) > 1 and holder == DERIVE:
            raise ValueError(f"armies {armies}: give largest_army_seat, one of {allowed}")
    _award(states, "largest_army", holder, allowed, f"armies {armies}")


def _award(states: States, name: str, holder: Any, allowed: list[int | None], reason: str) -> None:
    if holder == DERIVE:
        holder = allowed[0]
    if holder not in allowed:
        raise ValueError(f"{name}_seat is {holder}; {reason} allow {allowed}")
    states[name] = NOBODY if holder is None else holder
    if holder is not None:
        states["points"][0, holder] += AWARD
