"""A network that reorders greedy's moves: exact, honest, and for its own tables."""

from dataclasses import replace

import numpy as np
import pytest

from catan_env import Action, Game, Rules
from catan_env.batch import Batch
from catan_env.core.actions import CITY_START, END_TURN_ACTION, OFFER_START, SETTLEMENT_START
from catan_env.core.doors import redact
from catan_env.core.state import doorway
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.lockstep import STAY
from catan_env.kernel.memory import copy_of
from catan_env.policies.greedy import Greedy
from catan_env.policies.rerank import Reranker, RerankNetwork, doors, save
from catan_env.policies.rerank.features import (
    FEATURES,
    KIND_AT,
    KINDS,
    LOG_ODDS_AT,
    OFFER_AT,
    TABLE_AT,
    kind_of,
)
from catan_env.policies.search import playouts
from catan_env.policies.value.doors import rank_actions
from catan_env.policies.value.scratch import Scratch, row, rows
from catan_env.policies.value.weights import calibration_for, weights_for
from catan_env.policy import check_policy, load_batched, load_policy

SILENT = replace(Rules.base(), player_trade=False)
UNITS = 8


@pytest.fixture(scope="module")
def nothing(tmp_path_factory):
    """A network that adds nothing to the log odds by value."""
    path = tmp_path_factory.mktemp("rerank") / "nothing.npz"
    save(path, np.zeros((FEATURES + 1, UNITS)), np.zeros(UNITS + 1), 0, 4, False)
    return path


@pytest.fixture(scope="module")
def something(tmp_path_factory):
    """A network of random weights, which often disagrees with `greedy`."""
    path = tmp_path_factory.mktemp("rerank") / "something.npz"
    draw = np.random.default_rng(3)
    units, shares = draw.normal(size=(FEATURES + 1, UNITS)), draw.normal(size=UNITS + 1)
    save(path, units / 10, shares, 0.01, 4, False)
    return path


def positions(policy, seed=1, moves=300):
    """Views of the acting seat in a game of that policy against itself, with the game."""
    game = Game(seats=4, rules=SILENT, seed=seed)
    for _ in range(moves):
        if game.is_over:
            return
        view = game.view(game.seat)
        yield game, view
        game.play(policy.act(view))


def test_a_network_that_adds_nothing_plays_as_greedy_does(nothing):
    greedy, policy = Greedy(), Reranker(nothing)
    for _, view in positions(greedy):
        assert policy.act(view) == greedy.act(view)


def test_another_move_needs_a_win_probability_higher_by_the_margin(something):
    """Computed here with NumPy, from the inputs of greedy's six best moves."""
    policy, network, scratch = Reranker(something), RerankNetwork(something), Scratch()
    slope, offset = calibration_for(4)
    close = 0
    for _, view in positions(Greedy(), moves=200):
        moves, values = np.zeros((1, doors.CANDIDATES), np.int64), np.zeros((1, doors.CANDIDATES))
        rank_actions(view._states, row(weights_for(4)), *scratch.memory, moves, values, 0, 1)
        there = moves[0] != STAY
        siblings, log_odds = moves[0][there], np.clip(offset + slope * values[0][there], -30, 30)
        inputs = np.zeros((len(siblings), FEATURES))
        places = row(weights_for(4)), scratch.tries, scratch.vertex_scores
        seen = inputs if MACHINE_CODE else rows(list(inputs))
        doors.write_siblings(view._states, 0, row(siblings), row(log_odds), *places, seen)
        units = np.maximum(inputs @ network.units[:-1] + network.units[-1], 0)
        added = units @ network.shares[:-1] + network.shares[-1]
        wins = 1 / (1 + np.exp(-np.clip(log_odds + added, -30, 30)))
        best, wins[0] = wins.argmax(), wins[0] + network.margin
        close += best != wins.argmax()
        if len(siblings) > 1:
            assert policy.act(view) == siblings[wins.argmax()]
    assert close > 0, "the margin decided nothing"


def test_hidden_cards_change_no_choice(something):
    policy = Reranker(something)
    for game, view in positions(Greedy(), seed=2, moves=200):
        other = game.copy()
        states = copy_of(view._array)
        playouts.deal(doorway(states), 0, 77)
        for name in ("hand", "cards", "deck", "seed"):
            other._array[name] = states[name]
        assert policy.act(other.view(game.seat)) == policy.act(view)


def test_many_games_are_played_as_each_is(something):
    policy, batched = load_policy(str(something)), load_batched(str(something))
    batch = Batch(5, seats=4, rules=SILENT, seed=5)
    for _ in range(200):
        chosen = batched.choose(batch, np.array([1, 2, 4]))
        for i, action in zip((1, 2, 4), chosen.tolist(), strict=True):
            seen = copy_of(batch.states[i : i + 1])
            redact(doorway(seen), 0, int(seen["seat"][0]))
            alone = np.zeros(1, np.int64)
            memory = *policy._memory, *policy._scratch.memory
            doors.choose_reranked(doorway(seen), *memory, row(alone), 0, 1)
            assert action == alone[0]
        batch.play(batched.choose(batch, np.arange(5)))


