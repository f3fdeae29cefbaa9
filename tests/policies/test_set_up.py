"""Settlements of the set-up, rated where the set-up would end; computed here in another way."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Game, Rules
from catan_env.batch import STAY, Batch
from catan_env.core.actions import ROLL_ACTION, SETTLEMENT_START
from catan_env.core.constants import SEATS, Phase
from catan_env.game.moment import SET_UP
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.rng import below_at, word_at
from catan_env.policies.best import Best
from catan_env.policies.builder import pips_at
from catan_env.policies.greedy import Greedy, rank
from catan_env.policies.search.guided import Guided
from catan_env.policies.search.playouts import PER_TURN, ROLLS
from catan_env.policies.search.search import (
    CANDIDATES as TRIED,
)
from catan_env.policies.search.search import (
    ROUNDS,
    SET_UP_PRIOR,
    SET_UP_TURNS,
    SET_UP_WAYS,
    Search,
    Trial,
)
from catan_env.policies.set_up import SetUp, SetUpNetwork, WithSetUp
from catan_env.policies.set_up.doors import FINE, OF_SETTLEMENT
from catan_env.policies.set_up.network import FILES, WEIGHTS, network_for
from catan_env.policies.set_up.set_up import CANDIDATES, SPREAD, WAYS
from catan_env.policies.value import win_probability
from catan_env.policies.value.names import BRICK_PIP
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import net_for, num_features
from catan_env.policy import load_batched

WORLDS = 3
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


def expected(game, move, weights, way=0):
    """The win probability where the set-up ends after a move, the others settling in that way."""
    return probability(ended(game, move, game.seat, way), game.seat, weights)


def ended(game, move, seat, way):
    """The end of the set-up: `greedy` places all but the others' settlements, unless `way` is 0."""
    end, greedy = game.copy(), Greedy()
    end.play(move)
    while end.phase in SET_UP:
        varied = way and end.phase is Phase.PLACE_SETTLEMENT and end.seat != seat
        end.play(varied_choice(end, way) if varied else greedy.act(end.view(end.seat)))
    return end


def probability(game, seat, weights):
    """The seat's win probability by a network, computed by NumPy."""
    features = np.zeros((1, num_features(game.seats)))
    places = row(weights_for(game.seats)), Scratch().vertex_scores
    asked = np.array([seat])
    win_probability.write_features_of_games(game._states, asked, *places, features, 0, 1)
    units = np.maximum(features[0] @ weights[:-2] + weights[-2], 0)
    return 1 / (1 + np.exp(-units @ weights[-1]))


def varied_choice(game, way):
    """The settlement of a seat's taste in that way: by value or, one in two, by pips alone."""
    seats, board, weights = game.seats, game.board, weights_for(game.seats)
    batch = Batch(1, seats=seats, seed=1, observations=False)
    batch.states[:] = game._array
    moves, scores = (found[0] for found in rank(batch, 54))
    moves, scores = moves[moves != STAY], scores[moves != STAY]
    first = OF_SETTLEMENT * (1 + SEATS * game.pieces(game.seat)[1] + game.seat)
    best = []
    for move, score in zip(moves.tolist(), scores.tolist(), strict=True):
        vertex = move - SETTLEMENT_START
        draws = (below_at(way, first + 2 * vertex + k, FINE) for k in (0, 1))
        luck = SPREAD * (next(draws) - next(draws)) / FINE
        pips = sum(
            weights[BRICK_PIP + resource] * n for resource, n in enumerate(pips_at(board)[vertex])
        )
        best.append((pips if below_at(way, game.seat, 2) else score) + luck)
    return int(moves[int(np.argmax(best))])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_settlement_is_rated_by_the_position_in_which_greedy_ends_the_set_up(seats, tmp_path):
    network = SetUpNetwork(save(tmp_path, seats), seats)
    set_up, differ = SetUp(network, 1), 0
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


