"""Setting up a position directly: for tests, puzzles and analysis."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from catan_env.core import doors
from catan_env.core.bits import word_of
from catan_env.core.board import HALF
from catan_env.core.compiled import ensure_compiled
from catan_env.core.constants import (
    CARDS_PER_RESOURCE,
    CITIES,
    CITY_PIECE,
    EDGES,
    HAND_LIMIT,
    KNIGHT,
    LARGEST_ARMY_MINIMUM,
    LONGEST_ROAD_MINIMUM,
    NOBODY,
    ROAD_PIECE,
    ROADS,
    SEATS,
    SETTLEMENT_PIECE,
    SETTLEMENTS,
    TILES,
    VERTICES,
    VICTORY_POINT,
    DevelopmentCard,
    Phase,
    Resource,
)
from catan_env.core.state import doorway
from catan_env.game import geometry
from catan_env.game.action import Counts, counts_of
from catan_env.game.board import Board
from catan_env.game.numbers import whole
from catan_env.game.rules import Rules
from catan_env.game.start import checked_seed, rules_of
from catan_env.game.table import States, fresh_states

Places = Mapping[int, Iterable[int]]
"""Vertices or edges by seat."""
Cards = Mapping[int, Any]
"""Counts by seat: a mapping of Resource or DevelopmentCard to a number, or five numbers."""

DERIVE = "derive"
FACTS = {"discards": Phase.DISCARD, "offer": Phase.ANSWER}
"""The phase that a fact belongs to."""
LAST_TURN = 2**31 - 2


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
) -> tuple[States, Rules]:
    """The memory of a game that stands at this position, and its rules.

    What follows from the position is computed.

    Pieces, hands (resource cards), `known` (what the table has counted of them, nothing unless
    said), `cards` (development cards held, those bought this turn in `new_cards` as well) and
    `played` are by seat. `phase` is a Phase or its name in small letters. Bank and deck hold the
    rest; a position need not be one that play can reach, but it must not contradict itself:
    ValueError says where it does.

    - In the set-up ("place_settlement", "place_road") the pieces tell whose turn it is.
    - `roll` is 0 before the roll; after it 8 unless said, 7 for "discard" and "robber" (0 there:
      a knight was played before the roll).
    - "discard": `discards` says what each seat still owes; half of every hand above 7 unless said.
    - "free_road": `free_roads` are left, 2 unless said. "answer": `offer` is (places clockwise to
      the seat asked, give, get).
    - The awards' holders follow from the pieces, unless a tie leaves them open: then nobody holds
      Longest Road, and Largest Army must be said.
    """
    if not isinstance(board, Board):
        raise ValueError(f"board is {board!r}; allowed is a Board")
    ensure_compiled()
    agreed = rules_of(rules)
    states = fresh_states(seats, agreed, first_seat, board)
    states["seed"] = checked_seed(seed)
    states["robber"] = board.robber_start if robber is None else _number("tile", robber, TILES)
    _put_pieces(states, _places(settlements, seats), _places(cities, seats), _places(roads, seats))
    inner = doorway(states)
    doors.derive(inner, 0)
    _put_hands(states, _by_seat(hands, seats), _by_seat(known, seats))
    _put_cards(states, _by_seat(cards, seats), _by_seat(played, seats), counts_of(new_cards))
    _put_harbours(states, board)
    states["turn_seat"] = states["seat"] = _number("seat", turn_seat, seats)
    wanted = _phase_named(phase) if isinstance(phase, str) else Phase(phase)
    states["phase"] = wanted
    states["card_played"] = _flag("card_played", card_played)
    _refuse_foreign_facts(wanted, free_roads=free_roads, discards=discards, offer=offer)
    _PUT_PHASE[wanted](
        states, turn=turn, roll=roll, free_roads=free_roads, discards=discards, offer=offer
    )
    _refuse_new_cards(states)
    _put_longest_road(states, longest_road_seat)
    _put_largest_army(states, largest_army_seat)
    doors.find_winner(inner, 0)
    return states, agreed


def _flag(name: str, given: Any) -> bool:
    if not isinstance(given, bool | np.bool_):
        raise TypeError(f"{name} is {given!r}; allowed are True and False")
    return bool(given)


def _refuse_foreign_facts(phase: Phase, **facts: Any) -> None:
    """Facts that a position has in other phases alone are an error, not passed over."""
    set_up = (Phase.PLACE_SETTLEMENT, Phase.PLACE_ROAD)
    for name, given in facts.items():
        has_it = phase not in set_up if name == "free_roads" else phase == FACTS[name]
        if given is not None and not has_it:
            raise ValueError(f"{name} is {given!r} in phase {phase.name}, which has none")


def _phase_named(name: str) -> Phase:
    if name.upper() not in Phase.__members__:
        allowed = ", ".join(repr(phase.name.lower()) for phase in _PUT_PHASE)
        raise ValueError(f"unknown phase {name!r}; allowed are {allowed}")
    return Phase[name.upper()]


def _number(noun: str, number: int, limit: int) -> int:
    return whole(noun, number, 0, limit - 1)


def _places(places: Places | None, seats: int) -> list[tuple[int, ...]]:
    places = places or {}
    for seat in places:
        _number("seat", seat, seats)
    return [tuple(places.get(seat, ())) for seat in range(seats)]


def _by_seat(cards: Cards | None, seats: int) -> list[Counts]:
    cards = cards or {}
    for seat in cards:
        _number("seat", seat, seats)
    return [counts_of(cards.get(seat, (0, 0, 0, 0, 0))) for seat in range(seats)]


def _put_pieces(
    states: States,
    settlements: list[tuple[int, ...]],
    cities: list[tuple[int, ...]],
    roads: list[tuple[int, ...]],
) -> None:
    owner = _owners(
        "vertex", [(*s, *c) for s, c in zip(settlements, cities, strict=True)], VERTICES
    )
    edges = _owners("edge", roads, EDGES)
    for vertex, seat in owner.items():
        for other in geometry.VERTEX_NEIGHBOURS[vertex]:
            if other in owner:
                raise ValueError(
                    f"vertices {vertex} and {other} are neighbours and both built on, by seats "
                    f"{seat} and {owner[other]} (C097)"
                )
    states["built"] = word_of(list(owner))
    states["blocked"] = word_of(
        [v for v in range(VERTICES) if {v, *geometry.VERTEX_NEIGHBOURS[v]} & set(owner)]
    )
    states["laid"] = edge_words(edges)
    for seat, own in enumerate(zip(settlements, cities, roads, strict=True)):
        _put_seat(states, seat, own)


def _owners(noun: str, places: list[tuple[int, ...]], limit: int) -> dict[int, int]:
    owner: dict[int, int] = {}
    for seat, numbers in enumerate(places):
        for number in numbers:
            _number(noun, number, limit)
            if number in owner:
                raise ValueError(
                    f"{noun} {number} is taken twice, by seats {owner[number]} and {seat}"
                )
            owner[number] = seat
    return owner


def _put_seat(
    states: States,
    seat: int,
    own: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]],
) -> None:
    settlements, cities, roads = own
    stock = {"roads": ROADS, "settlements": SETTLEMENTS, "cities": CITIES}
    for (noun, limit), pieces in zip(stock.items(), (roads, settlements, cities), strict=True):
        if len(pieces) > limit:
            raise ValueError(f"seat {seat} has {len(pieces)} {noun}; there are {limit} (C003)")
    states["settlements"][:, seat] = word_of(settlements)
    states["cities"][:, seat] = word_of(cities)
    states["roads"][:, seat] = edge_words(roads)
    states["pieces"][:, seat, ROAD_PIECE] -= len(roads)
    states["pieces"][:, seat, SETTLEMENT_PIECE] -= len(settlements)
    states["pieces"][:, seat, CITY_PIECE] -= len(cities)
    states["points"][:, seat] = len(settlements) + 2 * len(cities)


def edge_words(edges: Iterable[int]) -> tuple[int, int]:
    """A set of edges as the engine's two words."""
    edges = list(edges)
    return word_of([e for e in edges if e < HALF]), word_of([e - HALF for e in edges if e >= HALF])


