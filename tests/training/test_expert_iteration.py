"""Search gives targets, the network learns from them, and plays with NumPy alone."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_equal

torch = pytest.importorskip("torch")

from catan_env.batch import STAY  # noqa: E402
from catan_env.policies.greedy import rank  # noqa: E402
from catan_env.policies.network import Network  # noqa: E402
from catan_env.training.expert_iteration import iterate, search  # noqa: E402
from catan_env.training.expert_iteration.iterate import Args, Run, main  # noqa: E402
from catan_env.training.expert_iteration.search import softmax  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.opponents import NONE  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
TABLE = {"seats": 2, "rules": "duel", "max_turns": 60}
SMALL = """
num_envs = 8
candidates = 2
worlds = 1
rounds = {rounds}
steps_per_round = 100
eval_games = 6
minibatch_size = {minibatch_size}
buffer_size = 5000
[env_options]
seats = 2
rules = "duel"
max_turns = 60
[network_options]
hidden = 16
local = 4
"""
TINY = Args(
    num_envs=4, candidates=2, worlds=1, steps_per_round=40, eval_games=4, env_options=TABLE,
    network_options={"hidden": 16, "local": 4}, minibatch_size=32,
    buffer_size=5000,
)  # fmt: skip
KILLED_WHILE_IT_LEARNS_IN_ROUND_2 = """
import os, signal, sys
from catan_env.training.expert_iteration import iterate

class Killed(iterate.Run):
    def _learn(self, with_policy):
        if self.curve:
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._learn(with_policy)

iterate.Run = Killed
iterate.main(sys.argv[1:])
"""


def written(folder, **changed):
    """The command's two arguments: a small configuration, and a folder to run in."""
    path = folder / "small.toml"
    path.write_text(SMALL.format(**{"rounds": 2, "minibatch_size": 32, **changed}))
    return [str(path), str(folder / "run")]


def measured(folder, rounds):
    """The curve that lies beside the weights of the last round."""
    curve = json.loads((folder / f"round_{rounds}.json").read_text())["curve"]
    assert [point["round"] for point in curve] == list(range(1, rounds + 1))
    return curve


def played(run):
    """A run after one more round."""
    run.round()
    run.checkpoint("a command")
    return run


def test_the_second_version_of_the_observation_is_learned_from(tmp_path):
    table = TABLE | {"observation_version": 2}
    args = replace(TINY, network="flat", network_options={}, env_options=table)
    run = Run(args, tmp_path)
    run.round()
    run.checkpoint("a command")
    again = Run(args, tmp_path)
    assert again.buffer.observations.shape[1] == 933
    assert_equal(again.buffer.observations, run.buffer.observations)


def test_each_round_writes_weights_that_play_and_what_was_measured(tmp_path):
    main(written(tmp_path))
    batch = catan(4, seed=1, **TABLE)
    actions = Network(tmp_path / "run" / "round_2.npz").act_batch(
        batch.observations, batch.action_masks
    )
    assert batch.action_masks[np.arange(4), actions].all()
    assert measured(tmp_path / "run", 2)[1]["decisions"] >= 200


@pytest.mark.parametrize("seed", [1, 2])
def test_no_round_is_measured_on_boards_that_are_learned_from(seed, tmp_path, monkeypatch):
    batches = []

    def watched(*given, **options):
        batches.append(catan(*given, **options))
        return batches[-1]

    monkeypatch.setattr(iterate, "catan", watched)
    run = Run(replace(TINY, seed=seed, rounds=4), tmp_path)
    learned = {*run.expert.batch.seeds.tolist()}
    for _ in range(4):
        run.round()
    measured_on = {number for batch in batches for number in batch.seeds.tolist()}
    assert len(measured_on) == 4 * TINY.eval_games and not measured_on & learned


def test_a_minibatch_without_a_known_result_does_not_hide_the_value_loss_of_the_others(tmp_path):
    run = Run(TINY, tmp_path)
    run.expert.record(run.args.steps_per_round)
    run.buffer.results[:] = np.nan
    assert np.isnan(run._learn(with_policy=True)[1])
    run.buffer.results[0] = 1.0
    assert run._learn(with_policy=True)[1] > 0


def test_the_policy_is_left_alone_while_only_the_value_learns(tmp_path):
    run = Run(replace(TINY, value_warmup_rounds=1), tmp_path)
    before = run.agent.network.arrays()["action"].copy()
    run.round()
    assert_equal(run.agent.network.arrays()["action"], before)
    run.round()
    assert (run.agent.network.arrays()["action"] != before).any()


