"""Self-play over a batch: each seat learns from its own decisions, and games outlast rollouts."""

import os
import subprocess
import sys
import time
from functools import partial
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from torch.distributed import TCPStore  # noqa: E402

from catan_env.batch import Batch  # noqa: E402
from catan_env.core.constants import DevelopmentCard  # noqa: E402
from catan_env.guests.hanabi.batch import Batch as HanabiBatch  # noqa: E402
from catan_env.guests.hanabi.remembering import RememberingBatch  # noqa: E402
from catan_env.guests.renaissance import Batch as RenaissanceBatch  # noqa: E402
from catan_env.kernel import lockstep  # noqa: E402
from catan_env.notation.whole_files import unfinished_of  # noqa: E402
from catan_env.policies.network import Network  # noqa: E402
from catan_env.training import curves, self_play  # noqa: E402
from catan_env.training.agent import (  # noqa: E402
    Agent,
    Choices,
    draw,
)
from catan_env.training.config import read  # noqa: E402
from catan_env.training.decisions import ENDED, OPEN  # noqa: E402
from catan_env.training.evaluate import Bout, evaluate  # noqa: E402
from catan_env.training.expert_iteration import iterate  # noqa: E402
from catan_env.training.folder import only_run_in  # noqa: E402
from catan_env.training.games import catan, lead  # noqa: E402
from catan_env.training.rollouts import Collector  # noqa: E402
from catan_env.training.self_play import Args, Run, main  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SMALL = """
num_envs = {games}
total_timesteps = {decisions}
batch_size = 256
minibatch_size = 128
checkpoint_every = 1
[env_options]
seats = 2
rules = "duel"
max_turns = 100
[network_options]
hidden = 16
local = 4
"""


def written(folder, decisions=512, games=16):
    path = folder / "small.toml"
    path.write_text(SMALL.format(decisions=decisions, games=games))
    return path


class Clerk:
    """Decides at random and keeps what it saw, by game and seat, as a slow reference."""

    def __init__(self, games):
        self.games, self.draw = games, np.random.default_rng(1)
        self.kept = {}

    def decide(self, observations, masks):
        legal = np.unpackbits(masks, axis=1)
        actions = np.where(legal == 1, self.draw.random(legal.shape), -1).argmax(axis=1)
        n = len(actions)
        values = self.draw.random(n).astype(np.float32)
        return Choices(actions, np.zeros(n, np.float32), values, np.zeros((n, 0)), observations)


def tables(seats=3, num_envs=8, batch_size=400, max_turns=30):
    args = Args(num_envs=num_envs, batch_size=batch_size)
    batch = catan(num_envs, seats=seats, rules="base", trade=False, seed=3, max_turns=max_turns)
    games = Collector(args, batch, batch.observations.shape[1])
    return games, Clerk(games)


def test_a_decision_is_followed_by_the_same_seats_next_one():
    games, clerk = tables()
    for _ in range(4):
        games.collect(clerk.decide)
        rollout = games.buffer
        later: dict[tuple[int, int], int] = {}
        for k in reversed(range(rollout.n)):
            stream = int(rollout.rows.games[k]), int(rollout.rows.seats[k])
            assert rollout.rows.next[k] in (later.get(stream, OPEN), ENDED)
            later[stream] = k
        assert (rollout.rows.next[: rollout.n] == ENDED).any()


def test_every_seat_is_paid_what_the_game_paid_it():
    games, clerk = tables(max_turns=2000)
    paid, won = 0.0, 0
    for _ in range(40):
        games.collect(clerk.decide)
        rollout = games.buffer
        last = np.flatnonzero(rollout.rows.next[: rollout.n] == ENDED)
        assert set(np.round(rollout.rows.rewards[last], 3)) <= {1.0, -0.5}
        others = rollout.rows.next[: rollout.n] >= 0
        assert not rollout.rows.rewards[: rollout.n][others].any()
        paid, won = (
            paid + rollout.rows.rewards[last].sum(),
            won + (rollout.rows.rewards[last] == 1).sum(),
        )
    assert won > 5
    assert paid == 0  # a winner's 1 is what the two others lose


def cards_and_points(states):
    """Points of every seat with those of its hidden cards: (n, 4)."""
    return states["points"] + states["cards"][:, :, DevelopmentCard.VICTORY_POINT]