def _put_hands(states: States, hands: list[Counts], known: list[Counts]) -> None:
    states["hand"][0, : len(hands)] = hands
    states["known"][0, : len(known)] = known
    if np.any(states["known"] > states["hand"]):
        raise ValueError("a seat is known to hold more of a resource than it holds")
    left = CARDS_PER_RESOURCE - states["hand"][0].sum(axis=0, dtype=int)
    for resource, n in zip(Resource, left, strict=True):
        if n < 0:
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


def _refuse_new_cards(states: States) -> None:
    seat = int(states["turn_seat"][0])
    if np.any(states["new_cards"][0] > states["cards"][0, seat]):
        raise ValueError(f"seat {seat} bought more cards of a kind this turn than it holds")


def _put_harbours(states: States, board: Board) -> None:
    for harbour in board.harbours if states["bank_trade"][0] else ():
        mark = word_of(harbour.vertices)
        for seat in range(SEATS):
            if int(states["settlements"][0, seat] | states["cities"][0, seat]) & mark:
                traded = Resource if harbour.resource is None else [harbour.resource]
                for resource in traded:
                    best = min(int(states["rates"][0, seat, resource]), harbour.rate)
                    states["rates"][0, seat, resource] = best


def _put_set_up(states: States, *, turn: int | None, roll: int | None, **_: Any) -> None:
    if turn or roll:
        raise ValueError("the set-up comes before the first turn and the first roll")
    seats, first = int(states["seats"][0]), int(states["first_seat"][0])
    order = [(first + k) % seats for k in (*range(seats), *reversed(range(seats)))]
    built = [_count(states["settlements"][0, seat]) for seat in range(seats)]
    placed = sum(built)
    laying = states["phase"][0] == Phase.PLACE_ROAD
    if placed > len(order) - (not laying) or placed < laying:
        raise ValueError(f"{placed} settlements do not fit the phase of the set-up")
    if np.any(states["cities"]) or built != [order[:placed].count(s) for s in range(seats)]:
        raise ValueError(f"the set-up's order is {order}: settlements {built} do not follow it")
    laid = [_count(a) + _count(b) for a, b in states["roads"][0, :seats]]
    done = placed - 1 if laying else placed
    if laid != [order[:done].count(s) for s in range(seats)]:
        raise ValueError(f"the set-up's order is {order}: roads {laid} do not follow it")
    seat = order[placed - 1] if laying else order[placed]
    states["placed"], states["turn_seat"], states["seat"] = placed, seat, seat
    if laying:
        bare = int(states["settlements"][0, seat] & ~states["reach"][0, seat])
        if not bare or bare & (bare - 1):
            raise ValueError(f"one settlement of seat {seat} must still be without its road")
        states["placed_vertex"] = bare.bit_length() - 1


