"""The judge: probabilities sum to 1, better moves have higher ones, and nothing hidden is read."""

import numpy as np
import pytest

from catan_env import Game
from catan_env.core.state import doorway, new_states
from catan_env.kernel.memory import copy_of
from catan_env.policies.judge import Judge
from catan_env.policies.judge.futures import play_futures
from catan_env.policies.search import playouts
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork
from catan_env.policy import load_judge, load_policy
from tests.notation.random_games import random_game


def at_turn(turn: int, seed: int = 5) -> Game:
    game = Game(4, seed=seed)
    policies = [load_policy("greedy", seat) for seat in range(4)]
    while game.turn < turn or len(game.legal_actions) < 2:
        game.play(policies[game.seat].act(game.view(game.seat)))
    return game


def test_odds_of_a_position_sum_to_one_and_a_winner_has_them_all() -> None:
    judge = load_judge("greedy")
    for turn in (0, 12, 40):
        game = at_turn(turn)
        for table in (game, game.view(0), game.view(3)):
            odds = judge.win_probabilities(table)
            assert abs(sum(odds) - 1) < 1e-9 and min(odds) >= 0
            assert judge.win_probabilities(table) == odds
    ended = random_game(8, 4, "base")
    assert judge.win_probabilities(ended)[ended.winner or 0] == 1


def test_odds_predict_the_winner_better_than_chance() -> None:
    judge = load_judge("greedy")
    errors = []
    for seed in range(4):
        game = Game(3, seed=seed)
        policies = [load_policy("greedy", seat) for seat in range(3)]
        seen = []
        while not game.is_over:
            if len(game.events) % 40 == 39:
                seen.append(judge.win_probabilities(game))
            game.play(policies[game.seat].act(game.view(game.seat)))
        won = np.eye(3)[game.winner or 0]
        errors += [float(((np.array(odds) - won) ** 2).sum()) for odds in seen]
    assert np.mean(errors) < 2 / 3  # a third for each, always


def test_hidden_information_changes_nothing() -> None:
    judge = load_judge("greedy")
    game = at_turn(30)
    view = game.view(game.seat)
    other = Game.from_sgn(game.to_sgn())
    hands = other._array["hand"][0]
    seat = next(seat for seat in range(4) if seat != game.seat and hands[seat].any())
    kinds = np.flatnonzero(hands[seat])
    hands[seat, kinds[0]] -= 1
    hands[seat, (kinds[0] + 1) % 5] += 1
    assert other != game and other.view(game.seat) == view
    moves = judge.likely(view)
    assert judge.weigh(other.view(game.seat), moves) == judge.weigh(view, moves)
    assert judge.win_probabilities(other.view(game.seat)) == judge.win_probabilities(view)


def test_the_best_move_is_first_and_every_requested_move_is_weighed() -> None:
    judge = load_judge("best")
    view = at_turn(8).view(at_turn(8).seat)
    moves = [int(index) for index in view.legal_actions.indices[:9]]
    weighed = judge.weigh(view, moves)
    assert sorted(move for move, _ in weighed) == sorted(moves)
    assert [odds for _, odds in weighed] == sorted((odds for _, odds in weighed), reverse=True)
    assert all(0 <= odds <= 1 for _, odds in weighed)
    assert judge.likely(view)[0] == judge.choose(view)


def test_the_dice_of_a_future_are_not_drawn_from_the_numbers_that_dealt_its_cards() -> None:
    view = at_turn(40).view(0)
    worlds = doorway(new_states(playouts.WORLDS))
    places = row(weights_for(4)), *Scratch().memory
    for seed in range(5):
        play_futures(
            view._states, worlds, row(np.zeros(4)), seed, 1, 0, *WinNetwork(4).memory, *places
        )
        alike = doorway(copy_of(view._array))
        playouts.deal(alike, 0, worlds[playouts.FUTURE]["seed"])
        assert worlds[playouts.FUTURE]["draws"] == alike[0]["draws"] > 0


def test_the_old_name_of_win_probabilities_warns() -> None:
    judge, game = Judge("greedy", load_policy("greedy").act), at_turn(30)
    with pytest.warns(DeprecationWarning, match="outlook is now win_probabilities"):
        assert judge.outlook(game) == judge.win_probabilities(game)
