"""Tianshou: a masked random policy in every seat plays games through its collector."""

from tianshou.algorithm.multiagent.marl import MultiAgentPolicy
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv

import catan_env

environments = DummyVectorEnv([lambda: PettingZooEnv(catan_env.env(seats=2, max_turns=20))] * 2)
one = environments.workers[0].env
random = MARLRandomDiscreteMaskedOffPolicyAlgorithm(one.action_space).policy
policy = MultiAgentPolicy(dict.fromkeys(one.agents, random))

buffer = VectorReplayBuffer(10_000, 2)
collected = Collector(policy, environments, buffer).collect(n_step=300, reset_before_collect=True)
print(f"{collected.n_collected_episodes} games ended in {collected.n_collected_steps} decisions")
print(f"a reward for every seat: {buffer.rew[:300].shape}")