def _count(word: Any) -> int:
    return int(word).bit_count()


def _put_turn(states: States, turn: int | None, roll: int, free_roads: int | None) -> None:
    if whole("roll", roll, 0, 12) == 1:
        raise ValueError(f"roll is {roll}; allowed are 2..12, or 0 before the roll")
    if turn is not None:
        whole("turn", turn, 1, LAST_TURN)
    _refuse_free_roads(states, free_roads or 0)
    states["placed"] = 2 * states["seats"]
    states["turn"] = 1 if turn is None else turn
    states["roll"] = roll
    states["resume"] = Phase.MAIN if roll else Phase.ROLL
    states["free_roads"] = free_roads or 0


def _refuse_free_roads(states: States, left: int) -> None:
    phase = Phase(states["phase"][0])
    whole("free_roads", left, 0, 2)
    if left and phase != Phase.FREE_ROAD and states["free_roads_at_once"][0]:
        raise ValueError(f"{left} free roads in phase {phase.name}; they are laid at once (C150)")


def _put_before_roll(
    states: States, *, turn: int | None, roll: int | None, free_roads: int | None, **_: Any
) -> None:
    if roll:
        raise ValueError(f"a roll of {roll} before the roll")
    _put_turn(states, turn, 0, free_roads)


def _put_main(
    states: States, *, turn: int | None, roll: int | None, free_roads: int | None, **_: Any
) -> None:
    if roll == 0:
        raise ValueError("the main phase comes after the roll: allowed are 2..12")
    _put_turn(states, turn, 8 if roll is None else roll, free_roads)


