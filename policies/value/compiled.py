"""Compiles the value function, once per machine."""

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.core import doors as core_doors
from catan_env.core.constants import Layout
from catan_env.core.state import doorway, fill_box, new_states
from catan_env.kernel.compiled import ensure_compiled
from catan_env.policies.value import doors, win_probability
from catan_env.policies.value.scratch import Scratch, row, rows
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import WinNetwork

HERE = Path(__file__).parent


def sample_game() -> Any:
    """A game for two seats at its first decision, as entry points take it."""
    states = new_states(1)
    fill_box(states)
    states["seats"], states["layout"] = 2, Layout.SPIRAL
    core_doors.begin_game(doorway(states), 0)
    return doorway(states)


def open_value() -> None:
    """Compile the doors of the value function, each called once on its own game."""
    states = sample_game()
    best = np.zeros((1, 1), np.int64), np.zeros((1, 1))
    doors.rank_actions(states, row(weights_for(2)), *Scratch().memory, *best, 0, 1)


def open_play_out() -> None:
    """Compile the door of whole games, called once on its own game."""
    template = new_states(1)
    fill_box(template)
    template["seats"], template["layout"] = 2, Layout.SPIRAL
    doors.play_out(
        doorway(new_states(1)),
        doorway(template),
        1,
        np.zeros(1, np.int8),
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        rows([weights_for(2)] * 2),
        *Scratch().memory,
        0,
        1,
    )


def open_runs() -> None:
    """Compile the door of runs of decisions, called once on its own game."""
    doors.play_runs(
        sample_game(),
        np.ones((1, 2), bool),
        1,
        np.zeros((1, 1), np.uint16),
        np.zeros(1, np.int64),
        np.zeros((1, 2), np.int64),
        row(weights_for(2)),
        *Scratch().memory,
        0,
        1,
    )


def open_features() -> None:
    """Compile the door that writes features, called once on its own game."""
    _, features, _ = WinNetwork(2).memory
    vertex_scores = Scratch().vertex_scores
    asked, weights = np.zeros(1, np.int64), row(weights_for(2))
    win_probability.write_features_of_games(
        sample_game(), asked, weights, vertex_scores, rows([features]), 0, 1
    )


def ensure_value() -> None:
    """Compile the value function unless this machine has done so."""
    ensure_compiled("value", open_value, HERE)


def ensure_play_out() -> None:
    """Compile whole games by the value function unless this machine has done so."""
    ensure_compiled("play-out", open_play_out, HERE)


def ensure_runs() -> None:
    """Compile runs of decisions by the value function unless this machine has done so."""
    ensure_compiled("runs", open_runs, HERE)
