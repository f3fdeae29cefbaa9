"""The environments agree with the game and the batch."""

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from catan_env.guests.renaissance import Batch, Game, IllegalActionError
from catan_env.guests.renaissance.advised import AdvisedBatch
from catan_env.guests.renaissance.aec import raw_env
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.batch import CUT_OFF, ENDED, GOES_ON, REFUSED, STAY
from catan_env.guests.renaissance.network import WEIGHTS, Network
from catan_env.guests.renaissance.policies import Greedy, load_policy
from catan_env.guests.renaissance.single import RenaissanceEnv
from catan_env.guests.renaissance.vector import RenaissanceVectorEnv
from catan_env.policies.network import save
from tests.guests.renaissance.in_memory import House


def test_an_environment_with_a_list_of_opponents_passes_gymnasiums_checker() -> None:
    check_env(RenaissanceEnv(opponents=["greedy"] * 2), skip_render_check=True)


def test_gymnasium_knows_the_environment_by_name() -> None:
    one = gymnasium.make("catan_env:Renaissance-v0", opponents="greedy", seats=3)
    observation, _ = one.reset(seed=3)
    assert observation["observation"].shape == (886,) and one.unwrapped.seat in range(3)
    many = gymnasium.make_vec("catan_env:Renaissance-v0", num_envs=3)
    observations, _ = many.reset(seed=3)
    assert observations["action_mask"].sum(axis=1).tolist() == [6, 6, 6]


@pytest.mark.torch
def test_maskable_ppo_learns_with_the_environment_of_one_seat() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    model = contrib.MaskablePPO("MultiInputPolicy", RenaissanceEnv(), n_steps=32, batch_size=32)
    assert model.learn(64).num_timesteps == 64


@pytest.mark.parametrize(
    "options", [{}, {"opponents": ["greedy"]}, {"opponents": "greedy", "seats": 3}]
)
def test_a_game_of_the_vector_form_equals_the_single_environments(options: dict) -> None:
    singles = [RenaissanceEnv(max_rounds=40, **options) for _ in range(3)]
    many = RenaissanceVectorEnv(3, max_rounds=40, autoreset_mode="SAME_STEP", **options)
    shown, _ = many.reset(seed=[5, 6, 7])
    alone = [one.reset(seed=5 + i)[0] for i, one in enumerate(singles)]
    rng, going = np.random.default_rng(1), {0, 1, 2}
    while going:
        for i in going:
            for name in ("observation", "action_mask"):
                assert np.array_equal(shown[name][i], alone[i][name])
        actions = [int(rng.choice(np.flatnonzero(mask))) for mask in many.action_masks()]
        shown, rewards, terminated, truncated, infos = many.step(actions)
        for i in sorted(going):
            alone[i], reward, ended, _, info = singles[i].step(actions[i])
            assert (rewards[i], terminated[i]) == (reward, ended)
            if terminated[i] or truncated[i]:
                final = infos["final_obs"][i]
                assert np.array_equal(final["observation"], alone[i]["observation"])
                assert infos["final_info"]["reason"][i] == info["reason"]
                going.discard(i)


@pytest.mark.parametrize("illegal", ["penalty", "ignore", "raise"])
def test_the_vector_form_handles_illegal_actions_as_configured(illegal: str) -> None:
    many = RenaissanceVectorEnv(2, illegal=illegal)
    many.reset(seed=1)
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match="cannot play 95"):
            many.step([0, 95])
        return
    _, rewards, terminated, _, _ = many.step([0, 95])
    punished = illegal == "penalty"
    assert rewards.tolist() == [0.0, -1.0 if punished else 0.0]
    assert terminated.tolist() == [False, punished]


def test_the_vector_form_continues_with_random_opponents() -> None:
    many = RenaissanceVectorEnv(8, "random", seats=4, reward="points", autoreset_mode="SAME_STEP")
    ended = 0
    many.reset(seed=2)
    for _ in range(300):
        masks = many.action_masks()
        assert masks.any(axis=1).all()
        _, rewards, terminated, _, _ = many.step([int(np.flatnonzero(one)[-1]) for one in masks])
        ended += int(terminated.sum())
        assert (rewards[~terminated] == 0).all() and (rewards[terminated] != 0).all()
    assert ended > 5


def test_an_episode_is_the_game_of_its_seed() -> None:
    environment, game = raw_env(seats=3), Game(3, seed=11)
    environment.reset(seed=11)
    rng = np.random.default_rng(0)
    while environment.agents:
        observation, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        assert np.array_equal(observation["action_mask"], game.action_mask)
        assert np.array_equal(observation["observation"], game.observe(game.seat))
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        environment.step(action)
        game.play(action)
    assert game.is_over and environment.game == game