def test_a_reward_function_reads_how_games_ended():
    won = []

    def watched(before, actions, batch):
        wins = np.flatnonzero(batch.done == lockstep.ENDED)
        won.extend(cards_and_points(batch.states)[wins, batch.winner[wins]].tolist())
        return (cards_and_points(batch.states) - cards_and_points(before)).astype(np.float32)

    games, clerk = tables(max_turns=2000)
    games.reward = watched
    for _ in range(20):
        games.collect(clerk.decide)
    assert len(won) > 5 and min(won) >= 10


@pytest.mark.parametrize("maker", [
    partial(catan, seats=3, max_turns=20, observation_version=2),
    partial(HanabiBatch, players=2), partial(RememberingBatch, players=2),
    partial(RenaissanceBatch, seats=2, max_rounds=8),
])  # fmt: skip
def test_a_reward_of_nothing_changes_no_game(maker):
    def collected(reward):
        batch = maker(8, seed=3)
        args = Args(num_envs=8, batch_size=400, shaping="")
        games = Collector(args, batch, batch.observations.shape[1])
        games.reward = reward
        clerk = Clerk(games)
        ended = 0
        for _ in range(6):
            found = games.collect(clerk.decide)
            ended += games.counts().ended
        return ended, found.columns()

    def nothing(before, actions, batch):
        return np.zeros(batch.rewards.shape, np.float32)

    (plain, expected), (ended, found) = collected(None), collected(nothing)
    assert ended == plain > 3
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


def is_late(batch):
    """A number that is not finite for the seats of a game in its third turn, else 0."""
    is_third = batch.states["turn"][:, None] == 3
    return np.where(is_third & (np.arange(4) < batch.seats), np.inf, np.float32(0))


def test_an_infinite_reward_of_one_game_ends_the_run_before_it_is_learned_from():
    games, clerk = tables()
    games.reward = lambda before, actions, batch: is_late(batch)
    with pytest.raises(ValueError, match=r"^reward_function: its number is inf for seat 0 of game"):
        games.collect(clerk.decide)
    assert np.isfinite(games._owed).all()


def test_an_infinite_potential_of_one_game_ends_the_run_before_it_is_learned_from():
    games, clerk = tables()
    games.potential = is_late
    with pytest.raises(ValueError, match=r"^shaping: its number is inf for seat 0 of game \d"):
        games.collect(clerk.decide)


def test_a_number_for_a_seat_beyond_the_table_does_not_matter():
    games, clerk = tables()
    nothing = np.where(np.arange(4) < 3, np.float32(0), np.nan)
    games.reward = lambda before, actions, batch: np.tile(nothing, (len(actions), 1))
    games.potential = lambda batch: np.tile(nothing, (len(batch.rewards), 1))
    found = [games.collect(clerk.decide).advantages for _ in range(3)]
    assert np.isfinite(np.concatenate(found)).all()


def test_a_reward_function_is_refused_where_games_cannot_wait_for_it():
    class Hasty:
        rewards = np.zeros((2, 2))

    with pytest.raises(ValueError, match=r"Hasty has no states, autoreset, reset_fini"):
        Collector(Args(reward_function="math:sqrt"), Hasty(), 4)


def test_what_is_still_open_is_learned_from_in_the_next_rollout():
    games, clerk = tables()
    learned = set()
    for _ in range(5):
        finished = games.collect(clerk.decide)
        rollout = games.buffer
        marks = {float(value) for value in finished.values}
        assert not learned & marks
        learned |= marks
        left = {
            float(v)
            for v in rollout.rows.values[: rollout.n][rollout.rows.next[: rollout.n] == OPEN]
        }
        games._carry_over()
        assert {float(v) for v in rollout.rows.values[: rollout.n]} == left


@pytest.mark.parametrize("batch_size", [1, 7, 8])
def test_a_rollout_has_a_finished_decision_however_short_it_is(batch_size):
    games, clerk = tables(batch_size=batch_size)
    for _ in range(60):
        assert len(games.collect(clerk.decide))


def test_a_run_with_short_rollouts_learns(tmp_path):
    few = ["--num-steps", "1", "--total-timesteps", "64"]
    main([str(written(tmp_path)), str(tmp_path / "run"), *few])
    assert torch.load(tmp_path / "run" / "state.pt")["timesteps"] == 64


