"""Settlements of the set-up, rated where the set-up would end; computed here in another way."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Game, Rules
from catan_env.batch import Batch
from catan_env.core.constants import Phase
from catan_env.game.moment import SET_UP
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.best import Best
from catan_env.policies.greedy import Greedy
from catan_env.policies.search.guided import Guided
from catan_env.policies.search.search import (
    CANDIDATES as TRIED,
)
from catan_env.policies.search.search import (
    ROUNDS,
    SET_UP_PRIOR,
    SET_UP_ROUNDS,
    Search,
    Trial,
)
from catan_env.policies.set_up import SetUp, SetUpNetwork, WithSetUp
from catan_env.policies.set_up.network import FILES, WEIGHTS, network_for
from catan_env.policies.set_up.set_up import CANDIDATES
from catan_env.policies.value import win_probability
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import num_features
from catan_env.policy import load_batched

GAMES = 12 if MACHINE_CODE else 1
TABLES = [(seats, player_trade) for seats in (2, 3, 4) for player_trade in (False, True)]


def save(folder, seats, seed=3):
    """The file of a network of random weights."""
    path = folder / f"random_{seats}.npy"
    weights = np.random.default_rng(seed).normal(size=(num_features(seats) + 2, 6)) / 10
    np.save(path, weights.astype(np.float32))
    return path


def table_of(seats, player_trade):
    return {"seats": seats, "rules": replace(Rules.base(), player_trade=player_trade)}


def settlements(policy, game):
    """Each position of the game in which a settlement of the set-up is to be placed."""
    while game.phase in SET_UP:
        view = game.view(game.seat)
        if game.phase is Phase.PLACE_SETTLEMENT:
            yield view
        game.play(policy.act(view))


def expected(game, move, weights):
    """The win probability where `greedy`, seat by seat, has completed the set-up after a move."""
    end, seat, greedy = game.copy(), game.seat, Greedy()
    end.play(move)
    while end.phase in SET_UP:
        end.play(greedy.act(end.view(end.seat)))
    features = np.zeros((1, num_features(game.seats)))
    places = row(weights_for(game.seats)), Scratch().vertex_scores
    win_probability.write_features_of_games(end._states, np.array([seat]), *places, features, 0, 1)
    units = np.maximum(features[0] @ weights[:-2] + weights[-2], 0)
    return 1 / (1 + np.exp(-units @ weights[-1]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_settlement_is_rated_by_the_position_in_which_greedy_ends_the_set_up(seats, tmp_path):
    network = SetUpNetwork(save(tmp_path, seats), seats)
    set_up, differ = SetUp(network), 0
    policy = WithSetUp(set_up, Greedy())
    for seed in range(GAMES):
        game = Game(seats=seats, seed=seed)
        for view in settlements(policy, game):
            moves, wins = set_up.rated(view)
            known = [expected(game, move, network.weights) for move in moves.tolist()]
            assert wins == pytest.approx(known, rel=1e-9)
            assert policy.act(view) == moves[int(np.argmax(known))]
            differ += int(np.argmax(known) != 0)
    assert differ


def test_the_most_valuable_settlements_are_rated(tmp_path):
    set_up = SetUp(SetUpNetwork(save(tmp_path, 4), 4))
    view = Game(seats=4, seed=5).view(0)
    moves, wins = set_up.rated(view)
    assert len(moves) == len(wins) == CANDIDATES and len(set(moves.tolist())) == CANDIDATES
    assert moves[0] == Greedy().act(view) and view.action_mask[moves].all()


def test_the_last_free_places_are_rated_if_there_are_fewer(tmp_path):
    set_up = SetUp(SetUpNetwork(save(tmp_path, 3), 3))
    game, few = Game(seats=3, rules="small", seed=5), 0
    for view in settlements(WithSetUp(set_up, Greedy()), game):
        moves, _ = set_up.rated(view)
        legal = int(view.action_mask.sum())
        assert len(moves) == min(legal, CANDIDATES)
        few += legal < CANDIDATES
    assert few


def test_after_the_set_up_another_policy_plays(tmp_path):
    set_up, greedy = SetUp(SetUpNetwork(save(tmp_path, 3), 3)), Greedy()
    policy, game = WithSetUp(set_up, greedy), Game(seats=3, seed=8)
    for _ in range(60 if MACHINE_CODE else 16):
        view = game.view(game.seat)
        places = game.phase is Phase.PLACE_SETTLEMENT
        assert policy.act(view) == (set_up if places else greedy).act(view)
        game.play(policy.act(view))


def test_files_of_another_form_are_refused(tmp_path):
    path = save(tmp_path, 3)
    with pytest.raises(ValueError, match=r"shape \(145, units\) are needed for 4 seats"):
        SetUpNetwork(path, 4)
    np.save(path, np.full((num_features(3) + 2, 4), np.nan))
    with pytest.raises(ValueError, match="finite weights"):
        SetUpNetwork(path, 3)
    np.save(path, np.array([{}]), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        SetUpNetwork(path, 3)


@pytest.mark.parametrize("name", sorted(set(FILES.values())))
def test_shipped_networks_are_small_and_have_their_card(name):
    assert (WEIGHTS / f"{name}.npy").stat().st_size < 100_000
    assert "python -m catan_env.training.value_function.set_up" in (
        WEIGHTS / f"{name}.md"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize(("seats", "player_trade"), TABLES)
def test_best_places_its_settlements_by_the_network_of_a_table_that_has_one(seats, player_trade):
    best, batched = Best(), load_batched("best")
    network = network_for(seats, player_trade)
    set_up = network and SetUp(network)
    batch = Batch(5, **table_of(seats, player_trade), seed=4)
    for _ in range(4 * seats + 6):
        views = [batch.view(i, int(batch.seat[i])) for i in range(5)]
        actions = batched.choose(batch, np.arange(5))
        assert actions.tolist() == [best.act(view) for view in views]
        if set_up and views[0].phase is Phase.PLACE_SETTLEMENT:
            assert actions.tolist() == [set_up.act(view) for view in views]
        batch.play(actions)
        if not MACHINE_CODE:
            return


def test_a_search_in_a_duel_tries_the_settlements_that_the_network_rates_best():
    search, set_up = Search(seed=1, nodes=40), SetUp(network_for(2, False))
    game = Game(seats=2, rules="duel", seed=6)
    for view in settlements(Greedy(), game):
        moves, wins = set_up.rated(view)
        best, trial = np.argsort(-wins)[:TRIED], Trial(search, view)
        assert trial.candidates.tolist() == moves[best].tolist()
        assert trial._sums == pytest.approx(SET_UP_PRIOR * wins[best])
        assert trial._turns == 2 * SET_UP_ROUNDS
        assert search.act(view) in trial.candidates
    view = game.view(game.seat)
    assert search.set_up_at(view) is None and Trial(search, view)._turns == 2 * ROUNDS


@pytest.mark.parametrize(("seats", "player_trade"), TABLES)
def test_at_other_tables_a_search_rates_settlements_like_any_move(seats, player_trade):
    view = Game(**table_of(seats, player_trade), seed=6).view(0)
    assert (Search().set_up_at(view) is None) == ((seats, player_trade) != (2, False))
    assert Guided().set_up_at(view) is None
