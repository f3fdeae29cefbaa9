"""`catan-env agent`: a policy as a small process at a server of the binary protocol."""

import argparse
import os
from typing import Any

AGENT = """\
Sit down at a server of the binary protocol and let a policy play. The process is small: one
thread, NumPy, and the rules engine as plain Python.

examples:
  catan-env agent --policy greedy 127.0.0.1 4000
  catan-env agent --policy weights.npz 127.0.0.1 4000
"""
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def add_commands(commands: Any) -> None:
    """Add `agent` to the subparsers of a command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = commands.add_parser(
        "agent", help="a policy as an agent at a server", description=AGENT, formatter_class=raw
    )
    add = parser.add_argument
    add("host")
    add("port", type=int)
    add("--policy", required=True, metavar="NAME",
        help="random, greedy, value, search, best, module:Class, or a weights file (.npz)")  # fmt: skip
    add("--seed", type=int, default=0, help="of a policy that draws (default: 0)")
    add("--dialect", choices=("auto", "announced", "literal"), default="auto",
        help="whether the server announces hidden card movements (default: finds out)")  # fmt: skip
    add("--log", metavar="FILE", help="write what was heard and decided to a file")
    parser.set_defaults(run=run)


def stay_small() -> None:
    """Pin what follows to one thread and to interpreted rules; before NumPy is imported."""
    os.environ["CATAN_ENV_JIT"] = "0"
    for name in ONE_THREAD:
        os.environ[name] = "1"


def run(chosen: argparse.Namespace) -> int:
    """Play one game; returns the exit status."""
    stay_small()
    from catan_env.arena.seat import play

    return play(chosen)
