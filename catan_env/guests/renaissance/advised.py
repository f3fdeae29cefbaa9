"""Networks with advice: their input is the observation, and `greedy`'s value of each action.

The network adds its outputs to the advice, so that with small weights it plays as `greedy` does,
and self-play starts there. The advice is computed from the seat's view.

`shapes`, `tables`, `facts`, `outputs` and `save` are those that `training.self_play` asks of
a game's own network.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from catan_env.adapters.arrays import Join, relu
from catan_env.adapters.weights import write
from catan_env.guests.renaissance.batch import Batch
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.layout import OBSERVATION_SIZE
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.values import action_values
from catan_env.guests.renaissance.view import SeatView, views_of

GAME = "renaissance"
"""The name of the game in a weights file."""
KIND = "advised"
"""The name of this network in a weights file."""
VERSION = 1
SIZE = OBSERVATION_SIZE + NUM_ACTIONS
BEST = 127
"""The advice for the best action; each step below it is 1 / FINENESS of a point."""
FINENESS = 32
TRUST = 0.125
"""The logit of one step of advice."""
CALIBRATION = 400
"""Random steps that show how large the numbers of an observation become."""


def advise(states: Array) -> Array:
    """`greedy`'s advice on views of the seats to decide: (n, 96) uint8, 0 for illegal actions."""
    values = action_values(states)
    below = np.rint(FINENESS * (values - values.max(axis=1, keepdims=True)))
    advice = np.clip(BEST + below, 1, BEST)
    advice[states["mask"] == 0] = 0
    return advice.astype(np.uint8)


class AdvisedBatch(Batch):
    """A `Batch` whose observations, (n, 982) uint8, end with `greedy`'s advice by action.

    The advice is for the seat that decides; that of the others is 0.

    >>> games = AdvisedBatch(2, seats=2, seed=1)
    >>> games.observations.shape, int(games.observations[0, OBSERVATION_SIZE:].max())
    ((2, 982), 127)
    """

    def _width(self) -> int:
        return SIZE

    def _open(self) -> None:
        super()._open()
        self.observation_size = SIZE

    @property
    def rules(self) -> str:
        """The cards, which with `players` determine the network's layout."""
        return self.cards

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.seats

    def refresh(self) -> None:
        """Write `observations` and `action_masks` of the current positions."""
        super().refresh()
        if self.observations is not None:
            self._advise(self.observations)

    def observe(self, seats: ArrayLike, out: Array | None = None) -> Array:
        """See `Batch`."""
        shown = super().observe(seats, out)
        self._advise(shown)
        shown[self.seat != seats, OBSERVATION_SIZE:] = 0
        return shown

    def observation(self, i: int, seat: int) -> Array:
        """See `Batch`."""
        facts = super().observation(i, seat)
        advice = advise(views_of(self.states[i : i + 1]))[0]
        return np.concatenate([facts, advice * (self.seat[i] == seat)])

    def _step(self, actions: Array, shown: Array | None, masks: Array | None) -> None:
        super()._step(actions, shown, masks)
        if shown is not None:
            self._advise(shown)

    def _advise(self, shown: Array) -> None:
        """Write the advice after the observations, which end where it begins."""
        shown[:, OBSERVATION_SIZE:] = advise(views_of(self.states))


def shapes(cards: str, seats: int, hidden: int = 256) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights, the same for all cards and seats."""
    return {
        "first": (SIZE, hidden), "first_bias": (hidden,),
        "second": (hidden, hidden), "second_bias": (hidden,),
        "action": (hidden, NUM_ACTIONS), "action_bias": (NUM_ACTIONS,),
        "value": (hidden, 1), "value_bias": (1,),
    }  # fmt: skip


@cache
def tables(cards: str, seats: int) -> dict[str, Array]:
    """The factors that bring each number of the observation to 0..1."""
    shown = np.zeros((64, OBSERVATION_SIZE), np.uint8)
    games = Batch(64, seats=seats, cards=cards, seed=1, observations=shown)
    most = np.ones(SIZE, np.float32)
    most[OBSERVATION_SIZE:] = BEST
    for _ in range(CALIBRATION):
        most[:OBSERVATION_SIZE] = np.maximum(most[:OBSERVATION_SIZE], shown.max(0))
        games.step(games.sample_legal())
    return {"scale": 1 / most}


def facts(observations: Any, tables: Mapping[str, Any], join: Join) -> Any:
    """The observations themselves, (n, 982); `join` is not needed."""
    return observations


def outputs(
    weights: Mapping[str, Any], facts: Any, tables: Mapping[str, Any], join: Join
) -> tuple[Any, Any]:
    """Outputs and value of `facts`, (n, 982): (n, 96) and (n,)."""
    w = weights
    x = relu(facts * tables["scale"] @ w["first"] + w["first_bias"])
    x = relu(x @ w["second"] + w["second_bias"])
    advice = TRUST * (facts[:, OBSERVATION_SIZE:] - BEST)
    return x @ w["action"] + w["action_bias"] + advice, (x @ w["value"] + w["value_bias"])[:, 0]


def save(path: str | Path, weights: Mapping[str, Any], cards: str, seats: int) -> None:
    """Write a weights file, an `.npz` of float16; ValueError if a number is not finite."""
    scale = tables(cards, seats)["scale"]
    write(
        path,
        weights,
        game=GAME,
        kind=KIND,
        observation_version=VERSION,
        observation_size=SIZE,
        scale=scale,
    )


class Advised:
    """Such a network with the arrays of a weights file; ValueError if their shapes do not fit."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        if int(arrays["observation_version"]) != VERSION:
            raise ValueError(f"layout {arrays['observation_version']}; this is layout {VERSION}")
        asked = {"scale": (SIZE,), **shapes("", 0, len(arrays["first_bias"]))}
        for name, shape in asked.items():
            if arrays[name].shape != shape:
                raise ValueError(f"{name!r} is of shape {arrays[name].shape}, not {shape}")
        self._arrays = {name: arrays[name].astype(np.float32) for name in asked}

    def outputs(self, view: SeatView) -> Array:
        """The outputs for a view, (96,), which may lack refused actions in its mask."""
        inputs = np.concatenate([view.observation, advise(view._array)[0]]).astype(np.float32)
        result: Array = outputs(self._arrays, inputs[None], self._arrays, np.concatenate)[0][0]
        return result