def test_games_that_are_not_asked_for_keep_their_masks(something):
    batch = Batch(3, seats=4, rules=SILENT, seed=5)
    before = batch.masks.copy()
    load_batched(str(something)).choose(batch, np.array([1]))
    assert (batch.masks == before).all()


def test_each_feature_is_of_the_position_after_the_action():
    game = Game(seats=4, rules=SILENT, seed=4)
    for _, view in positions(Greedy(), seed=4, moves=150):
        actions = view.legal_actions.indices[:5].astype(np.int64)
        log_odds = np.linspace(-1, 1, len(actions))
        inputs = np.full((len(actions), FEATURES), 9.0)
        scratch = Scratch()
        doors.write_siblings(
            view._states, 0, row(actions), row(log_odds), row(weights_for(4)), scratch.tries,
            scratch.vertex_scores, rows(list(inputs)) if not MACHINE_CODE else inputs,
        )  # fmt: skip
        assert (inputs[:, LOG_ODDS_AT] == log_odds).all()
        kinds = inputs[:, KIND_AT : KIND_AT + KINDS]
        assert (kinds.sum(axis=1) == 1).all()
        assert kinds.argmax(axis=1).tolist() == [kind_of(action) for action in actions.tolist()]
        for action, seen in zip(actions.tolist(), inputs, strict=True):
            if action == END_TURN_ACTION:
                assert seen[TABLE_AT] == 0 and seen[TABLE_AT + 1] == view.turn + 1
            if SETTLEMENT_START <= action < CITY_START:
                assert seen[7] == view.pieces(view.viewer)[1] - 1
    assert game.turn == 0


def test_an_offer_is_described_by_what_the_seat_would_gain_and_the_seat_asked():
    """Every offer of a decision, to each seat, for one to three cards."""
    scratch, seen = Scratch(), set()
    for seed in range(3):
        game = Game(seats=4, rules=Rules.base(), seed=seed)
        for _ in range(300):
            view = game.view(game.seat)
            legal = view.legal_actions.indices
            offers = legal[legal >= OFFER_START].astype(np.int64)
            inputs = np.full((len(offers), FEATURES), 9.0)
            places = row(weights_for(4)), scratch.tries, scratch.vertex_scores
            rows_of = rows(list(inputs)) if not MACHINE_CODE else inputs
            doors.write_siblings(
                view._states, 0, row(offers), row(np.zeros(len(offers))), *places, rows_of
            )
            for action, found in zip(offers.tolist(), inputs[:, OFFER_AT:KIND_AT], strict=True):
                to, give, get = Action.from_index(action).args
                gained = np.array(get) - give
                assert found.tolist() == [*gained, *(to == step for step in (1, 2, 3))]
                seen.add((to, sum(give), sum(get)))
            game.play(Greedy().act(view))
    assert len(seen) == 27


@pytest.mark.parametrize(("seats", "trade"), [(3, False), (4, True)])
def test_a_table_of_another_kind_is_refused(something, seats, trade):
    rules = replace(Rules.base(), player_trade=trade)
    with pytest.raises(ValueError, match=r"the network is for 4 seats without trade between them"):
        Reranker(something).act(Game(seats=seats, rules=rules).view(0))
    with pytest.raises(ValueError, match="the network is for 4 seats"):
        load_batched(str(something)).choose(Batch(1, seats=seats, rules=rules), np.array([0]))


@pytest.mark.parametrize(
    ("units", "shares", "reason"),
    [
        (np.zeros((3, 2)), np.zeros(3), "arrays of shapes"),
        (np.zeros((FEATURES + 1, 2)), np.zeros(2), "arrays of shapes"),
        (np.full((FEATURES + 1, 2), np.nan), np.zeros(3), "not finite"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(tmp_path, units, shares, reason):
    marks = {"kind": "rerank", "seats": 4, "player_trade": False, "margin": 0.0}
    np.savez(tmp_path / "wrong.npz", units=units, shares=shares, **marks)
    with pytest.raises(ValueError, match=rf"wrong\.npz.*{reason}"):
        check_policy(str(tmp_path / "wrong.npz"))


@pytest.mark.parametrize("weight", [np.nan, np.inf, 1e39])
def test_a_network_is_not_saved_with_a_number_that_is_not_finite_as_float32(tmp_path, weight):
    units = np.full((FEATURES + 1, 2), weight)
    with pytest.raises(ValueError, match="a weight is not finite"):
        save(tmp_path / "net.npz", units, np.zeros(3), 0.0, 4, False)
    for shares, margin in ((np.full(3, weight), 0.0), (np.zeros(3), np.nan)):
        with pytest.raises(ValueError, match="a weight is not finite"):
            save(tmp_path / "net.npz", np.zeros((FEATURES + 1, 2)), shares, margin, 4, False)
    assert not (tmp_path / "net.npz").exists()


def test_a_network_survives_its_file(tmp_path):
    draw = np.random.default_rng(1)
    units = draw.normal(size=(FEATURES + 1, 3)).astype(np.float32)
    shares = draw.normal(size=4).astype(np.float32)
    save(tmp_path / "net.npz", units, shares, 0.02, 2, True)
    found = RerankNetwork(tmp_path / "net.npz")
    assert (found.units == units).all() and (found.shares == shares).all()
    assert (found.seats, found.player_trade, found.margin) == (2, True, 0.02)