def test_only_weights_that_the_policy_does_not_read_learn_the_value_alone(tmp_path):
    run = Run(TINY, tmp_path)
    before = {name: array.copy() for name, array in run.agent.network.arrays().items()}
    run.expert.record(run.args.steps_per_round)
    won = run.buffer.samples(np.arange(32))._replace(results=np.ones(32, np.float32))
    run._learn_from(won, with_policy=False)
    after = run.agent.network.arrays()
    changed = {name for name, array in before.items() if (array != after[name]).any()}
    assert changed == {"value", "value_bias"}


def test_the_same_command_goes_on_after_the_rounds_that_are_done(tmp_path, capsys):
    main(written(tmp_path, rounds=1))
    first = measured(tmp_path / "run", 1)
    main(written(tmp_path, rounds=3))
    whole = measured(tmp_path / "run", 3)
    assert_equal(whole[:1], first)
    assert np.diff([point["decisions"] for point in whole]).min() >= 100
    capsys.readouterr()
    main(written(tmp_path, rounds=3))
    assert capsys.readouterr().out.startswith("3 rounds, ")
    assert_equal(measured(tmp_path / "run", 3), whole)


def test_a_run_gone_on_with_has_what_the_last_round_left(tmp_path):
    run = played(Run(TINY, tmp_path))
    again = Run(replace(TINY, rounds=9), tmp_path)
    assert_equal(again.curve, run.curve)
    assert again.buffer.added == run.buffer.added
    for name, weights in run.agent.network.arrays().items():
        assert_equal(again.agent.network.arrays()[name], weights)
    for now, then in zip(again.optimizer.state.values(), run.optimizer.state.values(), strict=True):
        assert all(torch.equal(now[name], then[name]) for name in then)
    rows = np.arange(run.buffer.size)
    for now, then in zip(again.buffer.samples(rows), run.buffer.samples(rows), strict=True):
        assert_equal(now, then)


def test_a_run_gone_on_with_plays_other_games_and_draws_anew(tmp_path):
    def begun(folder):
        run = Run(TINY, folder)
        boards = {row.tobytes() for row in run.expert.batch.observations}
        generators = run._random, run.expert._random, run.expert.playouts._random
        return boards, [torch.rand(1).item(), *(draw.random() for draw in generators)]

    played(Run(TINY, tmp_path / "run"))
    boards, draws = begun(tmp_path / "run")
    first_boards, first_draws = begun(tmp_path / "another")
    assert not boards & first_boards
    assert all(np.not_equal(draws, first_draws))


@pytest.mark.nightly
def test_a_run_killed_in_its_second_round_plays_that_round_again(tmp_path):
    command = written(tmp_path)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_IT_LEARNS_IN_ROUND_2, *command],
        cwd=ROOT, capture_output=True, timeout=900,
    )  # fmt: skip
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    first = measured(tmp_path / "run", 1)
    main(command)
    assert_equal(measured(tmp_path / "run", 2)[:1], first)


def test_a_run_stopped_while_it_writes_its_state_has_the_one_before(tmp_path, monkeypatch):
    run = played(Run(TINY, tmp_path))
    save = torch.save

    def half(kept, file):
        save(kept, file)
        file.truncate(1000)
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(KeyboardInterrupt):
        played(run)
    assert len(Run(TINY, tmp_path).curve) == 1


def test_another_configuration_is_refused_in_one_line(tmp_path):
    main(written(tmp_path, rounds=1))
    with pytest.raises(SystemExit) as refused:
        main(written(tmp_path, minibatch_size=64))
    assert "was begun with minibatch_size = 32, which is now 64;" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_opponent_that_does_not_exist_is_refused_before_the_games(tmp_path):
    args = replace(TINY, opponents=["greedy", "nosuch"], opponent_fraction=0.01)
    with pytest.raises(ValueError, match="opponents: unknown policy 'nosuch'"):
        Run(args, tmp_path)


def test_by_playouts_against_rated_opponents_only_the_learners_decisions_are_searched(tmp_path):
    args = replace(
        TINY, opponents=["greedy"], opponent_fraction=0.5, steps_per_round=600, num_envs=3,
        env_options=TABLE | {"max_turns": 400},
    )  # fmt: skip
    run = Run(args, tmp_path)
    batch, opponents, searched = run.expert.batch, run.expert.opponents, []
    q_values = run.expert.playouts.q_values

    def noted(states, seats, actions):
        is_mine = (opponents._opponents == NONE) | (batch.seat == opponents._seats)
        assert len(seats) == (is_mine & (batch.action_masks.sum(axis=1) > 1)).sum()
        searched.extend(seats.tolist())
        return q_values(states, seats, actions)

    run.expert.playouts.q_values = noted
    run.round()
    assert len(searched) == run.buffer.added
    assert opponents.results()["greedy"], "games end, and others begin"
    run.checkpoint("as the test does")
    again = Run(args, tmp_path)
    assert again.expert.opponents.pool.ratings == run.pool.ratings
    assert again.pool.ratings["greedy"] != 1000


