"""Train MaskablePPO for one seat against random opponents, and save it."""

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import catan_env  # noqa: F401 (registers Catan-v0)

environments = make_vec_env(
    lambda: gymnasium.make("Catan-v0", opponents="random", mask_in="info", reward="shaped"),
    n_envs=8,
    seed=7,
)
model = MaskablePPO(
    "MlpPolicy",
    environments,
    n_steps=256,
    batch_size=512,
    n_epochs=4,
    gamma=0.995,
    learning_rate=1e-3,
    ent_coef=0.01,
    verbose=1,
)
model.learn(200_000)
model.save("catan_maskable_ppo")
