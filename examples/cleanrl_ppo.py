"""PPO in one file, in the style of cleanrl, on the vector environment: duels against `random`.

`python examples/cleanrl_ppo.py` plays 120,000 steps, about a minute of one core, and prints its
win rate from the first duels to the last. Two thirds of the steps have only one legal action; they
are played but not trained on.
"""

import argparse
from dataclasses import dataclass, fields

from catan_env.envs.vector import CatanVectorEnv
from catan_env.extras import imported_for
from catan_env.policies.network.features import scale

with imported_for(__file__, "train"):
    import numpy as np
    import torch
    from gymnasium.vector import AutoresetMode
    from torch import nn
    from torch.distributions import Categorical


@dataclass
class Args:
    seed: int = 1
    total_steps: int = 120_000
    num_envs: int = 64
    num_steps: int = 64
    """Steps of each game per update."""
    learning_rate: float = 1e-3
    gamma: float = 0.997
    gae_lambda: float = 0.95
    update_epochs: int = 3
    minibatch_size: int = 256
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5


class Agent(nn.Module):
    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(scale()))
        self.body = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.actor, self.critic = nn.Linear(256, actions), nn.Linear(256, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, observations, masks):
        hidden = self.body(observations * self.scale)
        logits = self.actor(hidden).masked_fill(~masks, -1e8)
        return Categorical(logits=logits), self.critic(hidden)[:, 0]


def tensors(seen):
    return torch.from_numpy(seen["observation"]).float(), torch.from_numpy(seen["action_mask"]) > 0


def learn(args: Args) -> list[bool]:
    """Train, and return for every duel, in the order of their ends, True if it was won."""
    torch.manual_seed(args.seed)
    envs = CatanVectorEnv(
        args.num_envs, seats=2, rules="duel", reward="shaped", max_turns=300,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )  # fmt: skip
    seen, _ = envs.reset(seed=args.seed)
    shape = args.num_steps, args.num_envs
    size, actions = seen["observation"].shape[1], seen["action_mask"].shape[1]
    agent = Agent(size, actions)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    observations = torch.zeros((*shape, size))
    masks = torch.zeros((*shape, actions), dtype=torch.bool)
    chosen = torch.zeros(shape, dtype=torch.long)
    log_probs, rewards, dones, values = torch.zeros((4, *shape))
    won: list[bool] = []

    updates = args.total_steps // (args.num_envs * args.num_steps)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - update / updates)
        for step in range(args.num_steps):
            observations[step], masks[step] = tensors(seen)
            with torch.no_grad():
                policy, values[step] = agent(observations[step], masks[step])
            chosen[step] = policy.sample()
            log_probs[step] = policy.log_prob(chosen[step])
            seen, paid, terminated, truncated, infos = envs.step(chosen[step].numpy())
            rewards[step] = torch.from_numpy(paid)
            dones[step] = torch.from_numpy(terminated | truncated)
            if "final_info" in infos:
                ended = np.flatnonzero(infos["_final_info"])
                won += [infos["final_info"]["reason"][i] == "win" for i in ended]

        with torch.no_grad():
            following = agent(*tensors(seen))[1]
        advantages, carried = torch.zeros(shape), torch.zeros(args.num_envs)
        for step in reversed(range(args.num_steps)):
            goes_on = 1 - dones[step]
            error = rewards[step] + args.gamma * following * goes_on - values[step]
            carried = error + args.gamma * args.gae_lambda * goes_on * carried
            advantages[step], following = carried, values[step]
        returns = advantages + values

        choices = torch.nonzero(masks.flatten(0, 1).sum(1) > 1)[:, 0]
        for _ in range(args.update_epochs):
            for rows in choices[torch.randperm(len(choices))].split(args.minibatch_size):
                policy, value = agent(observations.flatten(0, 1)[rows], masks.flatten(0, 1)[rows])
                ratio = (policy.log_prob(chosen.flatten()[rows]) - log_probs.flatten()[rows]).exp()
                better = advantages.flatten()[rows]
                better = (better - better.mean()) / (better.std(correction=0) + 1e-8)
                clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
                policy_loss = -torch.minimum(ratio * better, clipped * better).mean()
                value_loss = (value - returns.flatten()[rows]).square().mean()
                loss = policy_loss + args.vf_coef * value_loss
                loss -= args.ent_coef * policy.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
                optimizer.step()
    return won


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for field in fields(Args):
        name = f"--{field.name.replace('_', '-')}"
        parser.add_argument(name, type=type(field.default), default=field.default)
    torch.set_num_threads(1)
    won = learn(Args(**vars(parser.parse_args())))
    for quarter in np.array_split(np.array(won), 4):
        print(f"won {quarter.mean():6.1%} of {len(quarter)} duels against random")
