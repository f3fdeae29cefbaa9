"""Tianshou 2: PPO with action masks, one seat of a duel against `random`.

`python examples/tianshou_ppo.py` plays 32,000 decisions, about a minute of one core, and prints its
win rate from the first duels to the last.
"""

import argparse

from catan_env.envs.choices import OnlyChoices
from catan_env.extras import imported_for
from catan_env.policies.network.features import scale

with imported_for(__file__, "tianshou"):
    import gymnasium
    import numpy as np
    import torch
    from tianshou.algorithm import PPO
    from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.utils.net.common import AbstractDiscreteActor, ModuleWithVectorOutput
    from tianshou.utils.torch_utils import policy_within_training_step
    from torch import nn
    from torch.distributions import Categorical

GAMES, STEPS, EPOCHS, MINIBATCH, RATE = 16, 1024, 4, 256, 1e-3


def table():
    game = gymnasium.make(
        "catan_env:Catan-v0", seats=2, opponents="random", rules="duel", reward="shaped",
        max_turns=300,
    )  # fmt: skip
    return OnlyChoices(game)


def layers(outputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(913, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)
    )


def scaled(seen) -> torch.Tensor:
    return torch.as_tensor(seen.observation * scale(), dtype=torch.float32)


class Actor(AbstractDiscreteActor):
    """Outputs, very low for illegal actions."""

    def __init__(self) -> None:
        super().__init__(848)
        self.layers = layers(848)

    def get_preprocess_net(self) -> ModuleWithVectorOutput:
        return ModuleWithVectorOutput(913)

    def forward(self, obs, state=None, info=None):
        illegal = torch.as_tensor(obs.action_mask == 0)
        return self.layers(scaled(obs)).masked_fill(illegal, -1e8), state


class Critic(ModuleWithVectorOutput):
    def __init__(self) -> None:
        super().__init__(1)
        self.layers = layers(1)

    def forward(self, obs, state=None, info=None):
        return self.layers(scaled(obs))


def learn(decisions: int) -> list[bool]:
    """Train, and return for every duel, in the order of their ends, True if it was won."""
    tables = DummyVectorEnv([table] * GAMES)
    policy = ProbabilisticActorPolicy(
        actor=Actor(), dist_fn=lambda outputs: Categorical(logits=outputs),
        action_space=tables.action_space[0], action_scaling=False,
    )  # fmt: skip
    algorithm = PPO(
        policy=policy, critic=Critic(), optim=AdamOptimizerFactory(lr=RATE), gamma=0.997,
        gae_lambda=0.95, ent_coef=0.01, max_grad_norm=0.5,
    )  # fmt: skip
    buffer = VectorReplayBuffer(STEPS + GAMES, GAMES)
    collector = Collector(policy, tables, buffer)
    collector.reset()
    won: list[bool] = []
    for _ in range(decisions // STEPS):
        with policy_within_training_step(policy):
            won += (collector.collect(n_step=STEPS).returns > 0).tolist()
            algorithm.update(buffer=buffer, batch_size=MINIBATCH, repeat=EPOCHS)
        collector.reset_buffer(keep_statistics=True)
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=32_768)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    won = learn(parser.parse_args().decisions)
    for quarter in np.array_split(np.array(won), 4):
        print(f"won {quarter.mean():6.1%} of {len(quarter)} duels against random")