def slow_advantages(rollout, gamma, gae_lambda):
    """By recursion along each seat's decisions."""

    def of(k):
        then = rollout.rows.next[k]
        if then == OPEN:
            return 0.0
        value, promised, more = 0.0, 0.0, 0.0
        if then != ENDED:
            value, promised, more = (
                rollout.rows.values[then],
                rollout.rows.potentials[then],
                of(then),
            )
        rise = gamma * promised - rollout.rows.potentials[k]
        error = rollout.rows.rewards[k] + rise + gamma * value - rollout.rows.values[k]
        return error + gamma * gae_lambda * more

    return [of(k) for k in range(rollout.n) if rollout.rows.next[k] != OPEN]


def test_advantages_are_those_of_a_slow_recursion():
    games, clerk = tables()
    for _ in range(3):
        games.collect(clerk.decide)
        finished = games.buffer.finished(0.98, 0.9)
        expected = slow_advantages(games.buffer, 0.98, 0.9)
        np.testing.assert_allclose(finished.advantages, expected, atol=1e-5)


def test_what_the_potential_promised_is_taken_back_when_the_game_ends():
    games, clerk = tables(batch_size=8000, max_turns=2000)
    games.collect(clerk.decide)
    rollout = games.buffer
    rollout.rows.values[:] = 0
    rows = np.flatnonzero(rollout.rows.next[: rollout.n] != OPEN)
    shaped = rollout.advantages(1.0, 1.0)[0][rows]
    potentials = rollout.rows.potentials.copy()
    rollout.rows.potentials[:] = 0
    plain = rollout.advantages(1.0, 1.0)[0][rows]
    following = rollout.rows.next.copy()
    ends = np.zeros(rollout.n, bool)
    for k in reversed(range(rollout.n)):
        ends[k] = following[k] == ENDED or (following[k] >= 0 and ends[following[k]])
    over = ends[rows]
    assert over.any() and potentials.any()
    np.testing.assert_allclose(shaped[over], (plain - potentials[rows])[over], atol=1e-4)


def test_the_lead_is_over_the_best_of_the_others():
    batch = Batch(1, seats=3)
    batch.states["points"][0, :3] = 4, 7, 2
    batch.states["cards"][0, 0, 4] = 1
    np.testing.assert_allclose(lead(batch)[0], [-0.2, 0.2, -0.5, 0], atol=1e-6)


def test_no_action_is_drawn_that_the_mask_leaves_out():
    outputs = torch.full((4000, 30), -1e9)
    outputs[:, [3, 17]] = torch.tensor([5.0, 4.0])
    drawn = draw(outputs)[:, 0]
    assert set(drawn.tolist()) == {3, 17}
    assert abs((drawn == 3).float().mean().item() - 1 / (1 + np.exp(-1))) < 0.03


@pytest.mark.parametrize("kind", ["pointer", "symmetric", "flat"])
def test_what_was_learned_plays_the_same_with_numpy_alone(kind, tmp_path):
    batch = catan(64, seats=2, rules="duel", seed=5)
    agent = Agent(Args(network=kind, network_options={"hidden": 18}), batch, "cpu")
    agent.network.working_type = torch.float32
    for _ in range(150):
        batch.step(batch.sample_legal())
    agent.network.save(tmp_path / "net.npz")
    observations = torch.from_numpy(batch.observations)
    with torch.no_grad():
        outputs, _ = agent.network(agent.network.features(observations))
    found = Network(tmp_path / "net.npz").outputs(batch.observations)[:, : outputs.shape[1]]
    np.testing.assert_allclose(found, outputs.numpy(), atol=5e-3)


@pytest.mark.parametrize("kind", ["pointer", "symmetric"])
def test_weights_without_offers_start_a_network_that_trades(kind, tmp_path):
    silent, trading = (catan(2, seats=2, rules=rules, seed=5) for rules in ("duel", "base"))
    given = Args(network=kind, network_options={"hidden": 18, "local": 4})
    before, after = (Agent(given, batch, "cpu").network for batch in (silent, trading))
    before.weights["action"].data.normal_(0, 0.1)
    before.save(tmp_path / "silent.npz")
    drawn = after.weights["action"].detach().clone()
    after.load(tmp_path / "silent.npz")
    loaded, plain = after.weights["action"].detach(), before.weights["action"].shape[-1]
    assert plain < loaded.shape[-1]
    np.testing.assert_allclose(loaded[:, :plain], before.weights["action"].detach(), atol=5e-3)
    assert torch.equal(loaded[:, plain:], drawn[:, plain:])


