"""Two networks decide together, by numbers that are computed here in another way."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Game, Rules
from catan_env.core.actions import BUY_ACTION
from catan_env.core.state import doorway
from catan_env.game.observation import NUM_ACTIONS
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.lockstep import STAY
from catan_env.kernel.memory import copy_of
from catan_env.policies import blend
from catan_env.policies.best import RERANKERS
from catan_env.policies.blend import Blend
from catan_env.policies.greedy import Greedy
from catan_env.policies.network import Network
from catan_env.policies.network.shipped import WEIGHTS
from catan_env.policies.rerank import Reranker, RerankNetwork, doors, save
from catan_env.policies.rerank.features import FEATURES
from catan_env.policies.search import playouts
from catan_env.policies.value.doors import rank_actions
from catan_env.policies.value.scratch import Scratch, row, rows
from catan_env.policies.value.weights import calibration_for, weights_for

TABLES = {(2, False): "duel", (3, True): "four", (4, False): "four_no_trade", (4, True): "four"}
MOVES = 300 if MACHINE_CODE else 12


def networks_of(*table):
    files = [WEIGHTS / f"{names[table]}.npz" for names in (TABLES, RERANKERS)]
    return Network(files[0]), RerankNetwork(files[1])


def positions(seats, player_trade, seed=1, moves=MOVES):
    """Views of the acting seat in a game of `greedy`, with the game."""
    rules = replace(Rules.base(), player_trade=player_trade)
    game, greedy = Game(seats, seed=seed, rules=rules), Greedy()
    for _ in range(moves):
        if game.is_over:
            return
        view = game.view(game.seat)
        yield game, view
        game.play(greedy.act(view))


def six_best(view):
    """The most valuable moves and the log odds of winning after them by the value function."""
    scratch, (slope, offset) = Scratch(), calibration_for(view.seats)
    moves, values = np.zeros((1, doors.CANDIDATES), np.int64), np.zeros((1, doors.CANDIDATES))
    weights = row(weights_for(view.seats))
    rank_actions(view._states, weights, *scratch.memory, moves, values, 0, 1)
    there = moves[0] != STAY
    return moves[0][there], np.clip(offset + slope * values[0][there], -30, 30)


def log_odds(view, network, siblings, odds):
    """The reranker's output with NumPy: one rectified layer over the features of each position."""
    scratch, inputs = Scratch(), np.zeros((len(siblings), FEATURES))
    places = row(weights_for(view.seats)), scratch.tries, scratch.vertex_scores
    seen = inputs if MACHINE_CODE else rows(list(inputs))
    doors.write_siblings(view._states, 0, row(siblings), row(odds), *places, seen)
    units = np.maximum(inputs @ network.units[:-1] + network.units[-1], 0)
    wins = 1 / (1 + np.exp(-(odds + units @ network.shares[:-1] + network.shares[-1])))
    wins = np.clip(wins, blend.NEAREST, 1 - blend.NEAREST)
    return np.log(wins / (1 - wins))


@pytest.mark.parametrize(("seats", "player_trade"), TABLES)
def test_log_odds_and_a_share_of_log_probabilities_are_added(seats, player_trade):
    network, reranker = networks_of(seats, player_trade)
    policy, alone, other = Blend(network, reranker), 0, 0
    for _, view in positions(seats, player_trade):
        siblings, odds = six_best(view)
        rated = log_odds(view, reranker, siblings, odds)
        legal = np.flatnonzero(view.action_mask)
        shares = np.exp(network.outputs(view.observation[None])[0][legal].astype(float))
        probability = dict(zip(legal.tolist(), (shares / shares.sum()).tolist(), strict=True))
        likely = [max(np.log(probability[move]), blend.LEAST) for move in siblings.tolist()]
        ratings = rated + blend.SHARE * np.array(likely)
        is_clear = len(siblings) == 1 or np.ptp(np.sort(ratings)[-2:]) > 1e-6
        if is_clear and odds[0] < 30:  # else it wins at once
            assert policy.act(view) == siblings[ratings.argmax()]
        other += int(ratings.argmax() != rated.argmax())
        alone += len(siblings) > 1
    assert 0 < other < alone or not MACHINE_CODE


def test_without_a_share_of_the_network_it_is_the_reranker(tmp_path, monkeypatch):
    monkeypatch.setattr(blend, "SHARE", 0.0)
    network, reranker = networks_of(4, False)
    save(tmp_path / "same.npz", reranker.units, reranker.shares, 0.0, 4, False)
    policy, same = Blend(network, reranker), Reranker(tmp_path / "same.npz")
    for _, view in positions(4, False):
        assert policy.act(view) == same.act(view)


def test_of_moves_that_the_reranker_rates_alike_the_likelier_is_played(tmp_path):
    """Here the log odds by value are cancelled, and nothing is added."""
    network, _ = networks_of(4, False)
    units, shares = np.zeros((FEATURES + 1, 2)), np.array([-1.0, 1.0, 0.0])
    units[FEATURES - 1] = 1.0, -1.0
    save(tmp_path / "even.npz", units, shares, 0.0, 4, False)
    policy = Blend(network, RerankNetwork(tmp_path / "even.npz"))
    for _, view in positions(4, False, moves=MOVES // 2):
        siblings, odds = six_best(view)
        if np.abs(odds).max() < 15:
            outputs = network.outputs(view.observation[None])[0]
            assert policy.act(view) == siblings[outputs[siblings].argmax()]


def test_a_move_that_wins_is_played(tmp_path, monkeypatch):
    """Even if one network takes every move for a sure win, and the other likes it least."""
    monkeypatch.setattr(blend, "SHARE", -1.0)
    save(tmp_path / "sure.npz", np.zeros((FEATURES + 1, 1)), np.array([0.0, 60.0]), 0.0, 4, True)
    policy = Blend(networks_of(4, True)[0], RerankNetwork(tmp_path / "sure.npz"))
    game, greedy, won = Game(seats=4, seed=3), Greedy(), 0
    while not game.is_over:
        view = game.view(game.seat)
        winning = [i for i in view.legal_actions.indices.tolist() if wins_at_once(game, i)]
        if winning:
            assert policy.act(view) in winning
            won += 1
        game.play(greedy.act(view))
    assert won


def wins_at_once(game, index):
    """True if it wins whatever the deck holds."""
    other = game.copy()
    other.play(index)
    return index != BUY_ACTION and other.winner == game.seat


def test_hidden_cards_change_no_choice():
    policy = Blend(*networks_of(4, True))
    for game, view in positions(4, True, seed=2, moves=MOVES):
        other, states = game.copy(), copy_of(view._array)
        playouts.deal(doorway(states), 0, 77)
        for name in ("hand", "cards", "deck", "seed"):
            other._array[name] = states[name]
        assert policy.act(other.view(game.seat)) == policy.act(view)


def test_many_views_are_decided_as_each_is():
    policy = Blend(*networks_of(4, True))
    views = [view for _, view in positions(4, True, seed=6)]
    assert policy.act_many(views) == [policy.act(view) for view in views]
    assert policy.act_many([]) == []


def test_a_table_of_another_kind_is_refused():
    policy = Blend(*networks_of(4, False))
    with pytest.raises(ValueError, match="for 4 seats without trade between them, not for"):
        policy.act(Game(seats=4, seed=3).view(0))


def test_every_action_has_a_log_probability():
    policy, view = Blend(*networks_of(4, True)), Game(seats=4, seed=3).view(0)
    logs = policy._log_probabilities([view])
    assert logs.shape == (1, NUM_ACTIONS) and np.isfinite(logs).all() and logs.max() <= 0
