"""Records of writers that read the text otherwise are read to the same game."""

import random
from itertools import combinations

import pytest

from catan_env import Game
from catan_env.notation import check, loads
from tests.notation import foreign_writer as foreign
from tests.notation.foreign_writer import VARIANTS, Variant, written_otherwise
from tests.notation.random_games import TABLES, random_game

CONTRARY: tuple[set[Variant], ...] = (
    {foreign.repeat_awards, foreign.state_awards_late},
    {foreign.produce_first_cards_silently, foreign.produce_first_cards_late},
    *map(set, combinations(VARIANTS[-3:], 2)),
)
"""Variants that cannot be written together."""


def assert_is_read(
    game: Game, variants: set[Variant], chance: random.Random, viewer: int | None
) -> None:
    messages = written_otherwise(game, variants, chance, viewer)
    check(messages)
    position = loads(messages).position
    names = sorted(variant.__name__ for variant in variants)
    assert position == (game if viewer is None else game.view(viewer)), names


def chosen_together(chance: random.Random) -> set[Variant]:
    while True:
        variants = {variant for variant in VARIANTS if chance.random() < 0.4}
        if not any(pair <= variants for pair in CONTRARY):
            return variants


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__)
def test_each_reading_of_the_text_gives_the_same_game(variant: Variant, games: int) -> None:
    for seed in range(max(2, games // 100)):
        chance = random.Random(seed)
        seats, rules = chance.choice(TABLES)
        game = random_game(seed, seats, rules)
        viewer = chance.choice([None, None, chance.randrange(seats)])
        assert_is_read(game, {variant}, chance, viewer)


@pytest.mark.parametrize(("seats", "rules"), TABLES, ids=str)
def test_readings_of_the_text_may_be_combined(seats: int, rules: str, games: int) -> None:
    for seed in range(max(2, games // 100)):
        chance = random.Random(seed)
        length = None if seed % 2 else chance.randrange(20, 500)
        game = random_game(seed, seats, rules, length)
        for viewer in (None, chance.randrange(seats)):
            assert_is_read(game, chosen_together(chance), chance, viewer)
