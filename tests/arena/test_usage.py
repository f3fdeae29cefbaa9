"""The processes, threads and memory of an agent count as soon as its game has started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_env.arena.keeper import Overuse
from tests.arena.attacked import wait_until
from tests.arena.levels import HELD, strict, unprivileged

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="keepers need Linux")

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("level", HELD)
def test_processes_forked_by_a_starting_wrapper_do_not_count(level, attack):
    attacker = attack(level, "forks_a_while", 0.3)
    assert attacker.reason() == "its process exited with status 0"
    assert attacker.out.read_text() == "forked\nstarted\n"


@pytest.mark.parametrize("level", HELD)
def test_processes_that_run_when_the_game_starts_count(level, attack):
    attacker = attack(level, "forks_a_while", 60)
    wait_until(lambda: attacker.has_printed("forked"))
    attacker.agent.begin()
    assert "threads; allowed are 1" in attacker.reason()


@pytest.mark.parametrize("level", HELD)
def test_threads_count_when_the_first_of_their_process_has_ended(level, attack):
    attacker = attack(level, "ends_its_first_thread", 0, 0)
    wait_until(lambda: attacker.has_printed("holding"))
    attacker.agent.begin()
    assert "threads; allowed are 1" in attacker.reason()


@pytest.mark.parametrize("level", HELD)
def test_memory_counts_when_the_first_thread_of_its_process_has_ended(level, attack):
    attacker = attack(level, "ends_its_first_thread_twice", 60, threads=9)
    assert "MiB; allowed are 256" in attacker.reason()


@pytest.mark.parametrize("level", HELD)
def test_an_agent_that_starts_programs_may_hold_more_than_half_of_its_memory(level, attack):
    attacker = attack(level, "starts_programs", 150, threads=8)
    assert attacker.reason() == "its process exited with status 0"
    assert attacker.out.read_text() == "held 150\n"


def test_memory_beyond_the_limit_counts_once_it_lasts():
    overuse = Overuse(100)
    assert not any(overuse.counts(held, now) for held, now in [(100, 0.0), (101, 1.0), (200, 1.4)])
    assert overuse.counts(101, 1.5)


def test_memory_that_was_below_the_limit_in_between_does_not_count():
    overuse = Overuse(100)
    samples = [(200, 0.0), (200, 0.4), (100, 0.45), (200, 0.5), (200, 0.9)]
    assert not any(overuse.counts(held, now) for held, now in samples)


def test_more_than_twice_the_memory_counts_immediately():
    assert Overuse(100).counts(201, 0.0) and not Overuse(100).counts(200, 0.0)


def test_without_a_limit_no_memory_counts():
    overuse = Overuse(0)
    assert not overuse.counts(1 << 40, 0.0) and not overuse.counts(1 << 40, 9.0)


@strict
def test_a_strict_agent_of_an_ordinary_user_forks_no_more_than_it_may_even_unseen():
    """As root: the kernel does not limit root's processes, so another user starts the agent."""
    found = unprivileged()
    if found is None:
        pytest.skip("root alone can read these files, or this Python")
    python, user = found
    who = {"user": user, "group": user} if user != os.getuid() else {}
    command = [python, "-m", "tests.arena.attacked"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **who)
    assert 1 <= done.stdout.count("forked") <= 3, done
    assert "threads; allowed are 1" in done.stdout