def test_packed_masks_come_out_as_they_went_in():
    batch = Batch(32, seats=2)
    agent = Agent(Args(network_options={"hidden": 8}), batch, "cpu")
    for _ in range(50):
        batch.step(batch.sample_legal())
    packed = torch.from_numpy(np.packbits(batch.action_masks, axis=1))
    assert (agent.unpacked(packed).numpy() == batch.action_masks).all()


def test_a_run_writes_its_past_selves_and_goes_on(tmp_path):
    config = written(tmp_path)
    main([str(config), str(tmp_path / "run")])
    first = torch.load(tmp_path / "run" / "state.pt")
    main([str(config), str(tmp_path / "run"), "--total-timesteps", "1024"])
    then = torch.load(tmp_path / "run" / "state.pt")
    assert (first["rollouts"], then["rollouts"]) == (2, 4)
    assert then["optimizer"]["state"][0]["step"] > first["optimizer"]["state"][0]["step"]
    names = {path.name for path in (tmp_path / "run").glob("*.npz")}
    assert set(curves.logged(tmp_path / "run")) == {"value loss", "entropy, nats"}
    assert names == {"final.npz", *(f"past_{n}.npz" for n in (256, 512, 768, 1024))}


def test_curves_are_of_the_games_that_the_run_played(tmp_path, capsys):
    config, folder = str(written(tmp_path)), tmp_path / "run"
    options = ["seats=3", "rules=base", "board=random_tokens", "max_turns=50", "trade=false"]
    main([config, str(folder), "--env-options", *options, "--seed", "7"])
    played = curves.Settings(3, "base", False, "random_tokens", 50, 7)
    assert curves.settings_of(config, folder) == played
    curves.main([config, str(folder), "--against", "random", "--games", "3", "--every", "2"])
    shown = capsys.readouterr().out.splitlines()
    table = "3 seats, rules base, board random_tokens, up to 50 turns, no trade between seats"
    assert shown[-2] == table and shown[-1].endswith("of 3 against random")
    assert curves.settings_of(config, tmp_path) == (2, "duel", True, "spiral", 100, 1)


def test_a_run_is_not_gone_on_with_by_other_settings(tmp_path):
    config = written(tmp_path)
    main([str(config), str(tmp_path / "run")])
    config.write_text(config.read_text().replace("minibatch_size = 128", "minibatch_size = 64"))
    with pytest.raises(SystemExit, match=r"self_play: .* was begun with minibatch_size = 128"):
        main([str(config), str(tmp_path / "run")])


def test_a_run_begun_before_there_was_a_setting_goes_on_with_its_default(tmp_path):
    config = written(tmp_path)
    main([str(config), str(tmp_path / "run")])
    state = tmp_path / "run" / "state.pt"
    begun = torch.load(state)
    del begun["args"]["control_variate_coef"], begun["args"]["opponents"]
    torch.save(begun, state)
    main([str(config), str(tmp_path / "run"), "--total-timesteps", "768"])
    assert torch.load(state)["rollouts"] == 3
    begun["args"]["no_longer_a_setting"] = 1
    torch.save(begun, state)
    with pytest.raises(SystemExit, match="by another version, with no_longer_a_setting, which"):
        main([str(config), str(tmp_path / "run")])


