"""RLlib: PPO with its action-masking module; all seats share one network."""

import numpy as np
from gymnasium.spaces import Box, Dict
from pettingzoo.utils.wrappers import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import catan_env


class Renamed(BaseWrapper):
    """The game under RLlib's names: "observations" (of float32) beside "action_mask"."""

    def observation_space(self, agent):
        space = self.env.observation_space(agent)
        vector = Box(0, 127, space["observation"].shape, np.float32)
        return Dict({"observations": vector, "action_mask": space["action_mask"]})

    def observe(self, agent):
        seen = self.env.observe(agent)
        vector = seen["observation"].astype(np.float32)
        return {"observations": vector, "action_mask": seen["action_mask"]}


register_env("catan", lambda _: PettingZooEnv(Renamed(catan_env.env(seats=2, rules="duel"))))
module = RLModuleSpec(module_class=ActionMaskingTorchRLModule)
config = (
    PPOConfig()
    .environment("catan")
    .env_runners(num_env_runners=0)
    .multi_agent(policies={"seat"}, policy_mapping_fn=lambda *_, **__: "seat")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"seat": module}))
    .training(train_batch_size=512, minibatch_size=128, num_epochs=1)
)
result = config.build_algo().train()
print(f"learned from {result['num_env_steps_sampled_lifetime']:.0f} decisions")
