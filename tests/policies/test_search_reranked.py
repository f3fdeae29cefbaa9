"""Search with a network: it rates the moves, and plays the searching seat in playouts."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Board, Game, Rules
from catan_env.core.actions import CITY_START, ROLL_ACTION, SETTLEMENT_START
from catan_env.core.state import doorway, new_states
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.policies.greedy import Greedy
from catan_env.policies.rerank import RerankNetwork, doors, save
from catan_env.policies.rerank.features import FEATURES, KIND_AT, kind_of
from catan_env.policies.search import Search, playouts
from catan_env.policies.search.search import PRIOR, Trial
from catan_env.policies.value.scratch import row, rows
from catan_env.policies.value.weights import calibration_for

SILENT = replace(Rules.base(), player_trade=False)
BUILT = "settlements", "cities"


@pytest.fixture(scope="module")
def network_of(tmp_path_factory):
    """A function that makes the network which adds `weights[feature]` to the log odds."""
    path = tmp_path_factory.mktemp("networks") / "network.npz"

    def network(weights):
        units, shares = np.zeros((FEATURES + 1, 2)), np.array([1.0, -1.0, 0.0])
        for feature, weight in weights.items():
            units[feature] = weight, -weight
        save(path, units, shares, 0, 4, False)
        return RerankNetwork(path)

    return network


def positions(seed=3, moves=150, least=2):
    """Views with at least that many legal actions, in a game of `greedy` with itself."""
    game, greedy = Game(seats=4, rules=SILENT, seed=seed), Greedy()
    for _ in range(moves):
        if game.is_over:
            return
        view = game.view(game.seat)
        if len(view.legal_actions) >= least:
            yield view
        game.play(greedy.act(view))


def searching_with(memory):
    """A search that uses this network at every table, and the game that its playouts end in."""
    search, games = Search(seed=2), new_states(playouts.WORLDS)
    search.network_at = lambda view: memory
    search._worlds = doorway(games)
    return search, games[playouts.FUTURE]


def test_playouts_with_a_network_that_adds_nothing_are_those_by_value(network_of):
    same, _ = searching_with(network_of({}).memory())
    plain, _ = searching_with(())
    for view in positions():
        one, other = Trial(same, view), Trial(plain, view)
        one.play(2)
        other.play(2)
        assert one.candidates.tolist() == other.candidates.tolist()
        assert one._sums == pytest.approx(other._sums, abs=1e-12)


@pytest.mark.skipif(not MACHINE_CODE, reason="an interpreted engine's games are not arrays")
def test_in_playouts_the_network_plays_the_searching_seat_and_no_other(network_of):
    """The network wants neither settlements nor cities; six of these at once leave no choice."""
    kinds = kind_of(SETTLEMENT_START), kind_of(CITY_START)
    search, end = searching_with(network_of({KIND_AT + kind: -60.0 for kind in kinds}).memory())
    built = np.zeros(4)
    for view in positions(moves=250, least=1):
        if view.viewer != 2 or not view.action_mask[ROLL_ACTION]:
            continue
        trial = Trial(search, view)
        trial.candidates, trial._sums = np.array([ROLL_ACTION]), np.zeros(1)
        for _ in range(4):
            trial.play(1)
            before = view._array[0]
            built += sum(end[name] != before[name] for name in BUILT)
    assert built[2] < 3 and built[[0, 1, 3]].min() > 9


def test_the_network_rates_the_moves_before_any_playout(network_of):
    """Computed here with NumPy."""
    network = network_of({3: 0.2, 20: -0.3, KIND_AT: 0.5})
    search, _ = searching_with(network.memory())
    slope, offset = calibration_for(4)
    for view in positions():
        moves, scores = search.candidates(view)
        log_odds, trial = np.clip(offset + slope * scores, -30, 30), Trial(search, view)
        inputs = np.zeros((len(moves), FEATURES))
        places = trial._weights, search._scratch.tries, search._scratch.vertex_scores
        written = inputs if MACHINE_CODE else rows(list(inputs))
        doors.write_siblings(view._states, 0, row(moves), row(log_odds), *places, written)
        units = np.maximum(inputs @ network.units[:-1] + network.units[-1], 0)
        wins = 1 / (1 + np.exp(-log_odds - units @ network.shares[:-1]))
        assert trial._sums == pytest.approx(PRIOR * np.sort(wins)[::-1])
        assert wins[moves == trial.candidates[0]] == pytest.approx(wins.max())


def test_a_move_that_wins_is_played_without_a_playout():
    game = Game.from_position(
        board=Board.beginner(),
        seats=4,
        turn_seat=1,
        cities={1: [0, 2, 4]},
        settlements={1: [8, 11, 14], 0: [18]},
        hands={1: (0, 2, 0, 3, 0)},
    )
    trial = Trial(Search(seed=1), game.view(1))
    assert trial.stages == 0 and len(trial.candidates) == 1
    game.play(Search(seed=1).act(game.view(1)))
    assert game.winner == 1


@pytest.mark.parametrize(("seats", "trade"), [(2, False), (2, True), (3, True), (4, False)])
def test_tables_of_three_and_four_seats_have_a_network(seats, trade):
    view = Game(seats=seats, rules=replace(Rules.base(), player_trade=trade), seed=1).view(0)
    search = Search()
    assert bool(search.network_at(view)) == (seats > 2)
    assert search.network_at(view) is search.network_at(view)
