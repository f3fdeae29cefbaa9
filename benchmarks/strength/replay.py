"""Replays of kept games, under our engine and under catanatron's."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.strength.rows import RULES, Row
from catan_env import Action, ActionKind, Board, Game, Harbour, Resource, Terrain, Tile
from catan_env.core import doors
from catan_env.core.constants import AWARD, CARDS_PER_RESOURCE, NOBODY, NOTHING, DevelopmentCard
from catan_env.game.event import from_code

CATANATRON = replace(RULES["no trade"], points_to_win=22)
"""Points out of reach: catanatron alone ends the game."""
Kept = dict[str, Any]
Watch = Callable[[Game, Action, Any], None]


def board_to_json(board: Board) -> list[Any]:
    """The tiles and harbours of a board as numbers."""
    tiles = [[int(tile.terrain), tile.token] for tile in board.tiles]
    harbours = [
        [*harbour.vertices, None if harbour.resource is None else int(harbour.resource)]
        for harbour in board.harbours
    ]
    return [tiles, harbours]


def board_from_json(given: Sequence[Any]) -> Board:
    """The inverse of `board_to_json`."""
    tiles, harbours = given
    return Board(
        tuple(Tile(Terrain(terrain), token) for terrain, token in tiles),
        tuple(
            Harbour((a, b), None, 3) if kind is None else Harbour((a, b), Resource(kind), 2)
            for a, b, kind in harbours
        ),
    )


def replay(game: Kept, watch: Watch | None = None) -> Game:
    """The game under our engine, after its last event; `watch` gets the game before each one.

    A road past a rival's building, which only catanatron allows, is laid all the same. Raises
    IllegalActionError where our rules forbid another event.
    """
    rules = RULES[game["rules"]] if "rules" in game else CATANATRON
    ours = Game(len(game["seats"]), 0, rules, board_from_json(game["board"]))
    for seat, index, code, *corrected in in_our_order(game["log"], ours):
        if ours.seat != seat:
            raise ValueError(f"seat {seat} acts, where under our rules seat {ours.seat} would")
        action = Action.from_index(index)
        outcome = from_code(action.kind, code, ours.seats)
        if watch is not None:
            watch(ours, action, outcome)
        if action.kind == ActionKind.ROAD and ours.refusal(action) is not None:
            ours._play(seat, action, NOTHING)
        else:
            ours.play(action, outcome)
        if corrected:
            _correct(ours, *corrected)
    return ours


def in_our_order(log: Sequence[list[Any]], game: Game) -> Iterator[list[Any]]:
    """The events; discards from the seat on turn onward, where catanatron begins with seat 0."""
    discards: list[list[Any]] = []
    for event in log:
        if Action.from_index(event[1]).kind == ActionKind.DISCARD:
            discards.append(event)
            continue
        first = game.turn_seat
        yield from sorted(discards, key=lambda one: (one[0] - first) % game.seats)
        discards = []
        yield event


def _correct(game: Game, hands: Any, road_lengths: Any, longest_road: int | None) -> None:
    """Adopt catanatron's hands and roads, where its rules differ from ours."""
    state, seats = game._array[0], slice(game.seats)
    cards = np.array(hands, np.int8)
    state["hand"][seats], state["hand_size"][seats] = cards, cards.sum(axis=1)
    state["known"][seats] = np.minimum(state["known"][seats], cards)
    state["bank"] = CARDS_PER_RESOURCE - cards.sum(axis=0)
    state["road_length"][seats] = road_lengths
    for seat, change in ((int(state["longest_road"]), -AWARD), (longest_road, AWARD)):
        if seat is not None and seat != NOBODY:
            state["points"][seat] += change
    state["longest_road"] = NOBODY if longest_road is None else longest_road
    doors.renew_mask(game._states, 0)


def differences(game: Kept, ours: Game) -> list[str]:
    """Where the end of a replayed game differs from catanatron's: points and hands."""
    pairs = (
        ("points", points_of(ours), game["points"]),
        ("hands", hands_of(ours), game["hands"]),
    )
    return [f"{name} {here}, kept {kept}" for name, here, kept in pairs if here != kept]


def points_of(game: Game) -> list[int]:
    """Points by seat, with victory point cards."""
    return [
        game.points(seat, hidden=False) + game.cards(seat)[DevelopmentCard.VICTORY_POINT]
        for seat in range(game.seats)
    ]


def hands_of(game: Game) -> list[list[int]]:
    """All hands, by seat and Resource."""
    return [list(game.hand(seat)) for seat in range(game.seats)]


def replay_all(row: Row, entries: Sequence[Kept]) -> str:
    """Replays every game under both engines, and says what came of it."""
    from benchmarks.strength.replay_theirs import replay_theirs

    games = [entry for entry in entries if "log" in entry]
    ends: Counter[str] = Counter()
    said: list[str] = []
    for game in games:
        for engine, play in (("ours", _end_of_ours), ("catanatron", replay_theirs)):
            found = play(game)
            ends[engine] += not found
            said += [f"seed {game['seed']}, place {game['place']}, {engine}: {f}" for f in found]
    return "\n".join(
        [*said, *(f"{row.name}: {ends[e]} of {len(games)} games replayed by {e}" for e in ends)]
    )


def _end_of_ours(game: Kept) -> list[str]:
    try:
        return differences(game, replay(game))
    except ValueError as error:
        return [str(error)]
