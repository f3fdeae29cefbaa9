"""Guests in plain Python, as a user writes them, in self-play."""

import runpy
from dataclasses import dataclass

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tensorboard")

from gymnasium import spaces  # noqa: E402

from catan_env.adapters.learning import LearningBatch  # noqa: E402
from catan_env.adapters.plain import PlainEpisode  # noqa: E402
from catan_env.policies.network import read  # noqa: E402
from catan_env.training import self_play  # noqa: E402
from catan_env.training.actors import LocalActor  # noqa: E402
from catan_env.training.agent import Agent  # noqa: E402
from catan_env.training.batches import batch_of  # noqa: E402
from catan_env.training.networks import network_of  # noqa: E402
from catan_env.training.opponents import Pool  # noqa: E402
from catan_env.training.self_play import Args  # noqa: E402
from examples import fourth_game  # noqa: E402


class Game(fourth_game.Game):
    """Dice with other numbers in the observation."""

    dtype, factor = np.dtype(np.int8), 1.0

    def observe(self, seat):
        return (super().observe(seat) * self.factor).astype(self.dtype)


@dataclass(frozen=True, kw_only=True)
class Options(fourth_game.Options):
    max_turns: int | None = 100
    dtype: str = "int8"
    factor: float = 1.0

    def vector_space(self):
        return spaces.Box(0, max(1, self.factor), (9,), np.dtype(self.dtype))

    def new_episode(self, seed):
        game = Game(seed)
        game.dtype, game.factor = np.dtype(self.dtype), self.factor
        return PlainEpisode(game, ValueError)


def batch(num_games, *, seed=0, threads=1, **options):
    return LearningBatch(Options.of(options), num_games, seed, threads)


THEIRS = ["random", "examples.fourth_game:Random"]


def args_with(**options):
    return Args(
        env=f"{__name__}:batch", env_options=options, network="flat", shaping="", num_envs=8,
        num_steps=8, network_options={"hidden": 8},
    )  # fmt: skip


def test_weights_have_the_name_of_the_game_that_they_were_trained_to_play(tmp_path):
    agent = Agent.of(args_with(), "cpu")
    agent.network.save(tmp_path / "net.npz")
    assert str(read(tmp_path / "net.npz")["game"]) == __name__
    agent.network.load(tmp_path / "net.npz")


def test_options_name_the_game_wherever_their_module_is(tmp_path):
    """Run as a script its module is `__main__`, in which the weights are of the same game."""
    example = runpy.run_path(fourth_game.__file__)
    games = LearningBatch(example["Options"](), 2)
    network_of("flat", games, {"hidden": 8}).save(tmp_path / "net.npz")
    assert str(read(tmp_path / "net.npz")["game"]) == "dice"
    fourth_game.load(str(tmp_path / "net.npz"), 1)


@pytest.mark.parametrize(
    ("dtype", "factor"), [("int8", 1.0), ("int16", 300.0), ("float32", 0.25), ("float64", 0.25)]
)
def test_an_agent_learns_from_the_observations_that_it_acted_by(dtype, factor, tmp_path):
    args = args_with(dtype=dtype, factor=factor)
    agent, games = Agent.of(args, "cpu"), batch(8, seed=1, dtype=dtype, factor=factor)
    actor = LocalActor(args, agent, games, Pool(), tmp_path, 1)
    decisions = actor.collector.collect(agent.act)
    assert decisions.features.dtype == dtype
    assert set(np.unique(decisions.features)) == {0.0, factor}
    found = torch.from_numpy(decisions.features), torch.from_numpy(decisions.masks)
    with torch.no_grad():
        values = agent.forward(agent.network, *found)[1].numpy()
    np.testing.assert_allclose(values, decisions.values, atol=1e-5)


def test_opponents_are_policies_of_the_same_game(tmp_path):
    args = args_with()
    args.opponent_fraction, args.num_steps = 1.0, 32
    agent, pool = Agent.of(args, "cpu"), Pool(THEIRS)
    actor = LocalActor(args, agent, batch(8, seed=1), pool, tmp_path, 1)
    actor.collect(0)
    state = actor.state_dict()
    assert actor.counts().results.keys() == {*THEIRS}
    again = LocalActor(args, agent, batch(8, seed=2), Pool(THEIRS, dict(pool.ratings)), tmp_path, 2)
    again.load_state_dict(state)
    assert again.collector.opponents.met() == actor.collector.opponents.met()