def _put_robber(
    states: States, *, turn: int | None, roll: int | None, free_roads: int | None, **_: Any
) -> None:
    if roll not in (None, 7) and not states["card_played"][0]:
        raise ValueError(f"the robber moves at a 7, or by a knight: roll {roll}, no card_played")
    _put_turn(states, turn, 7 if roll is None else roll, free_roads)


def _put_discard(
    states: States,
    *,
    turn: int | None,
    roll: int | None,
    free_roads: int | None,
    discards: Mapping[int, int] | None,
    **_: Any,
) -> None:
    if roll not in (None, 7):
        raise ValueError(f"a roll of {roll}; cards are discarded at a 7 (C065)")
    _put_turn(states, turn, 7, free_roads)
    seats = int(states["seats"][0])
    sizes = [int(n) for n in states["hand_size"][0, :seats]]
    if discards is None:
        discards = {seat: n // 2 for seat, n in enumerate(sizes) if n > HAND_LIMIT}
    for seat, n in discards.items():
        if whole("discards", n, 0) > sizes[_number("seat", seat, seats)]:
            raise ValueError(f"seat {seat} owes {n} of {sizes[seat]} cards")
        states["owed"][0, seat] = n
    turn_seat = int(states["turn_seat"][0])
    owing = [(turn_seat + k) % seats for k in range(seats) if discards.get((turn_seat + k) % seats)]
    if not owing:
        raise ValueError("nobody owes a card: no hand is above 7")
    states["seat"] = owing[0]


def _put_free_road(
    states: States, *, turn: int | None, roll: int | None, free_roads: int | None, **_: Any
) -> None:
    left = 2 if free_roads is None else free_roads
    if left not in (1, 2) or not states["free_roads_at_once"][0]:
        raise ValueError(f"{left} free roads in the phase of laying them; allowed are 1 and 2")
    seat = int(states["turn_seat"][0])
    if not states["pieces"][0, seat, ROAD_PIECE] or not np.any(states["road_spots"][0, seat]):
        raise ValueError(f"seat {seat} has no road to lay, or no place for one (C149)")
    _put_turn(states, turn, 8 if roll is None else roll, left)
    states["card_played"] = 1


def _put_answer(
    states: States,
    *,
    turn: int | None,
    roll: int | None,
    free_roads: int | None,
    offer: tuple[int, Any, Any] | None,
    **_: Any,
) -> None:
    if offer is None:
        raise ValueError("an answer needs an offer: (places clockwise, give, get)")
    if not states["player_trade"][0]:
        raise ValueError("there is no trade between seats under these rules")
    _put_main(states, turn=turn, roll=roll, free_roads=free_roads)
    seats, turn_seat = int(states["seats"][0]), int(states["turn_seat"][0])
    step, give, get = offer[0], counts_of(offer[1]), counts_of(offer[2])
    whole("places to the seat asked", step, 1, seats - 1)
    if np.any(np.array(give) > states["hand"][0, turn_seat]):
        raise ValueError(f"seat {turn_seat} offers cards that it does not hold (C127)")
    if not any(give) or not any(get) or any(a and b for a, b in zip(give, get, strict=True)):
        raise ValueError("an offer has different resources on both sides (C123-C125)")
    states["offer_give"], states["offer_get"], states["offers"] = give, get, 1
    states["offer_to"] = states["seat"] = (turn_seat + step) % seats


def _refuse_over(states: States, **_: Any) -> None:
    raise ValueError("a position that is over is set up by its points, in phase 'main'")


_PUT_PHASE: dict[Phase, Any] = {
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
            raise ValueError(f"armies {armies}: say largest_army_seat, one of {allowed}")
    _award(states, "largest_army", holder, allowed, f"armies {armies}")


def _award(states: States, name: str, holder: Any, allowed: list[int | None], reason: str) -> None:
    if holder == DERIVE:
        holder = allowed[0]
    if holder not in allowed:
        raise ValueError(f"{name}_seat is {holder}; {reason} allow {allowed}")
    states[name] = NOBODY if holder is None else holder
    if holder is not None:
        states["points"][0, holder] += 2
