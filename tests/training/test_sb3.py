"""Self-play learns, meets its pool, and resumes after it was killed."""

import json
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")
pytest.importorskip("tensorboard")

from stable_baselines3.common.logger import Logger  # noqa: E402
from tqdm import tqdm  # noqa: E402

from catan_env.policies.network import Network  # noqa: E402
from catan_env.training import curves  # noqa: E402
from catan_env.training.config import read  # noqa: E402
from catan_env.training.folder import only_run_in  # noqa: E402
from catan_env.training.opponents import LEARNER, Pool  # noqa: E402
from catan_env.training.sb3.export import export  # noqa: E402
from catan_env.training.sb3.model import fresh_model  # noqa: E402
from catan_env.training.sb3.train import (  # noqa: E402
    Args,
    Phase,
    Run,
    Scores,
    at_games,
    environments,
    main,
)

SMALL = {
    "seats": 2, "rules": "duel", "max_turns": 6, "opponents": ["random"], "rollouts_per_phase": 1,
    "num_envs": 4, "num_steps": 16, "minibatch_size": 32, "update_epochs": 1,
    "past_self_every": 2, "hidden": 8, "local": 4,
}  # fmt: skip
ROOT = Path(__file__).resolve().parents[2]


def written(folder, **changed):
    lines = [f"{name} = {json.dumps(value)}" for name, value in {**SMALL, **changed}.items()]
    (folder / "small.toml").write_text("\n".join(lines))
    return str(folder / "small.toml")


def test_a_run_learns_by_itself_and_against_its_pool(tmp_path):
    main([written(tmp_path, total_timesteps=6 * 64), str(tmp_path / "run")])
    state = json.loads((tmp_path / "run" / "state.json").read_text())
    assert (state["phase"], state["steps"]) == (6, 6 * 64)
    selves = [name for name in state["pool"]["ratings"] if name.endswith(".npz")]
    assert [Path(name).stem for name in selves] == ["past_128", "past_256", "past_384"]
    assert list((tmp_path / "run").glob("ppo_*/events*"))
    card = (tmp_path / "run" / "final.md").read_text()
    assert "| seed | 1 |" in card and "| decisions | 384 in 6 phases |" in card
    assert Network(tmp_path / "run" / "final.npz").outputs(np.zeros((1, 913))).shape == (1, 848)


