"""Thousands of random games, checked after every step by compiled loops."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from catan_env import named_observation
from catan_env.core.observation import LAYOUT, OBSERVATION_SIZE
from catan_env.core.state import GAME, new_states
from catan_env.game.start import fresh_states
from catan_env.kernel.jit import JIT
from tests.core import faults, random_play
from tests.core.keep import for_loops
from tests.core.recompute import PIECES_ON_BOARD, TRAIL, scratch
from tests.properties.settings import LAYOUTS, SETTINGS, SHARES, Setting, board_of

EACH_SETTING = pytest.mark.parametrize("setting", SETTINGS, ids=str)


class Games(NamedTuple):
    """New games of one setting, in the form that the loops take."""

    setting: Setting
    slots: Any
    raw: np.ndarray
    starts: np.ndarray
    styles: np.ndarray
    report: np.ndarray

    def check(self) -> None:
        """Fail with the report of a loop."""
        n, step, fault, action = map(int, self.report)
        assert fault == faults.NONE, (
            f"{faults.NAME[fault]} in game {n} of {self.setting} (seed {self.seed(n)}, "
            f"style {self.styles[n]}) at step {step}, after action {action}"
        )

    def seed(self, n: int) -> int:
        return int(self.starts[n].view(GAME)["seed"][0])


def fresh_games(setting: Setting, games: int) -> Games:
    """This setting's share of all random games, far fewer with an interpreted engine."""
    n = -(-games // SHARES)
    if not JIT:
        n = min(n, 2)
    board = board_of(setting)
    states = new_states(n)
    states.view(np.uint8).reshape(n, -1)[:] = fresh_states(
        setting.seats, setting.rules, setting.first_seat, board
    ).view(np.uint8)
    if board is None:
        states["layout"] = LAYOUTS[setting.board]
    states["seed"] = np.arange(n) + 1_000_000 * SETTINGS.index(setting)
    memory = new_states(7)
    return Games(
        setting,
        for_loops(memory),
        rows(memory),
        rows(states),
        np.arange(n) % 3,
        np.zeros(4, np.int64),
    )


def rows(states: np.ndarray) -> np.ndarray:
    return states.view(np.uint8).reshape(len(states), GAME.itemsize)


def bytes_of(names: set[str]) -> np.ndarray:
    """The offsets of the named fields in a game's memory."""
    spans = [
        np.arange(GAME.fields[name][1], GAME.fields[name][1] + GAME[name].itemsize)
        for name in GAME.names
        if name in names
    ]
    assert len(spans) == len(names)
    return np.concatenate(spans)


OF_PIECES = bytes_of(
    {
        "settlements",
        "cities",
        "built",
        "blocked",
        "laid",
        "road_spots",
        "reach",
        "roads",
        "pieces",
        "points",
        "road_length",
        "longest_road",
        "largest_army",
        "rates",
        "token_tiles",
        "resource_tiles",
        "terrain",
        "token",
        "harbours",
    }
)


@EACH_SETTING
def test_stored_fields_follow_from_pieces_and_cards(setting: Setting, games: int) -> None:
    """C011, C012; the mask is the book's, the awards go to the right seats, and the winner wins."""
    fresh = fresh_games(setting, games)
    boards, trails = scratch(PIECES_ON_BOARD), scratch(TRAIL)
    random_play.watch_facts(
        fresh.slots, fresh.raw, fresh.starts, fresh.styles, OF_PIECES, boards, trails, fresh.report
    )
    fresh.check()


@EACH_SETTING
def test_the_same_holds_however_the_cards_are_dealt(setting: Setting, games: int) -> None:
    """Bank and deck are often nearly empty here, which is rare in random games."""
    fresh = fresh_games(setting, games)
    boards, trails = scratch(PIECES_ON_BOARD), scratch(TRAIL)
    random_play.watch_deals(
        fresh.slots, fresh.raw, fresh.starts, fresh.styles, OF_PIECES, boards, trails, fresh.report
    )
    fresh.check()


@EACH_SETTING
def test_a_seat_knows_only_what_it_has_seen(setting: Setting, games: int) -> None:
    """C062, C083, C141."""
    fresh = fresh_games(setting, games)
    seen, highest = np.zeros((3, OBSERVATION_SIZE), np.int8), np.zeros(OBSERVATION_SIZE, np.int8)
    random_play.watch_eyes(
        fresh.slots, fresh.raw, fresh.starts, fresh.styles, seen, highest, fresh.report
    )
    fresh.check()
    for name, values in named_observation(highest).items():
        assert values.max() <= HIGHEST[name], f"{name} of {setting} reaches {values.max()}"


# No entry of an observation ever exceeds this.
HIGHEST = {
    "terrain": 1,
    "token": 12,
    "pips": 5,
    "robber": 1,
    "harbour_kind": 1,
    "harbour_rate": 3,
    "harbour_vertices": 53,
    "buildings": 2,
    "roads": 1,
    "bank": 19,
    "hand": 19,
    "known": 19,
    "hand_size": 95,
    "rates": 4,
    "cards": 14,
    "new_cards": 14,
    "card_count": 25,
    "played": 14,
    "deck_size": 25,
    "points": 21,
    "own_points": 26,
    "pieces": 15,
    "road_length": 15,
    "longest_road": 1,
    "largest_army": 1,
    "playing": 1,
    "phase": 1,
    "turn_seat": 1,
    "decides": 1,
    "turn": 127,
    "roll": 12,
    "card_played": 1,
    "free_roads": 2,
    "placed": 8,
    "offers_left": 3,
    "owed": 47,
    "offer_to": 1,
    "offer_give": 3,
    "offer_get": 3,
    "rules": 1,
}


def test_the_highest_value_of_every_field_of_an_observation_is_given() -> None:
    assert list(HIGHEST) == [field.name for field in LAYOUT]


@EACH_SETTING
def test_the_future_is_in_the_position_and_no_seat_is_special(setting: Setting, games: int) -> None:
    fresh = fresh_games(setting, games)
    turn = 1 + SETTINGS.index(setting) % (setting.seats - 1)
    seen = np.zeros((2, OBSERVATION_SIZE), np.int8)
    ends = np.zeros((2, *fresh.starts.shape), np.uint8)
    random_play.watch_futures(
        fresh.slots, fresh.raw, fresh.starts, fresh.styles, turn, seen, ends, fresh.report
    )
    fresh.check()
    straight, turned = (end.view(GAME)[:, 0] for end in ends)
    for name in GAME.names:
        expected = turned_field(straight, name, setting.seats, turn)
        differing = np.flatnonzero((expected != turned[name]).reshape(len(expected), -1).any(1))
        assert not len(differing), f"{name} of {setting}, seed {fresh.seed(int(differing[0]))}"


BY_SEAT = {"settlements", "cities", "reach", "roads", "road_spots", "hand", "known", "hand_size"}
BY_SEAT |= {
    "sevens",
    "rates",
    "cards",
    "card_count",
    "played",
    "pieces",
    "points",
    "road_length",
    "owed",
}
SEAT = {"longest_road", "largest_army", "winner", "turn_seat", "seat", "offer_to", "first_seat"}


def turned_field(states: np.ndarray, name: str, seats: int, turn: int) -> np.ndarray:
    """A field of games in which every seat has moved on by `turn`."""
    values = states[name].copy()
    if name in BY_SEAT:
        values[:, :seats] = np.roll(values[:, :seats], turn, axis=1)
    elif name in SEAT:
        values = np.where(values >= 0, (values + turn) % seats, values)
    elif name == "streak_seat":
        values = np.where(states["streak"] > 0, (values + turn) % seats, values)
    return values


@EACH_SETTING
def test_the_same_seed_gives_the_same_bytes(setting: Setting, games: int) -> None:
    fresh = fresh_games(setting, games)
    ends = [np.zeros(fresh.starts.shape, np.uint8) for _ in range(2)]
    for end in ends:
        random_play.play_out(fresh.slots, fresh.raw, fresh.starts, fresh.styles, end)
    assert np.array_equal(*ends)
    others = np.unique(ends[0], axis=0)
    assert len(others) == len(fresh.starts)
