"""Components, R001-R005."""

import hashlib
import json
from collections import Counter

import numpy as np

from catan_env.guests.renaissance.native import cards as c

GOOD_NAMES = c.RESOURCES
DEVELOPMENT_SHA256 = "7c3f9a042bb1c4ceb6d24cc15b95f7a68ffcdd48b76e72d25c751d114d30b72c"
LEADERS_SHA256 = "bb3634b5a2576f013f2112a6441189ebe8f1421cd0d93461e6f8146c3be3b924"


def development_rows() -> list[dict[str, object]]:
    return [
        {
            "id": number,
            "colour": c.COLOURS[row[c.COLOUR]],
            "level": row[c.LEVEL],
            "points": row[c.POINTS],
            "cost": list(row[c.COST : c.COST + 4]),
            "input": list(row[c.INPUT : c.INPUT + 4]),
            "output": list(row[c.OUTPUT : c.OUTPUT + 4]),
            "faith": row[c.CARD_FAITH],
        }
        for number, row in enumerate(c.DEVELOPMENT)
    ]


def leader_rows() -> list[dict[str, object]]:
    def needs(row: tuple[int, ...]) -> list[list[object]]:
        entries = (row[c.NEEDS + 3 * k : c.NEEDS + 3 * k + 3] for k in range(2))
        return [[c.COLOURS[colour], level, count] for colour, level, count in entries if count]

    return [
        {
            "id": number,
            "kind": c.KINDS[row[c.KIND]],
            "resource": c.RESOURCES[row[c.GOOD]],
            "points": row[c.LEADER_POINTS],
            "needs_cards": needs(row),
            "needs_resources": list(row[c.NEEDS_GOODS : c.NEEDS_GOODS + 4]),
        }
        for number, row in enumerate(c.LEADERS)
    ]


def sha256(rows: list[dict[str, object]]) -> str:
    return hashlib.sha256(
        json.dumps(rows, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


def test_the_cards_match_their_checksums():
    assert sha256(development_rows()) == DEVELOPMENT_SHA256
    assert sha256(leader_rows()) == LEADERS_SHA256


def test_there_are_four_kinds_of_goods():
    """R001."""
    assert GOOD_NAMES == ("Coin", "Stone", "Servant", "Shield")


def test_each_colour_has_four_cards_of_each_level():
    """R002."""
    rows = c.development_table()
    assert set(Counter((row[c.COLOUR], row[c.LEVEL]) for row in c.DEVELOPMENT).values()) == {4}
    for level, points in ((1, range(1, 5)), (2, range(5, 9)), (3, range(9, 13))):
        assert set(rows[rows[:, c.LEVEL] == level, c.POINTS]) == set(points)
    assert rows[:, c.POINTS].sum() == 312
    assert rows[:, c.COST : c.COST + 4].sum(axis=0).tolist() == [60, 60, 62, 58]
    assert rows[:, c.INPUT : c.INPUT + 4].sum(axis=0).tolist() == [18] * 4
    assert rows[:, c.OUTPUT : c.OUTPUT + 4].sum(axis=0).tolist() == [25] * 4
    assert rows[:, c.CARD_FAITH].sum() == 52


def test_there_is_a_leader_of_each_kind_for_each_good():
    """R004."""
    rows = c.leader_table()
    assert len(np.unique(rows[:, [c.KIND, c.GOOD]], axis=0)) == 16
    points = {
        c.KINDS[kind]: set(rows[rows[:, c.KIND] == kind, c.LEADER_POINTS]) for kind in range(4)
    }
    assert points == {"discount": {2}, "depot": {3}, "production": {4}, "white": {5}}
    assert rows[:, c.NEEDS_GOODS : c.NEEDS_GOODS + 4].sum(axis=0).tolist() == [5] * 4
    assert sum(row[c.NEEDS + 2] + row[c.NEEDS + 5] for row in c.LEADERS) == 24


def test_there_are_thirteen_marbles():
    """R005."""
    counts = Counter(c.MARBLES)
    assert [counts[marble] for marble in range(6)] == [2, 2, 2, 2, 1, 4]


def test_the_am49_server_has_four_cards_of_its_own():
    printed, am49 = c.development_table(), c.development_table("am49")
    assert np.flatnonzero((printed != am49).any(axis=1)).tolist() == [0, 10, 18, 19]
    assert am49[0, c.INPUT : c.INPUT + 4].tolist() == [3, 0, 0, 0]
    assert am49[18, c.COST] == 1
