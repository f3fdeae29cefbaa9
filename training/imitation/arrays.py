"""Demonstrations from arrays that were saved: the games of people, or of other programs."""

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import DAMAGED
from catan_env.core.constants import SEATS
from catan_env.game.observation import OBSERVATION_SIZE, OBSERVATION_VERSION
from catan_env.training.folder import json_in
from catan_env.training.imitation.demonstrations import Demonstrations

Array = np.ndarray[Any, Any]
UNSEEN_EVERY = 10
"""Boards of which one is not learned from."""
COLUMNS = ("observations", "masks", "actions", "results", "games")


def load_demonstrations(folder: Path, choices: int) -> tuple[Demonstrations, Demonstrations]:
    """The decisions in a folder that `training.datasets` wrote: to learn from, and to validate by.

    ValueError if the folder has none, or those of another version of the observation.
    """
    files = sorted(folder.glob("games_*.npz"))
    if not files:
        writer = "python -m catan_env.training.datasets"
        raise ValueError(f"{folder}: it has no games_*.npz, which {writer} writes")
    facts = facts_of(folder)
    parts = [_columns_in(file) for file in files]
    every = {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}
    if every["observations"].shape[1:] != (OBSERVATION_SIZE,):
        raise ValueError(f"{folder}: {every['observations'].shape[1:]} numbers per observation")
    boards, numbers = np.unique(every["games"] // games_per_board(facts), return_inverse=True)
    is_unseen = numbers % UNSEEN_EVERY == UNSEEN_EVERY - 1
    if not is_unseen.any():
        least = f"{UNSEEN_EVERY} at least"
        raise ValueError(f"{folder}: games on {len(boards)} boards; {least}")
    return _chosen(every, ~is_unseen, choices), _chosen(every, is_unseen, choices)


def _columns_in(file: Path) -> dict[str, Array]:
    try:
        with np.load(file) as archive:
            columns = {name: archive[name] for name in COLUMNS if name in archive}
    except DAMAGED:
        raise ValueError(f"{file}: it is damaged, or no archive of arrays") from None
    missing = [name for name in COLUMNS if name not in columns]
    if missing:
        raise ValueError(f"{file}: it has no {', '.join(missing)}")
    return columns


def facts_of(folder: Path) -> dict[str, Any]:
    """The facts of the games, as `facts.json` has them; none without that file.

    ValueError for observations of another version.
    """
    file = folder / "facts.json"
    facts = json_in(file) if file.exists() else {}
    version = facts.get("observation_version", OBSERVATION_VERSION)
    if version != OBSERVATION_VERSION:
        raise ValueError(f"{folder}: observations of version {version}, not {OBSERVATION_VERSION}")
    return facts


def games_per_board(facts: dict[str, Any]) -> int:
    """The games with consecutive numbers on the same board; 1 for records.

    Older facts do not say it: the entrants met in every rotation, and records have one name.
    """
    number: int = facts.get("games_per_board", len(facts.get("names", ["?"])))
    return number


def _chosen(every: dict[str, Array], rows: Array, choices: int) -> Demonstrations:
    """Those decisions; each action was certain, and a result of 0 is that of a game cut off."""
    results = every["results"][rows]
    made = Demonstrations(len(results), choices)
    actions = np.zeros((len(results), choices), np.int64)
    probs = np.zeros((len(results), choices))
    actions[:, 0], probs[:, 0] = every["actions"][rows], 1
    masks = np.unpackbits(every["masks"][rows], axis=1)
    numbers = made.add(every["observations"][rows], masks, actions, probs)
    points = np.full((len(results), SEATS), np.nan)
    made.conclude(numbers, np.where(results == 0, np.nan, results), points)
    return made