@pytest.mark.parametrize("seats", [1, 2, 4])
@pytest.mark.parametrize("reward", ["sparse", "points"])
def test_the_winner_gets_1_and_the_others_share_its_opposite(seats: int, reward: str) -> None:
    for seed in range(4):
        environment = raw_env(seats=seats, reward=reward)
        environment.reset(seed=seed)
        rng, got = np.random.default_rng(seed), dict.fromkeys(environment.agents, 0.0)
        while environment.agents:
            agent = environment.agent_selection
            observation, paid, terminated, truncated, _ = environment.last()
            got[agent] += paid
            over = terminated or truncated
            mask = observation["action_mask"]
            environment.step(None if over else int(rng.choice(np.flatnonzero(mask))))
        game = environment.game
        for seat, paid in enumerate(got.values()):
            base = 1.0 if game.winner == seat else -1.0 / max(seats - 1, 1)
            assert paid == pytest.approx(
                base + (game.scores()[seat] / 100 if reward == "points" else 0)
            )


def test_an_illegal_action_is_penalized_refused_or_ignored() -> None:
    for illegal in ("penalty", "ignore", "raise"):
        environment = raw_env(seats=2, illegal=illegal)
        environment.reset(seed=1)
        before = environment.game.copy()
        if illegal == "raise":
            with pytest.raises(IllegalActionError):
                environment.step(95)
            continue
        environment.step(95)
        assert environment.game == before
        assert environment.terminations["player_0"] == (illegal == "penalty")
        name = "reason" if illegal == "penalty" else "ignored"
        assert "allowed are" in environment.infos["player_0"][name]


def test_a_long_game_is_truncated() -> None:
    environment = RenaissanceEnv(max_rounds=2)
    environment.reset(seed=1)
    done = cut = False
    while not (done or cut):
        mask = environment.action_masks()
        _, reward, done, cut, _ = environment.step(int(np.flatnonzero(mask)[-1]))
    assert cut and reward == 0.0 and environment.game.round == 3


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_batch_plays_the_games_that_single_games_play(seats: int) -> None:
    batch = Batch(6, seats=seats, seed=5, threads=2)
    games = [Game(seats, int(seed)) for seed in batch.seeds]
    ends = 0
    for _ in range(400):
        actions = batch.sample_legal().copy()
        for i, game in enumerate(games):
            assert np.array_equal(batch.action_masks[i], game.action_mask)
            assert np.array_equal(batch.observations[i], game.observe(game.seat))
            assert batch.view(i, 0) == game.view(0)
            game.play(int(actions[i]))
        batch.step(actions)
        for i, game in enumerate(games):
            assert (batch.done[i] == ENDED) == game.is_over
            if game.is_over:
                ends += 1
                assert batch.winner[i] == game.winner and batch.rounds[i] == game.round
                assert batch.rewards[i].max() == 1.0 or seats == 1
                games[i] = Game(seats, int(batch.states["seed"][i]))
            else:
                assert not batch.rewards[i].any()
    assert ends > 3
    assert np.array_equal(batch.observe(np.zeros(6, np.int8)), [game.observe(0) for game in games])


def test_a_batch_refuses_stays_and_truncates() -> None:
    batch = Batch(2, seats=2, seed=1, max_rounds=3)
    before = batch.states.copy()
    batch.step([95, STAY])
    assert batch.done.tolist() == [REFUSED, 0] and (batch.states == before).all()
    seen = set()
    for _ in range(200):
        batch.step(batch.sample_legal())
        seen |= set(batch.done.tolist())
        assert not batch.rewards[batch.done != ENDED].any()
    assert CUT_OFF in seen
    with pytest.raises(ValueError, match="shape"):
        batch.step([1])


def test_finished_games_restart_on_request_as_they_do_in_the_step_that_ends_them() -> None:
    given = {"seats": 3, "seed": 5, "max_rounds": 8}
    alone, asked = Batch(40, **given), Batch(40, **given, autoreset=False)
    ended = set()
    for _ in range(400):
        actions = alone.sample_legal()
        for games in (alone, asked):
            games.step(actions)
        asked.reset_finished()
        ended |= set(alone.done.tolist())
        for name in ("states", "done", "rewards", "winner", "observations", "action_masks"):
            assert getattr(alone, name).tobytes() == getattr(asked, name).tobytes(), name
    assert ended == {GOES_ON, ENDED, CUT_OFF}