@pytest.mark.parametrize("changed", [
    {"num_envs": 5, "num_steps": 13, "minibatch_size": 64}, {"minibatch_size": 1},
    {"num_envs": 1, "num_steps": 1},
])  # fmt: skip
def test_a_minibatch_of_one_decision_is_refused(changed, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main([written(tmp_path, **changed), str(tmp_path / "run")])
    (line,) = capsys.readouterr().err.splitlines()
    assert "minibatch_size is " in line and "one would be a minibatch alone" in line
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not find_spec("fcntl"), reason="this system has no such lock")
def test_a_second_run_in_a_folder_is_refused(tmp_path):
    folder = tmp_path / "run"
    with only_run_in(folder), pytest.raises(SystemExit, match="run: another run is in this"):
        main([written(tmp_path), str(folder)])
    assert [path.name for path in folder.iterdir()] == ["run.lock"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk")
def test_a_full_disk_ends_a_run_with_one_line(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "model_1.zip").symlink_to("/dev/full")
    with pytest.raises(SystemExit, match="run could not be written: No space left on device"):
        main([written(tmp_path), str(folder)])


def test_without_opponents_all_seats_learn_until_there_is_a_past_self(tmp_path):
    given = [written(tmp_path, total_timesteps=4 * 64), str(tmp_path / "run")]
    main([*given, "--self-play-fraction", "0", "--opponents"])
    state = json.loads((tmp_path / "run" / "state.json").read_text())
    assert state["phase"] == 4
    assert set(state["pool"]["ratings"]) == {LEARNER, "past_128.npz", "past_256.npz"}


@pytest.mark.parametrize("first", [[], ["random"]])
def test_phases_of_self_play_and_against_opponents_follow_in_any_order(first, tmp_path):
    run = Run(Args(**SMALL), tmp_path / "run")
    for names in (first, ["random"], [], [], ["random"]):
        at_games(run.model, environments(run.args, Phase(1, names)))
        run.model.learn(64, reset_num_timesteps=False)
    assert run.model.num_timesteps == 5 * 64


def test_each_phase_plays_other_games(tmp_path):
    """Eight decisions do not end a game, so those at the end of a phase are its first."""
    args = Args(**SMALL | {"num_steps": 8, "minibatch_size": 16}, self_play_fraction=1.0)
    run, boards = Run(args, tmp_path / "run"), []
    for _ in range(3):
        run.play_phase(tqdm(disable=True))
        boards += [str(run.model.get_env().game(i).board) for i in range(args.num_envs)]
    assert len(set(boards)) == len(boards) == 12


@pytest.mark.parametrize(
    ("reasons", "rating", "win_rate"),
    [
        (["win"], 1008, 1.0),
        (["loss"], 992, 0.0),
        (["turn limit"], 1000, 0.0),
        (["win", "turn limit"], 1008, 0.5),
    ],
)
def test_a_learner_that_wins_rises_above_its_opponent(reasons, rating, win_rate):
    """A game between equals moves eight of the 16 points, half of what is at stake."""
    model, pool = fresh_model(hidden=8, local=4), Pool(["random"])
    model.set_logger(Logger(None, []))
    scores = Scores(pool, ["random"], tqdm(disable=True))
    scores.init_callback(model)
    ended = [{"episode": {}, "reason": reason} for reason in reasons]
    scores.update_locals({"infos": [*ended, {}]})
    scores.on_step()
    scores.on_rollout_end()
    assert pool.ratings == {LEARNER: rating, "random": 2000 - rating}
    assert model.logger.name_to_value["opponents/win_rate"] == win_rate
    assert model.logger.name_to_value["opponents/elo_random"] == 2000 - rating


def killed(tmp_path, folder, *options):
    """A run that is killed when it has written where it stands, and what it said."""
    config = written(tmp_path, total_timesteps=10**9)
    command = [sys.executable, "-m", "catan_env.training.sb3.train", config, str(folder), *options]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        while not (folder / "state.json").exists():
            assert run.poll() is None
            time.sleep(0.2)
    finally:
        run.kill()
    return run.communicate(timeout=600)  # its children hold the pipe


class Ended(BaseException):
    """Ends a run where no part of it expects it, as a signal does."""


def test_a_run_that_ended_goes_on_after_its_last_phase(tmp_path, monkeypatch):
    def ending(run):
        if next(calls) == 5:
            raise Ended
        return checkpoint(run)

    checkpoint, calls, folder = Run.checkpoint, count(1), tmp_path / "run"
    with monkeypatch.context() as patched, pytest.raises(Ended):
        patched.setattr(Run, "checkpoint", ending)
        Run(Args(**SMALL, total_timesteps=10**9), folder).learn()
    assert_resumed(folder, 256)


@pytest.mark.nightly
def test_a_run_goes_on_after_it_was_killed(tmp_path):
    folder = tmp_path / "run"
    killed(tmp_path, folder)
    assert_resumed(folder, json.loads((folder / "state.json").read_text())["steps"])


def assert_resumed(folder, steps):
    again = Run(Args(**SMALL, total_timesteps=steps + 100), folder)
    assert (again.timesteps, again.model.num_timesteps) == (steps, steps)
    again.learn()
    assert again.timesteps == steps + 128


def test_a_run_is_not_gone_on_with_in_another_way(tmp_path):
    Run(Args(**SMALL, total_timesteps=64), tmp_path / "run").learn()
    with pytest.raises(ValueError, match=r"was begun with gamma = 0\.999, which is now 0\.5"):
        Run(Args(**SMALL, total_timesteps=128, gamma=0.5), tmp_path / "run")


def test_a_clone_is_begun_from_and_its_policy_left_alone_at_first(tmp_path):
    clone = fresh_model(hidden=8, local=4, seed=5)
    clone.save(tmp_path / "clone.zip")
    args = Args(
        **SMALL,
        initial_weights=str(tmp_path / "clone.zip"),
        value_warmup_phases=1,
        total_timesteps=64,
    )
    model = Run(args, tmp_path / "run").learn()
    before, after = clone.policy.state_dict(), model.policy.state_dict()
    action = "mlp_extractor.network.weights.action"
    value = "mlp_extractor.network.weights.value"
    assert torch.equal(before[action], after[action])
    assert not torch.equal(before[value], after[value])


def test_a_pool_prefers_those_near_and_forgets_the_oldest():
    pool = Pool(["near", "far"], {LEARNER: 1500.0, "near": 1480.0, "far": 500.0}, most=2)
    picked = pool.pick(np.random.default_rng(1), 1000)
    assert 0 < picked.count("far") < 50 < picked.count("near")
    for k in range(3):
        pool.add(f"past_{k}.npz")
    assert [n for n in pool.ratings if n.endswith(".npz")] == ["past_1.npz", "past_2.npz"]
    for _ in range(100):
        pool.update_ratings(["near"], won=False)
    assert pool.ratings["near"] > pool.ratings[LEARNER]


def test_a_seat_among_equals_is_rated_as_they_are():
    pool = Pool(["a", "b"])
    for k in range(4000):
        pool.update_ratings(["a", "b", "b"], won=k % 4 == 0)
    assert abs(pool.ratings[LEARNER] - 1000) < 30


def test_a_clone_of_other_widths_is_refused(tmp_path):
    fresh_model(hidden=16, local=4).save(tmp_path / "wide.zip")
    args = Args(**SMALL, initial_weights=str(tmp_path / "wide.zip"))
    with pytest.raises(ValueError, match=r"has other widths \(mlp_extractor"):
        Run(args, tmp_path / "run")


def test_opponents_are_policies_by_name_and_past_selves_by_their_weights(tmp_path):
    export(fresh_model(hidden=8, local=4), tmp_path / "past_64.npz")
    names = ["random", str(tmp_path / "past_64.npz"), "greedy"]
    games = environments(Args(num_envs=3, max_turns=20), Phase(7, names))
    games.reset()
    for _ in range(20):
        legal = games.env_method("action_masks")
        games.step(np.array([mask.argmax() for mask in legal]))


def test_only_a_past_self_is_looked_up_in_the_runs_folder(tmp_path, monkeypatch):
    export(fresh_model(hidden=8, local=4), tmp_path / "past_1.npz")
    monkeypatch.chdir(tmp_path)
    opponents = ["past_1.npz"]
    args = Args(**SMALL | {"opponents": opponents}, self_play_fraction=0.0, total_timesteps=128)
    Run(args, tmp_path / "run").learn()
    state = tmp_path / "run" / "state.json"
    before = json.loads(state.read_text())
    del before["pool"]["fixed"]  # as an earlier version wrote it
    state.write_text(json.dumps(before))
    again = Run(args, tmp_path / "run")
    assert again.pool.fixed == opponents and again.pool.past_selves == ["past_128.npz"]
    here = str(tmp_path.resolve() / "run" / "past_128.npz")
    assert [again._policy(name) for name in ("past_1.npz", "past_128.npz")] == ["past_1.npz", here]


@pytest.mark.parametrize("name", ["nosuch", "none.npz"])
def test_an_opponent_that_does_not_exist_is_refused_before_the_games(name, tmp_path, capsys):
    options = {"opponents": ["random", name], "self_play_fraction": 1.0, "total_timesteps": 64}
    with pytest.raises(SystemExit):
        main([written(tmp_path, **options), str(tmp_path / "run")])
    (line,) = capsys.readouterr().err.splitlines()
    assert "opponents: " in line and name in line
    assert not (tmp_path / "run" / "final.npz").exists()


def test_the_configurations_can_be_read(tmp_path):
    for path in (ROOT / "training" / "configs").glob("ppo_*.toml"):
        assert bool(read(Args, path).initial_weights) == (path.stem != "ppo_nothing")
    (tmp_path / "odd.toml").write_text("stepps = 5\n")
    with pytest.raises(
        SystemExit, match=r"sb3\.train: .* sets stepps, which is not an option; similar: num_steps"
    ):
        main([str(tmp_path / "odd.toml"), str(tmp_path / "run")])


@pytest.mark.filterwarnings("error:No artists")
def test_a_runs_strength_is_measured_at_its_checkpoints(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    config, folder = written(tmp_path, total_timesteps=4 * 64), tmp_path / "run"
    main([config, str(folder), "--max-turns", "90"])
    assert capsys.readouterr().out.startswith(f"256 decisions: {folder / 'final.npz'}\n")
    curve, drawn = tmp_path / "strength.json", tmp_path / "curve.png"
    curves.main(
        [config, str(folder), *("--against", "random", "--games", "4"),
         *("--json", str(curve), "--plot", str(drawn))]
    )  # fmt: skip
    rows = json.loads(curve.read_text())["random"]
    assert [row["steps"] for row in rows] == [128, 256]
    shown = capsys.readouterr().out
    assert "128 decisions" in shown and "up to 90 turns" in shown
    assert drawn.stat().st_size > 1000
    with pytest.raises(SystemExit, match="no past_"):
        curves.main([config, str(tmp_path)])


def test_a_run_that_lacks_a_file_is_refused_or_says_that_it_begins_again(tmp_path, capsys):
    folder = tmp_path / "run"
    command = [written(tmp_path, total_timesteps=2 * 64), str(folder)]
    main(command)
    state = (folder / "state.json").read_text()

    def refusal():
        capsys.readouterr()
        with pytest.raises(SystemExit):
            main(command)
        (line,) = capsys.readouterr().err.splitlines()
        return line

    (folder / "past_128.npz").rename(tmp_path / "past.npz")
    assert f"{folder / 'past_128.npz'}: it is missing" in refusal()
    (folder / "state.json").write_text(state[:30])
    assert f"{folder / 'state.json'}: it is damaged" in refusal()
    (folder / "state.json").write_text(state)
    (tmp_path / "past.npz").rename(folder / "past_128.npz")
    (folder / "model_0.zip").write_bytes((folder / "model_0.zip").read_bytes()[:5000])
    assert "model_0.zip" in refusal()
    (folder / "state.json").unlink()
    main(command)
    assert "it has final.npz but no state.json: the run begins again" in capsys.readouterr().err
