"""Train MaskablePPO for one seat against three random ones, and save it."""

from catan_env.extras import imported_for

with imported_for(__file__, "train"):
    from sb3_contrib import MaskablePPO

    from catan_env.envs.sb3 import CatanVecEnv

environments = CatanVecEnv(64, opponents="random", reward="shaped")
environments.seed(7)
model = MaskablePPO(
    "MlpPolicy",
    environments,
    n_steps=64,
    batch_size=512,
    n_epochs=4,
    gamma=0.999,
    learning_rate=1e-3,
    ent_coef=0.01,
    verbose=1,
)
model.learn(200_000)
model.save("catan_maskable_ppo")
