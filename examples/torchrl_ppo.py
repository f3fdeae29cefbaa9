"""TorchRL: PPO with action masks, one seat of a duel against `random`.

`python examples/torchrl_ppo.py` plays 32,000 decisions, a minute of one core, and prints its win
rate from the first duels to the last.
"""

import argparse
import warnings

from catan_env.envs.choices import OnlyChoices
from catan_env.extras import imported_for
from catan_env.policies.network.features import scale

with imported_for(__file__, "torchrl"):
    import gymnasium
    import torch
    from tensordict.nn import TensorDictModule, TensorDictSequential
    from torch import nn
    from torchrl.collectors import Collector
    from torchrl.envs import GymWrapper, RewardSum, SerialEnv, TransformedEnv
    from torchrl.modules import MaskedCategorical, ProbabilisticActor
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE

warnings.filterwarnings("ignore", module="torchrl|tensordict|gymnasium")
GAMES, STEPS, EPOCHS, MINIBATCH, RATE = 16, 64, 4, 256, 1e-3


class Scaled(nn.Module):
    """The observation scaled to 0..1, and the mask in TorchRL's form."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(scale()))

    def forward(self, observation, mask):
        return observation.float() * self.scale, mask.bool()


def table():
    game = gymnasium.make(
        "catan_env:Catan-v0", seats=2, opponents="random", rules="duel", reward="shaped",
        max_turns=300,
    )  # fmt: skip
    return GymWrapper(OnlyChoices(game), categorical_action_encoding=True)


def network(outputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Linear(913, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs)
    )


def learn(decisions: int) -> list[bool]:
    """Train, and return for every duel, in the order of their ends, True if it was won."""
    scaled = TensorDictModule(Scaled(), ["observation", "action_mask"], ["shown", "mask"])
    outputs = TensorDictModule(network(848), ["shown"], ["logits"])
    actor = ProbabilisticActor(
        TensorDictSequential(scaled, outputs), in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical, return_log_prob=True,
    )  # fmt: skip
    critic = TensorDictSequential(scaled, TensorDictModule(network(1), ["shown"], ["state_value"]))
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5)
    advantage = GAE(gamma=0.997, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=RATE)
    tables = TransformedEnv(SerialEnv(GAMES, table), RewardSum())
    collector = Collector(tables, actor, frames_per_batch=GAMES * STEPS, total_frames=decisions)
    won: list[bool] = []
    for batch in collector:
        ended = batch["next", "done"][..., 0]
        won += (batch["next", "episode_reward"][ended][:, 0] > 0).tolist()
        for _ in range(EPOCHS):
            advantage(batch)
            for rows in torch.randperm(batch.numel()).split(MINIBATCH):
                losses = loss(batch.reshape(-1)[rows])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=32_768)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    won = learn(parser.parse_args().decisions)
    for quarter in torch.tensor(won, dtype=torch.float).tensor_split(4):
        print(f"won {quarter.mean():6.1%} of {len(quarter)} duels against random")
