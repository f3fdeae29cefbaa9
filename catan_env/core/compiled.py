"""Compiling the engine: every door called once, which fills the cache of machine code.

`python -m catan_env.core.compiled` does it ahead of time. Nothing in `core` imports this file.
"""

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from catan_env.core import batch, doors
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import DRAW, RESOURCES, Layout
from catan_env.core.jit import COMPILED, CORE, kept_in
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.state import doorway, fill_box, new_states


def open_rules() -> None:
    """Call each door of one game once, on a game of its own."""
    array = new_states(1)
    fill_box(array)
    array["seats"], array["layout"] = 2, Layout.SPIRAL
    states = doorway(array)
    none = np.zeros(RESOURCES, np.int8)
    doors.begin_game(states, 0)
    doors.renew_mask(states, 0)
    doors.next_table_action(states, 0)
    doors.write_mask_bytes(states, 0, np.zeros((1, NUM_ACTIONS), np.int8))
    doors.play(states, 0, 52, DRAW)
    doors.observe_game(states, 0, 0, np.zeros((1, OBSERVATION_SIZE), np.int8))
    doors.play_offer(states, 0, 1, none, none)
    doors.play_bank_trade(states, 0, 0, 1, 4)
    doors.end_turn_unasked(states, 0)
    doors.leave_table(states, 0, 0)
    doors.derive(states, 0)
    doors.find_winner(states, 0)
    doors.redact(states, 0, 0)
    doors.declare_winner(states, 0, 0)


def open_batch() -> None:
    """Call each door of a batch once, on a game of its own."""
    template = new_states(1)
    fill_box(template)
    template["seats"], template["layout"] = 2, Layout.SPIRAL
    games, box = doorway(new_states(1)), doorway(template)
    done, results = np.zeros(1, np.int8), np.zeros(1, batch.RESULT)
    actions, seats = np.zeros(1, np.int64), np.zeros(1, np.int8)
    observations = np.zeros((1, OBSERVATION_SIZE), np.int8)
    action_masks = np.zeros((1, NUM_ACTIONS), np.int8)
    batch.reset_games(games, box, np.zeros(1, np.uint64), done, results, 0, 1)
    batch.sample_legal(games, 1, 1, actions, 0, 1)
    batch.step_games(games, box, actions, 9, True, done, results, observations, action_masks, 0, 1)
    batch.play_others(games, box, seats, actions, 9, True, done, results, 0, 1)
    batch.reset_finished(games, box, done, results, 0, 1)
    batch.observe_games(games, results, observations, 0, 1)
    batch.observe_seats(games, seats, observations, 0, 1)
    batch.expand_masks(games, action_masks, 0, 1)
    winners, turns, decisions = np.zeros(1, np.int8), np.zeros(1, np.int32), np.zeros(1, np.int32)
    batch.play_out(games, box, 1, winners, turns, decisions, 0, 1)


OPEN = {"rules": open_rules, "batch": open_batch}
_ready: set[str] = set()


def ensure_compiled(
    name: str = "rules", open_doors: Callable[[], None] | None = None, folder: Path = CORE
) -> None:
    """Compile the engine's "rules" or "batch" unless this machine has done so.

    Once, with a line on standard error, and by one process while others wait. A policy names its
    own doors: `open_doors` calls each, and they are written in `folder`.
    """
    if name in _ready or not COMPILED:
        return
    _ready.add(name)
    kept = kept_in(folder)
    if kept is None:
        print(f"compiling the {name} engine: no cache folder can be written", file=sys.stderr)
        return
    done = kept / name
    if done.exists():
        return
    with _only_one_process(kept / "lock", name):
        if not done.exists():
            print(f"compiling the {name} engine, once: up to a minute", file=sys.stderr, flush=True)
            (open_doors or OPEN[name])()
            done.touch()


@contextlib.contextmanager
def _only_one_process(path: Path, name: str) -> Iterator[None]:
    """Hold the lock at `path`; a process that has to wait for it says so."""
    try:
        import fcntl
    except ImportError:  # no such lock on this system: two processes compile twice, harmlessly
        yield
        return
    with open(path, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting = f"another process compiles the {name} engine: waiting for it"
            print(waiting, file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    ensure_compiled("rules")
    ensure_compiled("batch")
