"""The whole loop: play, train for a minute, evaluate, export, and play others over TCP.

It writes to `demo/`: the training run, the weights for an agent, the records of the tournament and
a page that replays one of its games.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from shutil import which

import torch
from pettingzoo import AECEnv

import catan_env
from catan_env import cli
from catan_env.alone import alone_html, built_module
from catan_env.arena.outcome import Outcome, outcome_of
from catan_env.arena.report import report
from catan_env.arena.schedule import entrants_by_seat
from catan_env.policy import load_policy
from catan_env.training.config import read
from catan_env.training.evaluate import Bout, evaluate
from catan_env.training.self_play import Args, Run, keep_memory

NAMES = ("random", "builder", "random", "random")
GAMES = 20
CONFIG = Path(__file__).parents[1] / "training" / "configs" / "self_play_minute.toml"
SECONDS = 60
"""Seconds of training; fewer decisions than configured if the machine is slow."""
EVALUATED, EVALUATED_SLOWLY = 200, 20
"""Games against random policies, and against slow ones."""
MATCHES = 16
"""Games of the tournament: four boards, each played once per rotation of the seats."""
FOLDER = Path("demo")
COMPILE_GREEDY = "from catan_env.policies.greedy import Greedy; Greedy()"


def play(env: AECEnv, k: int) -> Outcome:
    """Play game number k of the four policies, which move on by one seat per game."""
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


def win_rate(weights: Path, opponents: str, games: int) -> str:
    """A line with a network's win rate against three such opponents."""
    bout = Bout((str(weights), *[opponents] * 3), games, seed=1_000)
    first = evaluate(bout)["entrants"][0]
    low, high = first["interval"]
    return (
        f"won {first['wins']:3} of {games} games against three {opponents}, "
        f"{first['win_rate']:4.0%} (95 % interval {low:.0%} - {high:.0%})"
    )


def train(folder: Path) -> Path:
    """Train a network from scratch while another core compiles `greedy`; return its weights."""
    compiling = subprocess.Popen([sys.executable, "-c", COMPILE_GREEDY], stderr=subprocess.DEVNULL)
    run = Run(read(Args, CONFIG), folder, "cpu", threads=1)
    untrained, trained = folder / "untrained.npz", folder / "final.npz"
    run.agent.network.save(untrained)
    print(f"  before:      {win_rate(untrained, 'random', EVALUATED)}", flush=True)
    run.rollout()
    possible = int(run.timesteps * SECONDS / run.seconds)
    wanted = min(run.args.total_timesteps, max(possible, 2 * run.timesteps))
    run.args.total_timesteps = wanted
    print(f"  learning from {wanted:,} decisions, about a minute", flush=True)
    run.learn()
    print(f"  after {run.seconds:4.0f} s: {win_rate(trained, 'random', EVALUATED)}")
    compiling.wait()
    print(f"               {win_rate(trained, 'greedy', EVALUATED_SLOWLY)}", flush=True)
    return trained


def tournament(weights: Path) -> None:
    """Play the new network, the shipped one, greedy and random, each in a restricted process."""
    agent = f"{Path(sys.executable).parent / 'catan-env'} agent --policy"
    agents = [f"{agent} {policy}" for policy in (weights, "best", "greedy", "random")]
    status = cli.main(
        [
            *("match", "--games", str(MATCHES), "--record", str(FOLDER / "records")),
            *("--log-dir", str(FOLDER / "logs"), "--json", str(FOLDER / "tournament.json")),
            *(part for command in agents for part in ("--agent", command)),
        ]
    )
    if status:
        sys.exit(f"the tournament ended with status {status}; its logs are in {FOLDER / 'logs'}")


def write_page(weights: Path, page: Path) -> None:
    """Write a page to play against the network without a server, if its engine has been built."""
    try:
        built_module()
    except ValueError as reason:
        print(f"without a server   {reason}")
        return
    page.write_text(alone_html(str(weights)), encoding="utf-8")
    print(f"without a server   {page}: open it in a browser")


def is_activated() -> bool:
    """True if a shell finds the programs of this environment by name."""
    return which("catan-env") == str(Path(sys.executable).with_name("catan-env"))


def program(name: str) -> str:
    """The command of a program of this environment."""
    path = Path(sys.executable).with_name(name)
    if is_activated():
        return name
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def main() -> None:
    """Play, train, export, compete, and print where everything is."""
    FOLDER.mkdir(exist_ok=True)
    print(f"{GAMES} games through the PettingZoo environment, four seats:\n")
    env = catan_env.env()
    print(report(NAMES, [play(env, k) for k in range(GAMES)]))

    keep_memory()
    torch.set_num_threads(1)
    print("\nA network learns from scratch, in all four seats of 512 parallel games")
    for earlier in ("run", "records"):
        shutil.rmtree(FOLDER / earlier, ignore_errors=True)
    shutil.copy(train(FOLDER / "run"), FOLDER / "fresh.npz")

    print("\nA tournament over TCP, each agent in its own process:\n", flush=True)
    tournament(FOLDER / "fresh.npz")
    record = min((FOLDER / "records").glob("*.sgn.json"))
    cli.main(["replay", str(record), "--html", str(FOLDER / "game.html")])
    print(f"\nits weights        {FOLDER / 'fresh.npz'}")
    print(f"its curves         {program('tensorboard')} --logdir {FOLDER / 'run'}")
    print(f"a record           {program('catan-env')} replay {record}")
    print(f"a game to watch    {FOLDER / 'game.html'}: open it in a browser")
    table = f"{program('catan-env')} table --against {FOLDER / 'fresh.npz'} best greedy"
    print(f"play against it    {table}")
    print("                   (with --terminal in the terminal)")
    write_page(FOLDER / "fresh.npz", FOLDER / "play.html")
    if not is_activated():
        print(f"without the paths  . {program('activate')}")


if __name__ == "__main__":
    main()
