"""`python -m benchmarks.ppo_profile`: a profile of MaskablePPO on CatanVecEnv."""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable import utils
from sb3_contrib.ppo_mask import ppo_mask

from catan_env.envs.sb3 import CatanVecEnv, per_seat

Seconds = defaultdict[str, float]


def timed(seconds: Seconds, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with the wall time of its calls added to `seconds[name]`."""

    def call(*args: Any, **kwargs: Any) -> Any:
        begun = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            seconds[name] += time.perf_counter() - begun

    return call


def learn(num_envs: int, rollouts: int, self_play: bool) -> tuple[Seconds, int]:
    """Wall time of one `learn`, in total and by part, and the number of training steps."""
    seconds: Seconds = defaultdict(float)
    environments = CatanVecEnv(num_envs, self_play=self_play)
    model = MaskablePPO(
        "MlpPolicy",
        environments,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        policy_kwargs={"net_arch": [256, 256]},
        device="cpu",
        seed=1,
    )
    if self_play:
        per_seat(model)
    environments.step = timed(seconds, "environment", environments.step)
    ppo_mask.get_action_masks = timed(seconds, "masks", utils.get_action_masks)
    model.collect_rollouts = timed(seconds, "rollout", model.collect_rollouts)
    model.train = timed(seconds, "update", model.train)
    steps = rollouts * 128 * num_envs
    timed(seconds, "learn", model.learn)(steps)
    return seconds, steps


def report(name: str, seconds: Seconds, steps: int) -> None:
    """Print the fractions of the wall time."""
    whole = seconds["learn"]
    ours = seconds["environment"] + seconds["masks"]
    rows = {
        "environment": seconds["environment"],
        "masks": seconds["masks"],
        "environment and masks": ours,
        "network and buffer": seconds["rollout"] - ours,
        "update": seconds["update"],
    }
    print(f"\n{name}: {steps} steps in {whole:.1f} s, {steps / whole:,.0f} a second")
    for part, spent in rows.items():
        print(f"  {part:22}{spent:7.2f} s {spent / whole:7.1%}")


def main() -> None:
    """Train both ways and print the profile."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ppo_profile", description=__doc__)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--rollouts", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1, help="of torch (default 1)")
    wanted = parser.parse_args()
    torch.set_num_threads(wanted.threads)
    for name, self_play in (("one seat against random", False), ("self-play", True)):
        report(name, *learn(wanted.envs, wanted.rollouts, self_play))


if __name__ == "__main__":
    main()
