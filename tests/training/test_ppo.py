"""Self-play learns, meets its pool, and goes on after it was killed."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("tensorboard")

from catan_env.policies.network import Network  # noqa: E402
from catan_env.training import strength  # noqa: E402
from catan_env.training.collect import (  # noqa: E402
    Collector,
    Collectors,
    Ends,
    Gathered,
    SpreadPPO,
    weights_of,
)
from catan_env.training.configuration import read  # noqa: E402
from catan_env.training.export import export  # noqa: E402
from catan_env.training.model import fresh_model  # noqa: E402
from catan_env.training.phase import Args, TrainingPhase, at_table, environments  # noqa: E402
from catan_env.training.pool import LEARNER, Pool  # noqa: E402
from catan_env.training.ppo import Run, main  # noqa: E402

SMALL = {
    "seats": 2, "rules": "duel", "max_turns": 6, "fixed": ["random"], "rollouts": 1,
    "num_envs": 4, "n_steps": 16, "batch_size": 32, "n_epochs": 1, "past_self_every": 2,
    "hidden": 8, "local": 4, "value": [8],
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]


def written(folder, **changed):
    lines = [f"{name} = {json.dumps(value)}" for name, value in {**SMALL, **changed}.items()]
    (folder / "small.toml").write_text("\n".join(lines))
    return str(folder / "small.toml")


def test_a_run_learns_by_itself_and_against_its_pool(tmp_path):
    main([written(tmp_path, steps=6 * 64), str(tmp_path / "run")])
    state = json.loads((tmp_path / "run" / "state.json").read_text())
    assert (state["phase"], state["steps"]) == (6, 6 * 64)
    selves = [name for name in state["pool"]["ratings"] if name.endswith(".npz")]
    assert [Path(name).stem for name in selves] == ["past_128", "past_256", "past_384"]
    assert list((tmp_path / "run").glob("ppo_*/events*"))
    card = (tmp_path / "run" / "final.md").read_text()
    assert "| seed | 1 |" in card and "| decisions | 384 in 6 phases |" in card
    assert Network(tmp_path / "run" / "final.npz").outputs(np.zeros((1, 913))).shape == (1, 848)


def killed(tmp_path, folder, *options):
    """A run that is killed when it has written where it stands, and what it said."""
    config = written(tmp_path, steps=10**9)
    command = [sys.executable, "-m", "catan_env.training.ppo", config, str(folder), *options]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        while not (folder / "state.json").exists():
            assert run.poll() is None
            time.sleep(0.2)
    finally:
        run.kill()
    return run.communicate(timeout=120)  # whoever plays for it holds the pipe, too, until it ends


def test_a_run_goes_on_after_it_was_killed(tmp_path):
    folder = tmp_path / "run"
    killed(tmp_path, folder)
    steps = json.loads((folder / "state.json").read_text())["steps"]
    again = Run(Args(**SMALL, steps=steps + 100), folder)
    assert (again.steps, again.model.num_timesteps) == (steps, steps)
    again.learn()
    assert again.steps == steps + 128


def test_those_who_play_for_a_learner_that_was_killed_end_too(tmp_path):
    killed(tmp_path, tmp_path / "run", "--workers", "1")


def test_a_run_is_not_gone_on_with_in_another_way(tmp_path):
    Run(Args(**SMALL, steps=64), tmp_path / "run").learn()
    with pytest.raises(ValueError, match=r"was begun with gamma = 0\.999, which is now 0\.5"):
        Run(Args(**SMALL, steps=128, gamma=0.5), tmp_path / "run")


def test_every_phase_and_every_collector_has_games_of_its_own(tmp_path, monkeypatch):
    args, met = Args(**SMALL, steps=128, self_play=1.0), []
    collect = SpreadPPO.collect_rollouts

    def watched(model, games, *rest):
        met.append(boards(games))
        return collect(model, games, *rest)

    monkeypatch.setattr(SpreadPPO, "collect_rollouts", watched)
    Run(args, tmp_path / "run").learn()
    for k, shown in enumerate(met):
        phase = TrainingPhase(args.seed + 10_000 * k, [])
        assert shown == boards(begun(environments(args, phase, args.num_envs)))
        parts = []
        for part in range(2):
            collector = Collector(args, part, 2)
            collector.begin(phase)
            parts += boards(collector._model.get_env())
        assert parts == shown
    assert len({str(board) for shown in met for board in shown}) == 2 * args.num_envs


def begun(games):
    """The games, begun anew by the seeds they were given, if any wait."""
    games.reset()
    return games


def boards(games):
    return [games.env_method("game", indices=[i])[0].board for i in range(games.num_envs)]


def test_a_clone_is_begun_from_and_its_policy_left_alone_at_first(tmp_path):
    clone = fresh_model(hidden=8, local=4, value=[8], seed=5)
    clone.save(tmp_path / "clone.zip")
    args = Args(**SMALL, clone=str(tmp_path / "clone.zip"), value_first=1, steps=64)
    model = Run(args, tmp_path / "run").learn()
    before, after = clone.policy.state_dict(), model.policy.state_dict()
    action = "mlp_extractor.weights.action"
    assert torch.equal(before[action], after[action])
    assert not torch.equal(before["value_net.weight"], after["value_net.weight"])


def test_a_pool_prefers_those_near_and_forgets_the_oldest():
    pool = Pool({LEARNER: 1500.0, "near": 1480.0, "far": 500.0}, most=2)
    picked = pool.pick(np.random.default_rng(1), 1000)
    assert 0 < picked.count("far") < 50 < picked.count("near")
    for k in range(3):
        pool.add(f"past_{k}.npz")
    assert [n for n in pool.ratings if n.endswith(".npz")] == ["past_1.npz", "past_2.npz"]
    for _ in range(100):
        pool.tell(["near"], won=False)
    assert pool.ratings["near"] > pool.ratings[LEARNER]


def test_a_seat_among_equals_is_rated_as_they_are():
    pool = Pool({LEARNER: 1000.0, "a": 1000.0, "b": 1000.0})
    for k in range(4000):
        pool.tell(["a", "b", "b"], won=k % 4 == 0)
    assert abs(pool.ratings[LEARNER] - 1000) < 30


def test_what_cannot_be_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([written(tmp_path), str(tmp_path / "run"), "--workers", "5"])
    assert "--workers is 5; allowed are 0..4" in capsys.readouterr().err
    fresh_model(hidden=16, local=4, value=[8]).save(tmp_path / "wide.zip")
    args = Args(**SMALL, clone=str(tmp_path / "wide.zip"))
    with pytest.raises(ValueError, match=r"has other widths \(mlp_extractor"):
        Run(args, tmp_path / "run")


def test_opponents_are_policies_by_name_and_past_selves_by_their_weights(tmp_path):
    export(fresh_model(hidden=8, local=4, value=[8]), tmp_path / "past_64.npz")
    names = ["random", "past_64.npz", "greedy"]
    phase = TrainingPhase(7, names, tmp_path)
    assert phase.policies == ["random", str(tmp_path / "past_64.npz"), "greedy"]
    games = environments(Args(num_envs=3, max_turns=20), phase, 3)
    games.reset()
    for _ in range(20):
        legal = games.env_method("action_masks")
        games.step(np.array([mask.argmax() for mask in legal]))


def test_the_games_of_a_phase_are_the_same_whoever_plays_a_part_of_them():
    args = Args(num_envs=4, max_turns=20)
    phase = TrainingPhase(7, ["random", "greedy", "random"])
    whole = played(environments(args, phase, 4))
    parts = [played(environments(args, phase, 2, first)) for first in (0, 2)]
    assert np.array_equal(whole, np.concatenate(parts, axis=1))


def played(games):
    """What the seat that learns is shown over 30 steps in each game: (30, n, ...)."""
    games.reset()
    shown = []
    for _ in range(30):
        legal = games.env_method("action_masks")
        shown.append(games.step(np.array([mask.argmax() for mask in legal]))[0])
    return np.array(shown)


def test_the_configurations_can_be_read(tmp_path):
    for path in (ROOT / "training" / "configs").glob("ppo_*.toml"):
        assert bool(read(Args, path).clone) == (path.stem != "ppo_nothing")
    (tmp_path / "odd.toml").write_text("stepps = 5\n")
    with pytest.raises(SystemExit, match=r"ppo: .* says stepps; allowed are seed"):
        main([str(tmp_path / "odd.toml"), str(tmp_path / "run")])


def test_processes_that_play_for_the_learner_play_all_its_games(tmp_path):
    args = Args(**SMALL, steps=3 * 64, self_play=0.0)
    collectors = Collectors(args, 2)
    try:
        run = Run(args, tmp_path / "run", collectors)
        before = {name: weight.clone() for name, weight in run.model.policy.state_dict().items()}
        run.learn()
    finally:
        collectors.close()
    assert run.steps == 3 * 64
    action = "mlp_extractor.weights.action"
    assert not torch.equal(before[action], run.model.policy.state_dict()[action])
    assert Run(args, tmp_path / "run").steps == run.steps  # and what it wrote can be gone on with


@pytest.mark.parametrize("opponents", [[], ["random"]], ids=["self-play", "one seat"])
def test_a_collector_plays_the_rollout_that_the_learner_would(opponents):
    args = Args(**SMALL)
    phase = TrainingPhase(7, opponents)
    games = environments(args, phase, args.num_envs)
    model = at_table(fresh_model(games, **{**args.options(), "seed": phase.seed}), games)
    ends = Ends()
    model._setup_learn(0, ends)
    weights = weights_of(model)
    torch.manual_seed(5)
    model.collect_rollouts(games, ends, model.rollout_buffer, args.n_steps)
    collector = Collector(args, 0, 1)
    collector.begin(phase)
    torch.manual_seed(5)
    columns, _ = collector.play(weights)
    (samples,) = model.rollout_buffer.get(None)
    for mine, theirs in zip(samples, columns, strict=True):
        assert np.array_equal(ordered(mine.numpy()), ordered(theirs))


def ordered(column):
    """The rows in an order of their own; a buffer shuffles them."""
    rows = column.reshape(len(column), -1)
    return rows[np.lexsort(rows.T)]


def test_what_was_gathered_is_learned_from_once(tmp_path):
    args = Args(**SMALL)
    parts = []
    for part in range(2):
        collector = Collector(args, part, 2)
        collector.begin(TrainingPhase(3, ["random"]))
        parts.append(collector.play(weights_of(fresh_model(**args.options())))[0])
    gathered = Gathered(parts)
    assert len(gathered.values) == args.num_envs * args.n_steps
    batches = list(gathered.get(10))
    assert sum(len(batch.actions) for batch in batches) == len(gathered.values)
    assert min(len(batch.actions) for batch in batches) > 1
    seen = np.sort(np.concatenate([batch.old_log_prob.numpy() for batch in batches]))
    assert np.array_equal(seen, np.sort(gathered.samples.old_log_prob.numpy()))


def test_rays_actors_play_for_the_learner(tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        main([written(tmp_path, steps=2 * 64), str(tmp_path / "run"), "--ray"])
    finally:
        ray.shutdown()
    assert json.loads((tmp_path / "run" / "state.json").read_text())["steps"] == 2 * 64


def test_a_runs_strength_is_measured_at_its_checkpoints(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    config, folder = written(tmp_path, steps=4 * 64), tmp_path / "run"
    main([config, str(folder)])
    curve, drawn = tmp_path / "strength.json", tmp_path / "curve.png"
    strength.main(
        [config, str(folder), *("--against", "random", "--games", "4"),
         *("--json", str(curve), "--plot", str(drawn))]
    )  # fmt: skip
    rows = json.loads(curve.read_text())["random"]
    assert [row["steps"] for row in rows] == [128, 256]
    assert "128 decisions" in capsys.readouterr().out
    assert drawn.stat().st_size > 1000
    with pytest.raises(SystemExit, match="no past_"):
        strength.main([config, str(tmp_path)])
