"""`make demo`: four seats play through the PettingZoo environment, then an agent learns."""

import time

import gymnasium
import torch
from pettingzoo import AECEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env

import catan_env
from catan_env.arena.match import Result
from catan_env.arena.report import report, wilson_interval
from catan_env.policy import load_policy

NAMES = ("random", "greedy", "random", "random")
GAMES = 40
STEPS = 60_000
EVALUATED = 120
SETTINGS = {
    "n_steps": 256,
    "batch_size": 512,
    "n_epochs": 4,
    "gamma": 0.995,
    "learning_rate": 1e-3,
    "ent_coef": 0.01,
    "policy_kwargs": {"net_arch": [128, 128]},
}


def play(env: AECEnv, k: int) -> Result:
    """Game number k of the four policies; they move on by one seat each game."""
    entrants = {f"player_{(entrant + k) % 4}": entrant for entrant in range(4)}
    policies = {agent: load_policy(NAMES[entrant], k) for agent, entrant in entrants.items()}
    env.reset(seed=k)
    winner, decisions = None, 0
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            winner = entrants[agent] if reward == 1 else winner
            env.step(None)
        else:
            env.step(policies[agent].act(env.view(agent)))
            decisions += 1
    game = env.unwrapped.game
    points = tuple(game.points((entrant + k) % 4) for entrant in range(4))
    return Result(winner, points, game.turn, decisions)


def make(reward: str) -> gymnasium.Env:
    return gymnasium.make("Catan-v0", opponents="random", mask_in="info", reward=reward)


def win_rate(model: MaskablePPO) -> str:
    """How often the model wins, in words."""
    environments = make_vec_env(lambda: make("sparse"), n_envs=20, seed=1_000)
    rewards, _ = evaluate_policy(
        model, environments, EVALUATED, deterministic=False, return_episode_rewards=True
    )
    wins = sum(reward == 1 for reward in rewards)
    low, high = wilson_interval(wins, len(rewards))
    return (
        f"{wins:3} of {len(rewards)} games won, {wins / len(rewards):4.0%} "
        f"(95 % interval {low:.0%} - {high:.0%})"
    )


def main() -> None:
    """Play, then train."""
    print(f"{GAMES} games through the PettingZoo environment, four seats:\n")
    env = catan_env.env()
    print(report(NAMES, [play(env, k) for k in range(GAMES)]))

    torch.set_num_threads(1)
    print("\nMaskablePPO against three random seats, through the Gymnasium environment")
    environments = make_vec_env(lambda: make("shaped"), n_envs=8, seed=0)
    model = MaskablePPO("MlpPolicy", environments, seed=1, device="cpu", **SETTINGS)
    print(f"  before:   {win_rate(model)}", flush=True)
    print(f"  learning from {STEPS:,} decisions, about a minute", flush=True)
    began = time.monotonic()
    model.learn(STEPS)
    print(f"  after {time.monotonic() - began:3.0f} s: {win_rate(model)}")


if __name__ == "__main__":
    main()
