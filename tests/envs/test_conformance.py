"""The conformance suites of PettingZoo, Gymnasium and Stable-Baselines3."""

import warnings
import webbrowser

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import catan_env
from tests.covering import covering

OPTIONS = [
    {},
    {"mask_in": "info"},
    {"mask_in": "both", "reward": "shaped"},
    {"seats": 3, "illegal": "raise", "board": "beginner"},
    {"seats": 2, "rules": "duel", "max_turns": 30},
    {"rules": "tournament", "board": "random_tokens"},
]
DICT_WARNINGS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or"
    " gymnasium.spaces.discrete",
}
"""The warning of api_test for a Dict space of an environment outside PettingZoo."""


def seeded(env):
    for seed, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seed)
    return env


@pytest.mark.parametrize("make", [catan_env.env, catan_env.raw_env])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_api(make, options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(seeded(make(**options)), num_cycles=500)
    expected = set() if options.get("mask_in") == "info" else DICT_WARNINGS
    assert {str(warning.message) for warning in caught} == expected


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_seeds(options):
    seed_test(lambda: catan_env.env(**options))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_seeds_in_parallel(options):
    options = {**options, "illegal": "penalty"}
    parallel_seed_test(lambda: turn_based_aec_to_parallel(catan_env.env(**options)))


def test_pettingzoo_renders():
    webbrowser.register("true", None, webbrowser.GenericBrowser("true"), preferred=True)
    render_test(catan_env.env, custom_tests={"svg": lambda text: text.startswith("<svg")})


@pytest.mark.parametrize(
    ("mask_in", "illegal"), covering(["observation", "info", "both"], ["penalty", "ignore"])
)
def test_gymnasium_checks(mask_in, illegal):
    env = gymnasium.make("catan_env:Catan-v0", mask_in=mask_in, illegal=illegal)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.torch
@pytest.mark.parametrize("mask_in", ["observation", "info", "both"])
def test_stable_baselines_checks(mask_in):
    env_checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env = gymnasium.make("catan_env:Catan-v0", mask_in=mask_in, reward="shaped")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env_checker.check_env(env)


@pytest.mark.torch
def test_maskable_ppo_learns():
    sb3_contrib = pytest.importorskip("sb3_contrib")
    pytest.importorskip("torch").set_num_threads(1)
    env = gymnasium.make("catan_env:Catan-v0", seats=2, rules="duel", illegal="raise")
    model = sb3_contrib.MaskablePPO("MultiInputPolicy", env, n_steps=32, batch_size=32, seed=1)
    model.learn(64)
    assert model.num_timesteps == 64
