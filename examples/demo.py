"""The whole loop: play, train for a minute, evaluate, export, and meet others over TCP.

What it writes lies in `demo/`: the trained model, its weights for an agent, the records of the
tournament and a page that replays one of its games.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import torch
from pettingzoo import AECEnv
from sb3_contrib import MaskablePPO

import catan_env
from catan_env import cli
from catan_env.arena.outcome import Outcome, outcome_of
from catan_env.arena.report import report, wilson_interval
from catan_env.arena.schedule import entrants_by_seat
from catan_env.envs.sb3 import CatanVecEnv
from catan_env.policy import load_policy
from catan_env.training.export import export

NAMES = ("random", "builder", "random", "random")
GAMES = 20
STEPS = 160_000
EVALUATED = 200
ROUNDS = 4
"""Boards of the tournament, each played once in every rotation of the seats."""
FOLDER = Path("demo")
COMPILE_GREEDY = "from catan_env.policies.greedy import Greedy; Greedy()"
SETTINGS = {
    "n_steps": 64,
    "batch_size": 512,
    "n_epochs": 4,
    "gamma": 0.999,
    "learning_rate": 1e-3,
    "ent_coef": 0.01,
    "policy_kwargs": {"net_arch": [128, 128]},
}


def play(env: AECEnv, k: int) -> Outcome:
    """Game number k of the four policies; they move on by one seat each game."""
    seats = entrants_by_seat(k, len(NAMES))
    policies = [load_policy(NAMES[entrant], k) for entrant in seats]
    env.reset(seed=k)
    decisions = 0
    for agent in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            env.step(policies[int(agent.removeprefix("player_"))].act(env.view(agent)))
            decisions += 1
    return outcome_of(env.unwrapped.game, k, seats, decisions)


def win_rate(model: MaskablePPO, opponents: str, games: int) -> str:
    """How often the model, as it will be exported, wins against three such opponents, in words."""
    environments = CatanVecEnv(games, opponents=opponents)
    environments.seed(1_000)
    observations = environments.reset()
    final = np.zeros(games)
    while not final.all():
        masks = environments.action_masks()
        actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
        observations, rewards, dones, _ = environments.step(actions)
        first = dones & (final == 0)
        final[first] = np.where(rewards[first] == 1, 1, -1)
    wins = int((final == 1).sum())
    low, high = wilson_interval(wins, games)
    return (
        f"{wins:3} of {games} games against three {opponents} won, {wins / games:4.0%} "
        f"(95 % interval {low:.0%} - {high:.0%})"
    )


def train() -> MaskablePPO:
    """A network from nothing, against random seats, while the other core compiles `greedy`."""
    compiling = subprocess.Popen([sys.executable, "-c", COMPILE_GREEDY], stderr=subprocess.DEVNULL)
    environments = CatanVecEnv(64, opponents="random", reward="shaped")
    model = MaskablePPO("MlpPolicy", environments, seed=1, device="cpu", **SETTINGS)
    print(f"  before:      {win_rate(model, 'random', EVALUATED)}", flush=True)
    print(f"  learning from {STEPS:,} decisions, about a minute", flush=True)
    began = time.monotonic()
    model.learn(STEPS)
    print(f"  after {time.monotonic() - began:4.0f} s: {win_rate(model, 'random', EVALUATED)}")
    compiling.wait()
    print(f"               {win_rate(model, 'greedy', EVALUATED // 10)}", flush=True)
    return model


def tournament(weights: Path) -> None:
    """The fresh network, the shipped one, greedy and random, each in a process under limits."""
    agent = f"{Path(sys.executable).parent / 'catan-env'} agent --policy"
    agents = [f"{agent} {policy}" for policy in (weights, "best", "greedy", "random")]
    status = cli.main(
        [
            *("match", "--games", str(4 * ROUNDS), "--record", str(FOLDER / "records")),
            *("--log-dir", str(FOLDER / "logs"), "--json", str(FOLDER / "tournament.json")),
            *(part for command in agents for part in ("--agent", command)),
        ]
    )
    if status:
        sys.exit(f"the tournament ended with status {status}; its logs are in {FOLDER / 'logs'}")


def main() -> None:
    """Play, train, export, compete, and say where everything is."""
    FOLDER.mkdir(exist_ok=True)
    print(f"{GAMES} games through the PettingZoo environment, four seats:\n")
    env = catan_env.env()
    print(report(NAMES, [play(env, k) for k in range(GAMES)]))

    torch.set_num_threads(1)
    print("\nMaskablePPO learns one seat against three random ones")
    model = train()
    model.save(FOLDER / "fresh.zip")
    export(model, FOLDER / "fresh.npz")

    print("\nA tournament over TCP, each agent a process of its own:\n", flush=True)
    tournament(FOLDER / "fresh.npz")
    record = min((FOLDER / "records").glob("*.sgn.json"))
    cli.main(["replay", str(record), "--html", str(FOLDER / "game.html")])
    print(f"\nmodel and weights  {FOLDER / 'fresh.zip'}, {FOLDER / 'fresh.npz'}")
    print(f"records            {FOLDER / 'records'} (catan-env replay FILE)")
    print(f"a game to look at  {FOLDER / 'game.html'}: open it in a browser")
    print(f"play against it    catan-env table --against {FOLDER / 'fresh.npz'} best greedy")


if __name__ == "__main__":
    main()
