"""Games played by other processes, here or as actors of Ray, for one network that learns."""

import multiprocessing.util
import tempfile

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from catan_env.training.actors import (  # noqa: E402
    ActorPool,
    LocalActor,
    RemoteActors,
    RolloutActor,
    part_of,
    remote_actors,
)
from catan_env.training.agent import Agent  # noqa: E402
from catan_env.training.decisions import Decisions  # noqa: E402
from catan_env.training.games import catan  # noqa: E402
from catan_env.training.metrics import Counts  # noqa: E402
from catan_env.training.networks import KINDS  # noqa: E402
from catan_env.training.opponents import LEARNER, Pool  # noqa: E402
from catan_env.training.self_play import Args, main  # noqa: E402

SMALL = {
    "num_envs": 9, "batch_size": 512, "minibatch_size": 64, "total_timesteps": 1024,
    "checkpoint_every": 1, "env_options": {"seats": 2, "rules": "duel", "max_turns": 400},
    "network_options": {"hidden": 16, "local": 4},
}  # fmt: skip
MEETS = {"opponents": ["random"], "opponent_fraction": 0.5, "past_selves": 2}
CONFIG = """
num_envs = 9
batch_size = 256
minibatch_size = 64
total_timesteps = 512
checkpoint_every = 1
opponents = ["random"]
opponent_fraction = 0.5
past_selves = 2
[env_options]
seats = 2
rules = "duel"
max_turns = 400
[network_options]
hidden = 16
local = 4
"""


def agent_of(args, games=9):
    return Agent(args, catan(games, seed=1, **args.env_options), "cpu")


def weights_of(agent):
    return {name: tensor.numpy() for name, tensor in agent.network.state_dict().items()}


def assert_equal(found, expected):
    for one, other in zip(found.columns(), expected.columns(), strict=True):
        np.testing.assert_array_equal(one, other)


def expected_of(args, agent, seed, folder, rollouts):
    """The games of a `LocalActor` with the agent's weights, seeded like one part of them."""
    batch = catan(args.num_envs, seed=seed, **args.env_options)
    pool = Pool(["random"])
    actor = LocalActor(args, agent, batch, pool, folder, seed)
    torch.manual_seed(seed)
    return [actor.collect(0) for _ in range(rollouts)], pool.ratings


def test_a_share_is_played_as_the_learner_would_play_it(tmp_path):
    args = Args(**SMALL, **MEETS)
    agent = agent_of(args)
    expected, ratings = expected_of(args, agent, 7, tmp_path, 2)
    share = RolloutActor(args, 7, {LEARNER: 1000.0, "random": 1000.0}, {})
    before = {LEARNER: 1000.0, "random": 1000.0}
    for k in range(2):
        played = share.collect(weights_of(agent), 0, before, {})
        assert_equal(played.decisions, expected[k])
        before = dict(share.pool.ratings)
    assert before == ratings != {LEARNER: 1000.0, "random": 1000.0}
    assert played.counts.ended > 0 and played.seconds > 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_share_is_played_by_the_weights_of_its_rollout(kind):
    widths = {"hidden": 12} | ({} if kind == "flat" else {"local": 4})
    args, ratings = Args(**SMALL | {"network": kind, "network_options": widths}), {LEARNER: 1000.0}
    first = RolloutActor(args, 7, ratings, {})
    before = {name: array.copy() for name, array in weights_of(first.agent).items()}
    first.collect(before, 0, ratings, {})
    state, after = first.state_dict(), {name: 1.5 * array for name, array in before.items()}
    found = first.collect(after, 0, ratings, {})
    fresh = RolloutActor(args, 7, ratings, {})
    fresh.load_state_dict(state)
    assert_equal(found.decisions, fresh.collect(after, 0, ratings, {}).decisions)


