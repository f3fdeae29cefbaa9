"""RLlib: PPO with its action-masking module, one seat of a duel against `random`.

`python examples/rllib_ppo.py` plays about 33,000 decisions in about a minute and prints the mean
return from the first duels to the last: 1 if all were won, -1 if all were lost.
"""

import argparse

from catan_env.envs.choices import OnlyChoices
from catan_env.extras import imported_for
from catan_env.policies.network.features import scale

with imported_for(__file__, "rllib"):
    import gymnasium
    import numpy as np
    from gymnasium.spaces import Box, Dict
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env


class Renamed(gymnasium.ObservationWrapper):
    """The game with RLlib's names: "observations", scaled to 0..1, and "action_mask"."""

    def __init__(self, env):
        super().__init__(env)
        self._scale = scale()
        shown = Box(-np.inf, np.inf, self._scale.shape, np.float32)
        self.observation_space = Dict(
            {"observations": shown, "action_mask": env.observation_space["action_mask"]}
        )

    def observation(self, seen):
        shown = seen["observation"] * self._scale
        return {"observations": shown, "action_mask": seen["action_mask"]}


def table(_):
    game = gymnasium.make(
        "catan_env:Catan-v0", seats=2, opponents="random", rules="duel", reward="shaped",
        max_turns=300,
    )  # fmt: skip
    return Renamed(OnlyChoices(game))


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--iterations", type=int, default=32)
iterations = parser.parse_args().iterations

register_env("catan", table)
config = (
    PPOConfig()
    .environment("catan")
    .env_runners(num_env_runners=0, num_envs_per_env_runner=16)
    .rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=ActionMaskingTorchRLModule,
            model_config={"head_fcnet_hiddens": [256, 256], "head_fcnet_activation": "relu"},
        )
    )
    .training(
        train_batch_size=1024,
        minibatch_size=256,
        num_epochs=4,
        lr=1e-3,
        gamma=0.997,
        lambda_=0.95,
        entropy_coeff=0.01,
        use_kl_loss=False,
        clip_param=0.2,
        vf_clip_param=10.0,
    )
    .reporting(metrics_num_episodes_for_smoothing=1000)
    .debugging(seed=1)
)
algorithm = config.build_algo()
duels, returns = np.zeros((2, iterations))
for k in range(iterations):
    played = algorithm.train()["env_runners"]
    duels[k] = played["num_episodes"]
    returns[k] = duels[k] * played.get("episode_return_mean", 0.0) if duels[k] else 0.0
for rows in np.array_split(np.arange(iterations), 4):
    mean = returns[rows].sum() / max(duels[rows].sum(), 1)
    print(f"mean return {mean:5.2f} over {duels[rows].sum():.0f} duels against random")