def test_any_number_of_threads_plays_the_same_games() -> None:
    one, two = (Batch(7, seats=3, seed=2, threads=threads) for threads in (1, 3))
    for _ in range(150):
        one.step(one.sample_legal())
        two.step(two.sample_legal())
    assert (one.states == two.states).all() and (one.observations == two.observations).all()


def test_greedy_nearly_always_beats_random() -> None:
    wins = sum(winner_of(seed) == seed % 2 for seed in range(30))
    assert wins >= 28


def winner_of(seed: int) -> int:
    """The winner of a game with greedy at seat `seed % 2`."""
    game = Game(2, seed)
    players = {seed % 2: Greedy(), 1 - seed % 2: load_policy("random", seed)}
    while not game.is_over and game.round <= 200:
        game.play(players[game.seat].act(game.view(game.seat)))
    return game.winner


@pytest.mark.parametrize("seats", [1, 2])
def test_the_shipped_network_plays_by_name_and_over_the_wire(seats: int) -> None:
    house = House(seats)
    agents = [Agent(name, load_policy("network"), seats) for name in ("ann", "bob")[:seats]]
    for agent in agents:
        house.connect(agent)
    house.run()
    assert all(agent.follower.is_over and not agent.refusals for agent in agents)


@pytest.mark.parametrize(("seats", "name"), [(1, "advised_solo"), (3, "advised")])
def test_the_shipped_networks_correct_greedy(seats: int, name: str) -> None:
    """They choose other actions now and then; `network` is the one for the number of seats."""
    network, game = Network(WEIGHTS / f"{name}.npz"), Game(seats, seed=2)
    shipped = load_policy("network")
    other = 0
    while not game.is_over:
        view = game.view(game.seat)
        assert shipped.act(view) == network.act(view)
        other += network.act(view) != Greedy().act(view)
        game.play(network.act(view))
    assert 0 < other < len(game.events)


def test_weights_of_other_shapes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.npz"
    save(path, [(np.zeros((5, 5)), np.zeros(5))] * 3, "relu", np.ones(5), game="renaissance")
    with pytest.raises(ValueError, match="5 numbers and 5 actions; this game has 886 and 96"):
        load_policy(str(path))
    with pytest.raises(ValueError, match="cannot read the weights"):
        load_policy(str(tmp_path / "none.npz"))


@pytest.mark.parametrize("widths", [(886, 96), (886, 8, 8, 8, 96)])
def test_a_network_of_any_number_of_layers_plays(tmp_path: Path, widths: tuple[int, ...]) -> None:
    chance = np.random.default_rng(4)
    layers = [(chance.normal(size=pair), np.zeros(pair[1])) for pair in pairwise(widths)]
    save(tmp_path / "net.npz", layers, "relu", np.ones(886, np.float32), game="renaissance")
    view = Game(2, seed=1).view(0)
    outputs = view.observation.astype(np.float32)
    for weight, bias in layers[:-1]:
        outputs = np.maximum(outputs @ weight + bias, 0)
    outputs = outputs @ layers[-1][0] + layers[-1][1]
    best = np.where(view.action_mask, outputs, -np.inf).argmax()
    assert load_policy(str(tmp_path / "net.npz")).act(view) == best


@pytest.mark.parametrize("choice", ["greedy", Greedy])
@pytest.mark.parametrize("kind", [Batch, AdvisedBatch])
def test_policies_of_the_game_play_in_a_batch(kind: type[Batch], choice: Any) -> None:
    games, greedy = kind(3, seats=2, seed=4), Greedy()
    player = pickle.loads(pickle.dumps(games.player(choice)))
    for _ in range(20):
        views = [games.view(i, int(games.seat[i])) for i in range(3)]
        chosen = player.choose(games, np.arange(3))
        assert chosen.tolist() == [greedy.act(view) for view in views]
        games.step(chosen)
    with pytest.raises(ValueError, match="unknown policy 'builder'; allowed are random, greedy"):
        games.player("builder")


def test_a_policy_is_a_name_a_class_or_a_function() -> None:
    view = Game(1, seed=1).view(0)
    assert load_policy("random", 3).act(view) in range(6)
    named = load_policy("catan_env.guests.renaissance.policies:Random")
    assert named.act(view) in range(6)
    for name in ("nobody", "no.such:Class", "catan_env.guests.renaissance.policies:Nobody"):
        with pytest.raises(ValueError, match="policy"):
            load_policy(name)