class Alone:
    """A share whose draws no other share in this process disturbs."""

    def __init__(self, *given):
        self.share = RolloutActor(*given)
        self.drawn = torch.get_rng_state()

    def collect(self, *given):
        torch.set_rng_state(self.drawn)
        played = self.share.collect(*given)
        self.drawn = torch.get_rng_state()
        return played


class Here:
    """An `ActorPool` in this process."""

    def __init__(self, kind, given, ray):
        self.actors = [kind(*one) for one in given]

    def call(self, name, *given):
        return [getattr(actor, name)(*given) for actor in self.actors]

    def close(self):
        """No-op."""


@pytest.mark.parametrize(("seats", "rules"), [(2, "duel"), (3, "base"), (4, "base")])
def test_ratings_move_by_every_game_of_every_process(seats, rules, tmp_path, monkeypatch):
    monkeypatch.setattr(remote_actors, "ActorPool", Here)
    args = Args(**SMALL | {"batch_size": 2048}, **MEETS | {"opponent_fraction": 1.0})
    args.env_options = args.env_options | {"seats": seats, "rules": rules, "trade": False}
    agent, pool, rated = agent_of(args), Pool(["random"]), Pool(["random"])
    actors = RemoteActors(args, agent, pool, tmp_path, seed=7, workers=3)
    actors.collect(0)
    results = actors.counts().results["random"]
    for won in results:
        rated.rate("random", seats - 1, won)
    assert pool.ratings == rated.ratings != {LEARNER: 1000.0, "random": 1000.0}
    actors.close()


class WithoutSeats:
    """A batch with the documented interface of an own game, which does not name its seats."""

    def __init__(self, num_games, seed, **given):
        self.batch = catan(num_games, seed=seed, trade=False)

    def __getattr__(self, name):
        if name in ("seats", "batch"):
            raise AttributeError(name)
        return getattr(self.batch, name)


def test_a_game_whose_batch_does_not_name_its_seats_is_played_elsewhere():
    env = {"env": f"{__name__}:WithoutSeats", "env_options": {}, "network": "flat", "shaping": ""}
    args = Args(**SMALL | env | {"network_options": {"hidden": 16}})
    share = RolloutActor(args, 7, {LEARNER: 1000.0}, {})
    assert share.collect(weights_of(share.agent), 0, {LEARNER: 1000.0}, {}).others == 0


@pytest.mark.nightly
def test_each_process_plays_its_share_by_the_weights_of_now(tmp_path):
    args = Args(**SMALL, **MEETS)
    agent, pool, rated = agent_of(args), Pool(["random"]), Pool(["random"])
    alike = [Alone(part_of(args, k, 2), 7 + k, pool.ratings, {}) for k in range(2)]
    actors = RemoteActors(args, agent, pool, tmp_path, seed=7, workers=2)
    try:
        for _ in range(3):
            played = [one.collect(weights_of(agent), 0, pool.ratings, {}) for one in alike]
            assert_equal(
                actors.collect(0), Decisions.concatenated([one.decisions for one in played])
            )
            counts = sum((one.counts for one in played), Counts())
            for won in counts.results.get("random", []):
                rated.rate("random", 1, won)
            assert pool.ratings == rated.ratings and actors.counts() == counts
            with torch.no_grad():
                for weights in agent.network.parameters():
                    weights *= 1.5
        assert actors.seconds > 0
    finally:
        actors.close()


def test_shares_are_all_the_games_and_decisions():
    args = Args(num_envs=10, batch_size=256, initial_weights="here alone.npz")
    parts = [part_of(args, k, 3) for k in range(3)]
    assert sum(part.num_envs for part in parts) == 10
    assert sum(part.batch_size for part in parts) == 256
    assert all(part.num_envs >= 3 and not part.initial_weights for part in parts)


@pytest.fixture(params=["processes", pytest.param("ray", marks=pytest.mark.nightly)])
def way(request):
    """The words that have the games played there."""
    if request.param == "processes":
        yield ["--workers", "2"]
        return
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ["--ray"]
    ray.shutdown()