def searched_once(folder, **changed):
    """A run, and of one step of its games: rows, actions, their probabilities and their values."""
    run = Run(replace(TINY, num_envs=24, buffer_size=400, **changed), folder)
    expert, found = run.expert, []
    for _ in range(260):
        expert.batch.step(expert.batch.sample_legal())
    q_values = expert.playouts.q_values

    def noted(*asked):
        found.append(q_values(*asked))
        return found[-1]

    expert.playouts.q_values = noted
    rows = np.flatnonzero(expert.batch.action_masks.sum(axis=1) > 1)
    expert._decide(rows)
    kept = run.buffer.samples(np.arange(len(rows)))
    return run, rows, kept.actions, kept.probs, found[0]


def test_what_greedy_values_most_is_tried_first_and_each_action_once(tmp_path):
    run, rows, tried, *_ = searched_once(tmp_path, candidates=4, greedy_candidates=2)
    best = rank(run.expert.batch, 2)[0][rows]
    assert_equal(tried[:, :2], np.where(best == STAY, tried[:, :2], best))
    masks = run.expert.batch.action_masks[rows]
    for actions, mask in zip(tried.tolist(), masks, strict=True):
        assert mask[actions].all()
        assert len(set(actions)) == min(4, mask.sum())


@pytest.mark.parametrize("prior", [0.0, 0.5, 1.0])
def test_an_actions_share_follows_from_its_worth_and_in_part_from_the_networks_output(
    tmp_path, prior
):
    run, rows, tried, shares, worth = searched_once(tmp_path, candidates=3, prior_coef=prior)
    batch = run.expert.batch
    packed = np.packbits(batch.action_masks[rows], axis=1)
    outputs = run.agent.logits(batch.observations[rows], packed)
    three = batch.action_masks[rows].sum(axis=1) >= 3
    sums = prior * np.take_along_axis(outputs, tried, 1) + worth / TINY.temperature
    np.testing.assert_allclose(shares[three], softmax(sums[three]), atol=1e-3)
    assert three.any()


def test_where_the_network_is_sure_it_plays_and_nothing_is_searched(tmp_path):
    run = Run(replace(TINY, num_envs=24, search_threshold=0.3, buffer_size=400), tmp_path)
    expert, batch = run.expert, run.expert.batch
    for _ in range(260):
        batch.step(batch.sample_legal())
    rows = np.flatnonzero(batch.action_masks.sum(axis=1) > 1)
    packed = np.packbits(batch.action_masks[rows], axis=1)
    outputs = run.agent.logits(batch.observations[rows], packed)
    sure = softmax(outputs).max(axis=1) > 0.3
    played = expert._decide(rows)
    assert 0 < sure.sum() < len(rows)
    assert_equal(played[sure], outputs[sure].argmax(axis=1))
    assert run.buffer.added == (~sure).sum()
    kept = run.buffer.samples(np.arange(run.buffer.added))
    assert_equal(kept.observations, batch.observations[rows[~sure]])
    assert batch.action_masks[rows, played].all()


def test_a_threshold_of_zero_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([*written(tmp_path), "--search-threshold", "0"])
    (line,) = capsys.readouterr().err.splitlines()
    assert "search_threshold is 0.0; allowed are numbers above 0, up to 1" in line


def test_a_threshold_below_all_probabilities_ends_a_run_in_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(search, "MOST_UNSEARCHED", 300)
    with pytest.raises(SystemExit):
        main([*written(tmp_path), "--search-threshold", "0.001"])
    line = capsys.readouterr().err.splitlines()[-1]
    assert "none of 30" in line and "more probable than search_threshold, 0.001" in line


def test_more_candidates_than_actions_are_refused_before_the_games(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([*written(tmp_path), "--candidates", "309"])
    (line,) = capsys.readouterr().err.splitlines()
    assert "candidates is 309; allowed are 1..308, the actions of these games" in line
    Run(replace(TINY, candidates=308), tmp_path / "most").round()


def test_the_learning_rate_falls_to_what_is_to_be_left_in_the_last_round(tmp_path):
    args = replace(TINY, rounds=3, learning_rate=1e-3, final_learning_rate_fraction=0.1)
    run = Run(args, tmp_path)
    rates = []
    for _ in range(3):
        run.round()
        rates += {group["lr"] for group in run.optimizer.param_groups}
    assert rates == pytest.approx([1e-3, 5.5e-4, 1e-4])


def test_actions_without_a_share_get_none():
    assert softmax(np.array([[1.0, -np.inf, 1.0]])).tolist() == [[0.5, 0.0, 0.5]]
