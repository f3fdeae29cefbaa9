"""Names of players: given ones are kept, repeated and reserved ones are numbered."""

from itertools import product

import pytest

from catan_env import Game
from catan_env.notation import to_sgn
from catan_env.notation.record import different_names


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["Ann", "Ben"], ("Ann", "Ben")),
        (["greedy"] * 3, ("greedy 1", "greedy 2", "greedy 3")),
        (["A", "", "B"], ("A 1", "2", "B 3")),
        (["Guest", "Guest", "Guest 1"], ("Guest 2", "Guest 3", "Guest 1")),
        (["A", "A 1"], ("A 2", "A 1")),
        (["greedy 2", "greedy", "greedy"], ("greedy 2", "greedy 3", "greedy 4")),
    ],
)
def test_a_number_is_that_of_the_seat_or_the_next_free_one(
    given: list[str], shown: tuple[str, ...]
) -> None:
    assert different_names(given) == shown


def test_names_are_always_different_and_a_name_of_one_player_stays() -> None:
    for given in product(("", "1", "A", "A 1", "A 2", "A 1 1"), repeat=4):
        names = different_names(given)
        assert to_sgn(Game(4, 1), names)
        for name, shown in zip(given, names, strict=True):
            if given.count(name) == 1 and name not in ("", "A"):
                assert shown == name
