"""Compile all that the tests use before they start, as `make test` does.

    python -m tests.compiled

Compiling takes hundreds of megabytes that Numba does not return. Here each engine has a process of
its own, which ends; the workers of the suite only load the machine code, and stay small.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from catan_env.kernel.jit import JIT
from catan_env.machine import usable_processors

RULES = "from catan_env.core.compiled import ensure_batch; ensure_batch()"
"""First: the others contain these."""
POLICIES = "from catan_env.policies.judge.compiled import ensure_all; ensure_all()"
LOOPS = """
from tests.core.test_longest_road import *
from tests.properties.settings import SETTINGS
from tests.properties.test_every_step import *
test_the_longest_trail_of_any_network_is_found_from_each_of_its_roads(200)
test_what_is_kept_is_what_follows_from_pieces_and_cards(SETTINGS[0], 8)
test_the_same_holds_however_the_cards_are_dealt(SETTINGS[0], 8)
test_a_seat_knows_what_it_has_seen_and_nothing_else(SETTINGS[0], 8)
test_the_future_is_in_the_position_and_no_seat_is_special(SETTINGS[0], 8)
test_the_same_seed_gives_the_same_bytes(SETTINGS[0], 8)
"""
HANABI = "from catan_env.guests.hanabi.native.warm import ready; ready()"
RENAISSANCE = (
    "from catan_env.guests.renaissance.native.compiled import ensure_ready; ensure_ready()"
)


def run(code: str) -> None:
    """Run code in a process of its own, with its output."""
    subprocess.run([sys.executable, "-c", code], check=True)


def compile_all() -> None:
    """Compile every engine and the tests' own loops, each unless this machine has done so."""
    run(RULES)
    with ThreadPoolExecutor(len(usable_processors())) as pool:
        list(pool.map(run, (LOOPS, POLICIES, RENAISSANCE, HANABI)))


if __name__ == "__main__" and JIT:
    compile_all()
