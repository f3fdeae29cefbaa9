"""Observations, legal moves, rewards and ends are those of the Hanabi Learning Environment."""

import random
from collections import Counter
from typing import Any

import pytest

from catan_env.guests.hanabi import Card, Game
from catan_env.guests.hanabi.rules import OFFICIAL

rl_env = pytest.importorskip("hanabi_learning_environment.rl_env")


def cards_of(environment: Any) -> list[list[Card]]:
    hands = environment.state.player_hands()
    return [[Card(card.color(), card.rank() + 1) for card in hand] for hand in hands]


def choose(environment: Any, legal: list[int], size: int, chance: random.Random) -> int:
    """Any legal move, or one that does not fail, so that half of the games reach the last turn."""
    if chance.random() < 0.5:
        return chance.choice(legal)
    seat, tops = environment.state.cur_player(), environment.state.fireworks()
    hand = environment.state.player_hands()[seat]
    good = [size + i for i, card in enumerate(hand) if tops[card.color()] == card.rank()]
    return chance.choice(good or [m for m in legal if not size <= m < 2 * size] or legal)


def record(players: int, seed: int) -> tuple[list[Card], list[tuple[Any, ...]]]:
    """A game there: the cards in the order of drawing, and the output after each move."""
    config = {"colors": 5, "ranks": 5, "players": players, "max_information_tokens": 8,
              "max_life_tokens": 3, "observation_type": 1, "seed": seed}  # fmt: skip
    environment, chance = rl_env.HanabiEnv(config), random.Random(seed)
    shown, done, reward, move = environment.reset(), False, 0, None
    hands = cards_of(environment)
    deck, steps, size = [card for hand in hands for card in hand], [], len(hands[0])
    while True:
        legal = sorted(map(environment.game.get_move_uid, environment.state.legal_moves()))
        vectors = [bytes(one["vectorized"]) for one in shown["player_observations"]]
        steps.append((move, reward, done, vectors, [] if done else legal))
        if done:
            return deck, steps
        seat = environment.state.cur_player()
        move = choose(environment, legal, size, chance)
        shown, reward, done, _ = environment.step(move)
        after = cards_of(environment)
        if move < 2 * size and len(after[seat]) == len(hands[seat]):
            deck.append(after[seat][-1])
        hands = after


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_observations_have_the_same_bits(players: int, games: int) -> None:
    for seed in range(max(2, games // 400)):
        cards, steps = record(players, 4 * seed + players)
        rest = (Counter(OFFICIAL.box) - Counter(cards)).elements()
        game = Game(players, deck=[*cards, *rest])
        for move, reward, done, vectors, legal in steps:
            before = game.score
            if move is not None:
                game.play(move)
            assert (game.score - before, game.is_over) == (reward, done)
            assert game.legal_actions.indices.tolist() == legal
            assert [game.observe(seat).tobytes() for seat in range(players)] == vectors
