"""Observations with a memory of past events."""

import gymnasium
import numpy as np
import pytest

from catan_env.guests.hanabi import Action, Game, env
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.policies.conventions import Picture
from catan_env.guests.hanabi.remembered import (
    RememberingGame,
    memory_size,
    picture_after,
    remembered,
)
from catan_env.guests.hanabi.rules import OFFICIAL


def in_words(game: RememberingGame, seat: int) -> list[int]:
    """The memory of a seat, bit by bit from the picture."""
    picture: Picture = picture_after(game.events, game.rules, game.players)
    hand, bits = game.rules.cards_in_hand(game.players), []
    for k in range(game.players):
        slots = picture.hands[(seat + k) % game.players]
        for place in range(hand):
            held = slots[place] if place < len(slots) else None
            possible = held.possible if held else 0
            bits += [possible >> kind & 1 for kind in range(25)]
            bits.append(int(held.touched) if held else 0)
    for cards in (picture.useless, picture.last, picture.expected):
        bits += [cards >> kind & 1 for kind in range(25)]
    return bits


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_memory_is_the_picture_bit_by_bit(players: int) -> None:
    game, plain = RememberingGame(players, seed=3), Game(players, seed=3)
    chance, size = np.random.default_rng(players), observation_size(OFFICIAL, players)
    while not game.is_over:
        for seat in range(players):
            shown = game.observe(seat)
            assert (shown[:size] == plain.observe(seat)).all()
            assert shown[size:].tolist() == in_words(game, seat)
            assert (remembered(plain.view(seat)) == shown).all()
        action = int(chance.choice(game.legal_actions.indices))
        game.play(action)
        plain.play(action)


def test_a_hint_is_remembered_after_later_actions() -> None:
    """Both games show the same last action, but only one memory holds the hint."""
    hinted, other = RememberingGame(2, seed=7), RememberingGame(2, seed=7)
    colour, number = hinted.hands[1][4].colour, hinted.hands[1][4].number  # type: ignore[union-attr]
    hinted.play(Action.hint_colour(1, colour))
    other.play(Action.hint_number(1, number))
    for game in (hinted, other):
        game.play(Action.discard(0))
        game.play(Action.play(0))
    size = observation_size(OFFICIAL, 2)
    assert (hinted.observe(1)[size:] != other.observe(1)[size:]).any()
    assert len(hinted.observe(1)) == size + memory_size(OFFICIAL, 2)


@pytest.mark.parametrize("players", [2, 5])
def test_environments_have_a_memory_on_request(players: int) -> None:
    size = observation_size(OFFICIAL, players) + memory_size(OFFICIAL, players)
    environment = env(players=players, memory=True)
    environment.reset(seed=4)
    game = Game(players, seed=4)
    for _ in range(8):
        observation = environment.observe(environment.agent_selection)
        assert (observation["observation"] == remembered(game.view(game.seat))).all()
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        environment.step(action)
        game.play(action)
    single = gymnasium.make("catan_env:Hanabi-v0", players=players, memory=True)
    assert single.observation_space["observation"].shape == (size,)  # type: ignore[index]
    many = gymnasium.make_vec("catan_env:Hanabi-v0", num_envs=2, players=players, memory=True)
    assert many.reset(seed=1)[0]["observation"].shape == (2, size)


def test_a_memory_of_permuted_colours_is_refused() -> None:
    with pytest.raises(ValueError, match="memory and other_play"):
        env(memory=True, other_play=True)


def test_a_copied_game_has_the_same_memory() -> None:
    game = RememberingGame(2, seed=1)
    for _ in range(10):
        game.play(game.legal_actions[-1])
    copied = game.copy()
    assert copied == game and np.array_equal(copied.observe(0), game.observe(0))
