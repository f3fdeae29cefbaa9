"""The package on systems that lack parts of Linux: what is missing is reported, the rest works."""

import subprocess
import sys
from pathlib import Path

import pytest

from catan_env import machine

WITHOUT_LINUX = """
import asyncio, importlib, os, pkgutil, signal, socket, subprocess, sys, sysconfig
import numba  # it loads a library by the system's name

sysconfig.get_config_vars()
sys.modules.update(fcntl=None, resource=None)
for name in ("sched_getaffinity", "sched_setaffinity", "fork", "geteuid"):
    delattr(os, name)
del socket.TCP_INFO, signal.SIGALRM, signal.setitimer, signal.ITIMER_REAL
sys.platform = "darwin"
"""
WITHOUT_UNIX = """
import concurrent.futures.process, multiprocessing.popen_spawn_posix, multiprocessing.shared_memory
import gymnasium.vector, numba, pettingzoo, sqlalchemy, webbrowser  # libraries as installed here

sys.modules.update(pwd=None, termios=None)
for name in ("register_at_fork", "getuid", "setsid", "killpg", "getpgid", "chown", "WNOHANG"):
    delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "SIGCHLD", "SIGSTOP", "SIGCONT", "SIGPIPE", "SIGUSR1"):
    delattr(signal, name)
del socket.AF_UNIX
sys.platform = "win32"
"""
"""After `WITHOUT_LINUX`: what Windows lacks, too."""
IMPORT_ALL = """
import catan_env.arena, catan_env.batch, catan_env.cli, catan_env.net, catan_env.web
import catan_env.guests.renaissance.server
for package in (getattr(catan_env, name) for name in ("arena", "batch", "cli", "net", "web")):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if found.name not in ("catan_env.arena.keeper", "catan_env.arena.league.over_ray"):
            importlib.import_module(found.name)
print("imported")
"""
REPORT = """
from catan_env import machine
from catan_env.arena.sandbox import guard_memory, in_words
guard_memory()
print(in_words("limits"))
"""
PLAY = """
from catan_env.cli import main
raise SystemExit(main(["play", "random", "random", "--rules", "duel", "--games", "2"]))
"""


DECIDE = """
from catan_env import Game
from catan_env.arena.time_limited import TimeLimitedPolicy
from catan_env.policy import load_policy

policy = TimeLimitedPolicy(load_policy("builder", 1))
policy.timeout_secs = 5
game, again = Game(2, seed=1), load_policy("builder", 1)
for _ in range(4):
    view = game.view(game.seat)
    index = policy.act(view)
    print(index == again.act(view))
    game.play(index)
"""


def elsewhere(code: str) -> str:
    """The output of code on a system without Linux's parts."""
    command = [sys.executable, "-c", WITHOUT_LINUX + code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("", id="macOS", marks=pytest.mark.nightly),
        pytest.param(WITHOUT_UNIX, id="Windows"),  # lacks all that macOS lacks, and more
    ],
)
def test_every_part_for_servers_and_commands_can_be_imported_elsewhere_and_plays(more: str) -> None:
    said = elsewhere(more + IMPORT_ALL + PLAY)
    assert said.startswith("imported\n") and "2 games, " in said


def test_what_is_missing_is_reported_in_one_line_and_an_agent_plays_as_its_policy() -> None:
    line, *is_same = elsewhere(REPORT + DECIDE).splitlines()
    assert all(name in line for name in machine.FEATURES)
    assert is_same == ["True"] * 4


def test_nothing_is_missing_here_under_linux() -> None:
    if sys.platform == "linux":
        assert machine.missing() == [] and machine.in_one_line() == ""


WORK = """
import ctypes, sys, time
from multiprocessing import get_context
from catan_env import machine

def work(platform):
    keeps_the_lock = sys.platform == platform == "linux"
    sys.platform = platform
    machine.end_with_parent()
    print("working", flush=True)
    if keeps_the_lock:
        ctypes.PyDLL(None).sleep(600)
    time.sleep(600)

if __name__ == "__main__":
    get_context("spawn").Process(target=work, args=sys.argv[1:]).start()
    time.sleep(600)
"""


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_process_ends_with_its_parent_here_and_elsewhere(platform: str, tmp_path: Path) -> None:
    """Under Linux also in machine code that keeps Python's lock, so that no thread can end it."""
    (tmp_path / "work.py").write_text(WORK)
    command = [sys.executable, tmp_path / "work.py", platform]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None and parent.stdout.readline() == "working\n"
        parent.kill()
        assert parent.communicate(timeout=60)[0] == ""  # the end of the last process that has it