def test_an_unknown_opponent_is_named(tmp_path):
    args, pool = args_with(), Pool(["greedy"])
    args.opponent_fraction = 1.0
    with pytest.raises(ValueError, match="unknown policy 'greedy'; allowed are random, module:Cl"):
        LocalActor(args, Agent.of(args, "cpu"), batch(8, seed=1), pool, tmp_path, 1)


def test_an_environment_is_not_taken_for_the_maker_of_a_batch():
    args = args_with()
    for place in ("examples.fourth_game:DiceEnv", "catan_env.envs.single:CatanEnv"):
        args.env = place
        expected = f"env = '{place}' is an environment; expected the maker of a batch"
        with pytest.raises(ValueError, match=expected):
            batch_of(args, 4)


@pytest.mark.parametrize("turn", [1, 8])
def test_a_run_whose_game_is_at_fault_ends_in_one_line(turn, tmp_path, capsys, monkeypatch):
    """Not as a fault of the network, and before the weights are spoilt."""
    totals = fourth_game.Options.totals

    def wrong(options, episode):
        return [float("nan")] * 3 if episode.played.turn >= turn else totals(options, episode)

    monkeypatch.setattr(fourth_game.Options, "totals", wrong)
    (tmp_path / "dice.toml").write_text(
        'env = "examples.fourth_game:batch"\nshaping = ""\nnetwork = "flat"\nnum_envs = 8\n'
        "total_timesteps = 100_000\nnum_steps = 8\n[network_options]\nhidden = 8\n"
    )
    with pytest.raises(SystemExit) as ended:
        self_play.main([str(tmp_path / "dice.toml"), str(tmp_path / "run")])
    assert str(ended.value).startswith("python -m catan_env.training.self_play: totals returned [n")
    assert ended.value.code == 2 and "Traceback" not in capsys.readouterr().err


def test_a_run_whose_games_cannot_be_pickled_says_so_and_why_it_resumes_with_new_ones(
    tmp_path, capsys, monkeypatch
):
    made = fourth_game.Options.new_episode

    def with_a_function(options, seed):
        episode = made(options, seed)
        episode.played.order = lambda die: die
        return episode

    monkeypatch.setattr(fourth_game.Options, "new_episode", with_a_function)
    options = ["--total-timesteps", "128", "--checkpoint-every", "1"]
    (tmp_path / "dice.toml").write_text(
        'env = "examples.fourth_game:batch"\nshaping = ""\nnetwork = "flat"\nnum_envs = 8\n'
        "num_steps = 8\n[network_options]\nhidden = 8\n"
    )
    given = [str(tmp_path / "dice.toml"), str(tmp_path / "run")]
    self_play.main([*given, *options])
    said = capsys.readouterr().err
    assert said.count("games cannot be pickled") == 1
    options[1] = "192"
    self_play.main([*given, *options])
    said = capsys.readouterr().err
    assert "resumed with new games: the checkpoint has none, which cannot be pickled (" in said
    assert "with_a_function.<locals>.<lambda>" in said


def test_a_run_in_which_no_game_ends_says_so_once(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(fourth_game.Game, "is_over", False)
    monkeypatch.setattr(fourth_game.Options, "is_too_long", lambda options, episode: False)
    monkeypatch.setattr(self_play, "ENDLESS", 20)
    (tmp_path / "dice.toml").write_text(
        'env = "examples.fourth_game:batch"\nshaping = ""\nnetwork = "flat"\nnum_envs = 8\n'
        "num_steps = 8\ntotal_timesteps = 512\n[network_options]\nhidden = 8\n"
    )
    monkeypatch.setattr(fourth_game.Game, "action_mask", np.array([1, 1, 0], np.int8))
    self_play.main([str(tmp_path / "dice.toml"), str(tmp_path / "run")])
    said = capsys.readouterr().err
    assert said.count("no game has ended in ") == 1 and "does the game have a limit?" in said