@pytest.mark.skipif(not find_spec("fcntl"), reason="this system has no such lock")
@pytest.mark.parametrize("program", [self_play, iterate])
def test_a_second_run_in_a_folder_is_refused(program, tmp_path):
    config = tmp_path / "empty.toml"
    config.write_text("")
    with only_run_in(tmp_path / "run"), pytest.raises(SystemExit, match="run: another run is in"):
        program.main([str(config), str(tmp_path / "run")])
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["run.lock"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk")
def test_a_full_disk_ends_a_run_with_one_line(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    unfinished_of(folder / "state.pt").symlink_to("/dev/full")
    full = "run could not be written: No space left on device; the same command resumes the run"
    with pytest.raises(SystemExit, match=full):
        main([str(written(tmp_path)), str(folder)])
    main([str(written(tmp_path)), str(folder)])
    assert torch.load(folder / "state.pt")["rollouts"] == 2


@pytest.mark.parametrize(
    ("options", "batch_size"),
    [((), 64), (("--num-steps", "2"), 16), (("--num-steps", "2", "--batch-size", "32"), 32)],
)
def test_num_steps_on_the_command_line_override_the_files_batch_size(options, batch_size, tmp_path):
    config = tmp_path / "small.toml"
    config.write_text("num_envs = 8\nbatch_size = 64\n")
    wanted = self_play.parser().parse_args([str(config), str(tmp_path / "run"), *options])
    assert self_play.args_of(wanted).batch_size == batch_size


@pytest.mark.nightly
def test_a_killed_run_goes_on(tmp_path):
    config, folder = written(tmp_path, decisions=10**9), tmp_path / "run"
    command = [sys.executable, "-m", "catan_env.training.self_play", str(config), str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 600
    while not (folder / "state.pt").exists():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.1)
    process.kill()
    process.wait()
    args = read(Args, config)
    run = Run(args, folder, "cpu", 1)
    assert run.rollouts >= 1
    args.total_timesteps = run.timesteps + 256
    run.learn()
    assert run.timesteps == args.total_timesteps


@pytest.mark.nightly
def test_it_learns_a_duel_within_seconds(tmp_path):
    config = tmp_path / "quick.toml"
    config.write_text(
        "num_envs = 256\ntotal_timesteps = 40_000\nbatch_size = 8_000\nminibatch_size = 1_000\n"
        "learning_rate = 2e-3\ncheckpoint_every = 99\n"
        '[env_options]\nseats = 2\nrules = "duel"\n[network_options]\nhidden = 64\nlocal = 16\n'
    )
    main([str(config), str(tmp_path / "run")])
    bout = Bout((str(tmp_path / "run" / "final.npz"), "random"), 200, rules="duel")
    won = evaluate(bout)["entrants"][0]["win_rate"]
    assert won > 0.55


def test_a_guests_weights_say_whose_they_are_and_catan_refuses_them(tmp_path):
    batch = HanabiBatch(4, players=2, seed=1)
    agent = Agent(Args(network="flat", network_options={"hidden": 8}), batch, "cpu")
    path = tmp_path / "net.npz"
    agent.network.save(path)
    with np.load(path) as file:
        assert (str(file["game"]), int(file["observation_version"])) == ("hanabi", 1)
        assert int(file["observation_size"]) == batch.observations.shape[1]
    with pytest.raises(ValueError, match="trained to play 'hanabi'"):
        Network(path)


def test_curves_are_copied_to_weights_and_biases(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    main([str(written(tmp_path)), str(tmp_path / "run"), "--wandb", "catan"])
    wandb.teardown()
    (kept,) = (tmp_path / "run" / "wandb").glob("offline-run-*-run/run-run.wandb")
    shown = kept.read_bytes()
    assert b"losses/entropy" in shown and b"games/forced_fraction" in shown


# A forked process cannot use CUDA, and torch's optimizers ask it even when they compute on the CPU.
QUICKEST = "fork" if hasattr(os, "fork") and not torch.cuda.is_available() else "spawn"


def learn_as(rank: int, port: int, command: list[str]) -> None:
    """Run the command as torchrun does in one of two processes."""
    names = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": 2, "MASTER_PORT": port}
    os.environ |= {name: str(number) for name, number in names.items()}
    os.environ |= {"MASTER_ADDR": "localhost", "TORCHELASTIC_USE_AGENT_STORE": "True"}
    main([*command, "--device", "cpu"])


def test_two_processes_learn_one_network(tmp_path):
    store = TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
    command, context = [str(written(tmp_path)), str(tmp_path / "run")], get_context(QUICKEST)
    given = [(rank, store.port, command) for rank in range(2)]
    processes = [context.Process(target=learn_as, args=each) for each in given]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
    assert [process.exitcode for process in processes] == [0, 0]
    state = torch.load(tmp_path / "run" / "state.pt")
    assert (state["rollouts"], state["timesteps"]) == (1, 512)


@pytest.mark.nightly
def test_torchruns_processes_learn_one_network(tmp_path):
    command = [
        *(sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"),
        *("-m", "catan_env.training.self_play", str(written(tmp_path)), str(tmp_path / "run")),
        *("--device", "cpu"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert "512 decisions" in done.stdout
    state = torch.load(tmp_path / "run" / "state.pt")
    assert (state["rollouts"], state["timesteps"]) == (1, 512)
