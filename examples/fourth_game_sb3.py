"""The fourth game for Stable-Baselines3, in a module that only its users import."""

from catan_env.adapters.vec_env import GamesVecEnv
from examples.fourth_game import Options


class DiceVecEnv(GamesVecEnv):
    kind = Options
