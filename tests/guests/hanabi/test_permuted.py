"""Other-play: every seat sees the game under its own permutation of the colours."""

import random

import gymnasium
import numpy as np
import pytest

from catan_env.guests.hanabi import Action, Card, Game, env
from catan_env.guests.hanabi.permuted import PermutedGame
from catan_env.guests.hanabi.policies import load_policy
from catan_env.guests.hanabi.rating import play_game
from catan_env.guests.hanabi.rules import Rules


def test_each_seat_sees_its_own_colours() -> None:
    game = PermutedGame(3, 4)
    assert len(set(game.permutations)) > 1
    for seat, shown in enumerate(game.permutations):
        view = game.view(seat)
        for other in range(3):
            if other != seat:
                true = [Card(shown[card.colour], card.number) for card in game.hands[other] if card]
                assert view.hands[other] == true


def test_without_a_seed_the_permutations_are_drawn_too() -> None:
    drawn = {tuple(PermutedGame(5, seed).permutations) for seed in [None] * 5}
    assert len(drawn | {tuple(PermutedGame(5).permutations)}) == 6
    assert PermutedGame(2, 7) == PermutedGame(2, np.uint8(7))


def test_an_action_is_in_the_colours_of_its_player() -> None:
    turned = (1, 2, 3, 4, 0)
    game = PermutedGame(2, 4, permutations=[turned, (0, 1, 2, 3, 4)])
    colour = next(card.colour for card in game.hands[1] if card)
    event = game.play(Action.hint_colour(1, turned[colour]))
    assert event.action == Action.hint_colour(1, colour)
    assert game.view(1).events[0].action == Action.hint_colour(1, colour)
    assert game.view(0).events[0].action == Action.hint_colour(1, turned[colour])


@pytest.mark.parametrize("rules", ["official", "wild"])
def test_without_a_permutation_it_is_the_same_game(rules: str) -> None:
    by = Rules(multicolour="wild") if rules == "wild" else Rules()
    same = [tuple(range(by.suits))] * 3
    game, plain = PermutedGame(3, 8, by, permutations=same), Game(3, 8, by)
    chance = random.Random(1)
    while not plain.is_over:
        action = chance.choice(plain.legal_actions.indices.tolist())
        assert (game.action_mask == plain.action_mask).all()
        assert game.play(action) == plain.play(action)
        assert all((game.observe(s) == plain.observe(s)).all() for s in range(3))
    assert game.is_over and game.score == plain.score


def test_the_score_does_not_depend_on_the_colours_shown() -> None:
    """A convention player that treats all colours the same plays the same game."""
    for seed in range(5):
        game = PermutedGame(2, seed)
        play_game([load_policy("piers", seed=seat) for seat in range(2)], game)
        assert game.is_over and all(shown.score == game.score for shown in game._shown)
    copied = game.copy()
    assert copied == game and copied._shown[0] is not game._shown[0]


def test_the_environments_have_the_option() -> None:
    environment = env(players=3, other_play=True)
    environment.reset(seed=2)
    game = PermutedGame(3, 2)
    while not game.is_over:
        observation, _, _, _, _ = environment.last()
        assert (observation["observation"] == game.observe(game.seat)).all()
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        environment.step(action)
        game.play(action)
    for vector in (False, True):
        make = gymnasium.make_vec if vector else gymnasium.make
        options = {"num_envs": 2} if vector else {}
        one = make("catan_env:Hanabi-v0", other_play=True, partners="iggi", **options)
        observation, _ = one.reset(seed=3)
        masks = np.atleast_2d(observation["action_mask"])
        action = masks.argmax(1)
        one.step(action if vector else int(action[0]))
        one.close()