def test_a_run_is_learned_from_games_played_elsewhere_and_gone_on_with(way, tmp_path):
    config, folder = tmp_path / "small.toml", tmp_path / "run"
    config.write_text(CONFIG)
    command = [str(config), str(folder), *way]
    main([*command, "--total-timesteps", "512"])
    begun = state(folder)
    main([*command, "--total-timesteps", "1024"])  # meets past selves, which lie here alone
    gone_on = state(folder)
    assert (begun["timesteps"], gone_on["timesteps"]) == (512, 1024)
    assert {"past_256.npz", "past_512.npz"} <= {path.name for path in folder.iterdir()}
    assert "past_1024.npz" in gone_on["ratings"]
    before, after = begun["network"], gone_on["network"]
    assert any(not torch.equal(before[name], after[name]) for name in before)


def state(folder):
    return torch.load(folder / "state.pt", map_location="cpu")


def test_past_selves_are_copied_to_one_folder_that_is_gone_after_the_run(tmp_path, monkeypatch):
    temporary, folder = tmp_path / "temporary", tmp_path / "run"
    temporary.mkdir()
    folder.mkdir()
    multiprocessing.util.get_temp_dir()  # for its sockets, whose paths must be short
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    args = Args(**SMALL, opponent_fraction=1.0, past_selves=2)
    agent = agent_of(args)
    agent.network.save(folder / "past_256.npz")
    pool = Pool(ratings={LEARNER: 1000.0, "past_256.npz": 1000.0})
    actors = RemoteActors(args, agent, pool, folder, seed=7, workers=2)
    try:
        copies = list(temporary.rglob("past_256.npz"))
        assert len(copies) == 2
        assert len({path.parent.parent for path in copies}) == 1
    finally:
        actors.close()
    assert not any(path.parent.parent.exists() for path in copies)


@pytest.mark.nightly
def test_a_past_self_is_met_by_games_played_elsewhere(tmp_path):
    args = Args(**SMALL, opponent_fraction=1.0, past_selves=2)
    agent = agent_of(args)
    agent.network.save(tmp_path / "past_256.npz")
    ratings = {LEARNER: 1000.0, "past_256.npz": 1000.0}
    share = RolloutActor(
        args, 7, ratings, {"past_256.npz": (tmp_path / "past_256.npz").read_bytes()}
    )
    counts = [share.collect(weights_of(agent), 0, ratings, {}).counts for _ in range(3)]
    assert any("past_256.npz" in one.results for one in counts)


class Odd:
    def __init__(self, word):
        if word == "bad":
            raise ValueError("it cannot be made of 'bad'")

    def fail(self):
        raise KeyError("nothing there")


def test_what_fails_in_another_process_fails_here():
    with pytest.raises(ValueError, match="made of 'bad'"):
        ActorPool(Odd, [("good",), ("bad",)])
    workers = ActorPool(Odd, [("good",)])
    try:
        with pytest.raises(KeyError, match="nothing there"):
            workers.call("fail")
    finally:
        workers.close()


@pytest.mark.parametrize("workers", [-1, 10])
def test_more_processes_than_games_are_refused_in_one_line(workers, tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG)
    with pytest.raises(SystemExit, match=rf"self_play: --workers is {workers}; .* 0\.\.9"):
        main([str(config), str(tmp_path / "run"), "--workers", str(workers)])


def test_an_error_of_another_process_is_reported_in_one_line(tmp_path):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG.replace('"random"', '"nemo"'))
    with pytest.raises(SystemExit, match=r"self_play: .*nemo"):
        main([str(config), str(tmp_path / "run"), "--workers", "2"])


def test_torchrun_and_workers_exclude_each_other(tmp_path, monkeypatch):
    config = tmp_path / "small.toml"
    config.write_text(CONFIG)
    monkeypatch.setenv("RANK", "0")
    with pytest.raises(SystemExit, match=r"self_play: .*no torchrun"):
        main([str(config), str(tmp_path / "run"), "--workers", "2"])