@pytest.mark.parametrize("seats", [3, 4])
def test_a_rating_is_the_mean_over_the_tastes_by_which_the_other_seats_may_settle(seats, tmp_path):
    network, differ = SetUpNetwork(save(tmp_path, seats), seats), 0
    as_greedy, set_up = SetUp(network, 1), SetUp(network, WAYS)
    game = Game(seats=seats, seed=11)
    for view in settlements(as_greedy_then(as_greedy), game):
        moves, wins = set_up.rated(view)
        for move, win in list(zip(moves.tolist(), wins, strict=True))[:: 3 if MACHINE_CODE else 8]:
            ways = [expected(game, move, network.weights, way) for way in range(WAYS)]
            assert win == pytest.approx(np.mean(ways), rel=1e-9)
            differ += len(set(ways)) > 2
        if not MACHINE_CODE:
            return
    assert differ


def as_greedy_then(set_up):
    """A policy that settles so and places its roads as `greedy` does."""
    return WithSetUp(set_up, Greedy())


def test_in_a_duel_the_other_seat_settles_by_value_alone(tmp_path):
    network = SetUpNetwork(save(tmp_path, 2), 2)
    view = Game(seats=2, seed=3).view(0)
    alone, several = (SetUp(network, ways).rated(view)[1] for ways in (1, WAYS))
    assert SetUp(network).rated(view)[1].tolist() == alone.tolist() != several.tolist()


@pytest.mark.parametrize("ways", [0, -1])
def test_the_other_seats_settle_in_one_way_at_least(ways, tmp_path):
    network = SetUpNetwork(save(tmp_path, 4), 4)
    with pytest.raises(ValueError, match=f"ways is {ways}; allowed are 1 or more"):
        SetUp(network, ways)


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


@pytest.mark.parametrize(("seats", "rules"), [(2, "duel"), (4, "base")])
def test_a_search_tries_the_settlements_that_the_network_rates_best(seats, rules):
    table = seats, rules == "base"
    search, ways = Search(seed=1, playouts=40), SET_UP_WAYS[seats] if MACHINE_CODE else 1
    set_up = SetUp(network_for(*table), ways)
    game = Game(seats=seats, rules=rules, seed=6)
    for view in settlements(Greedy(), game):
        moves, wins = set_up.rated(view)
        best, trial = np.argsort(-wins, kind="stable")[:TRIED], Trial(search, view)
        assert trial.candidates.tolist() == moves[best].tolist()
        assert trial._sums == pytest.approx(SET_UP_PRIOR * wins[best])
        assert trial._turns == SET_UP_TURNS[table]
        assert search.act(view) in trial.candidates
    view = game.view(game.seat)
    assert search.set_up_at(view) is None and Trial(search, view)._turns == seats * ROUNDS


def test_playouts_of_a_settlement_begin_where_the_others_have_settled_by_their_tastes():
    search, game, tried = Search(seed=1), Game(seats=4, seed=6), 0
    for view in settlements(Greedy(), game):
        trial = Trial(search, view)
        trial._turns = 0  # they stop after the first roll
        trial._sums[:] = 0
        trial.play(WORLDS)
        for move, total in zip(trial.candidates.tolist(), trial._sums, strict=True):
            known = [after_the_first_roll(game, move, n, trial._seed) for n in range(WORLDS)]
            assert total == pytest.approx(sum(known), rel=1e-9)
            tried += 1
        if not MACHINE_CODE:
            return
    assert tried == 8 * TRIED


def after_the_first_roll(game, move, n, seed):
    """The win probability there in world `n`, in whose way the other seats have settled."""
    end = ended(game, move, game.seat, n + 1)
    array = end._array
    array["seed"], array["draws"] = word_at(seed, n), ROLLS + PER_TURN * array["turn"]
    end.play(ROLL_ACTION)
    return probability(end, game.seat, net_for(4))


@pytest.mark.parametrize(("seats", "player_trade"), TABLES)
def test_at_other_tables_a_search_rates_settlements_like_any_move(seats, player_trade):
    view, table = Game(**table_of(seats, player_trade), seed=6).view(0), (seats, player_trade)
    assert (Search().set_up_at(view) is None) == (table not in SET_UP_TURNS)
    assert Guided().set_up_at(view) is None


def test_a_search_without_a_network_of_the_set_up_rates_settlements_like_any_move(monkeypatch):
    monkeypatch.setattr("catan_env.policies.search.search.network_for", lambda *_: None)
    view = Game(seats=4, seed=6).view(0)
    assert Search().set_up_at(view) is None
