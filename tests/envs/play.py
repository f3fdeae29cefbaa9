"""Playing an AEC environment to its end."""

from collections import defaultdict

import numpy as np


def legal_indices(observation, info):
    """The mask, wherever it is."""
    mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
    return np.flatnonzero(mask)


def play_out(env, seed):
    """Play at random; return each agent's summed reward and its last info."""
    rng = np.random.default_rng(seed)
    rewards, infos = defaultdict(float), {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        rewards[agent] += reward
        infos[agent] = info
        if terminated or truncated:
            env.step(None)
        else:
            env.step(rng.choice(legal_indices(observation, info)))
    return dict(rewards), infos


def play_some(env, seed, steps):
    """Play `decisions` random decisions."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        observation, *_, info = env.last()
        env.step(rng.choice(legal_indices(observation, info)))
