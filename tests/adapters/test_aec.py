"""The promises of the PettingZoo environment."""

import copy
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test

from catan_env.adapters.aec import OrderEnforced
from tests.adapters.games import GameUnderTest, action_of, illegal_in


def test_pettingzoos_checkers_pass(game_of_any_size: GameUnderTest) -> None:
    def made() -> OrderEnforced:
        return OrderEnforced(game_of_any_size.made("aec"))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(made(), num_cycles=300)
        seed_test(made, num_cycles=100)


def test_nothing_can_be_seen_of_a_game_before_a_reset(game: GameUnderTest) -> None:
    environment = game.made("aec")
    for seen in (
        lambda: environment.game, lambda: environment.view("player_0"), environment.last,
        lambda: environment.observe("player_0"), lambda: environment.step(0), environment.render,
    ):  # fmt: skip
        with pytest.raises(ResetNeeded, match=r"no episode has begun: call reset\(\)"):
            seen()
    environment.reset(seed=1)
    assert environment.view("player_0") and environment.game


def test_an_episode_is_the_game_of_its_seed(game: GameUnderTest) -> None:
    environment, episode = game.made("aec", illegal="raise"), game.new_game(11)
    environment.reset(seed=11)
    chance, totals = np.random.default_rng(0), dict.fromkeys(environment.possible_agents, 0.0)
    while environment.agents:
        agent = environment.agent_selection
        observation, reward, terminated, truncated, info = environment.last()
        totals[agent] += reward
        if terminated or truncated:
            assert info["reason"] and not observation["action_mask"].any()
            environment.step(None)
            continue
        assert agent == f"player_{episode.seat}"
        for other in environment.agents:
            seat, seen = environment.possible_agents.index(other), environment.observe(other)
            assert (seen["observation"] == episode.observation(seat)).all()
            assert seen["action_mask"].any() == (other == agent)
        assert (observation["action_mask"] == episode.action_mask()).all()
        action = action_of(observation["action_mask"], chance)
        environment.step(action)
        episode.play(action)
    assert episode.is_over
    expected = environment.options.totals(episode)
    assert list(totals.values()) == pytest.approx(list(expected))


def test_an_illegal_action_costs_one_and_ends_the_seats_episode(game: GameUnderTest) -> None:
    environment = game.made("aec")
    environment.reset(seed=1)
    agent = environment.agent_selection
    environment.step(illegal_in(environment.last()[0]["action_mask"]))
    assert environment.rewards[agent] == -1.0 and environment.terminations[agent]
    assert environment.infos[agent]["reason"].startswith("illegal action: ")
    assert not environment.observe(agent)["action_mask"].any()
    others = [other for other in environment.agents if other != agent]
    assert all(environment.rewards[other] >= 0 for other in others)


def test_an_illegal_action_is_ignored_or_raised(game: GameUnderTest) -> None:
    environment = game.made("aec", illegal="ignore")
    environment.reset(seed=1)
    agent, before = environment.agent_selection, environment.last()[0]
    environment.step(illegal_in(before["action_mask"]))
    assert environment.agent_selection == agent and not any(environment.rewards.values())
    assert isinstance(environment.infos[agent]["ignored"], str)
    assert (environment.observe(agent)["observation"] == before["observation"]).all()
    environment = game.made("aec", illegal="raise")
    environment.reset(seed=1)
    with pytest.raises(environment.options.illegal_error):
        environment.step(illegal_in(before["action_mask"]))
    for action in (1.0, True):
        with pytest.raises(TypeError, match="an action is one integer"):
            environment.step(action)


def test_a_limit_truncates_all(game: GameUnderTest) -> None:
    environment = game.made("aec", **{game.limit: 2})
    for seed in range(20):
        environment.reset(seed=seed)
        chance = np.random.default_rng(seed)
        while not any((environment.terminations | environment.truncations).values()):
            environment.step(action_of(environment.last()[0]["action_mask"], chance))
        if any(environment.truncations.values()):
            assert all(environment.truncations.values())
            reasons = {info["reason"] for info in environment.infos.values()}
            assert reasons == {"turn limit"}
            return
    raise AssertionError("no game reached the limit")


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_a_copy_has_the_same_future(game: GameUnderTest, way: Any) -> None:
    environment = game.made("aec")
    environment.reset(seed=4)
    other, chance = way(environment), np.random.default_rng(2)
    for _ in range(12):
        if environment._has_ended(environment.agent_selection):
            break
        action = action_of(environment.last()[0]["action_mask"], chance)
        environment.step(action)
        other.step(action)
        assert environment.agent_selection == other.agent_selection
        ours, theirs = environment.last()[0], other.last()[0]
        assert (ours["observation"] == theirs["observation"]).all()
        assert environment.rewards == other.rewards


def test_the_game_and_the_views_are_copies(game: GameUnderTest) -> None:
    environment = OrderEnforced(game.made("aec"))
    environment.reset(seed=5)
    mask = environment.last()[0]["action_mask"]
    environment.game.play(int(np.flatnonzero(mask)[0]))
    view = environment.view(environment.agent_selection)
    assert (np.asarray(view.action_mask) == mask).all()
    assert (environment.last()[0]["action_mask"] == mask).all()


def test_an_unknown_agent_is_named(game: GameUnderTest) -> None:
    environment = game.made("aec")
    environment.reset(seed=1)
    for seen in (environment.observe, environment.view):
        with pytest.raises(ValueError, match="no agent 'x'; there are player_0, player_1"):
            seen("x")
