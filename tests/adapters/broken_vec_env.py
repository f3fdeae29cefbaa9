"""The broken game for Stable-Baselines3, which loads torch."""

from catan_env.adapters.vec_env import GamesVecEnv
from tests.adapters.broken import Broken


class BrokenVecEnv(GamesVecEnv):
    kind = Broken
