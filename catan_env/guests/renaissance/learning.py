"""What `training.self_play` needs of this game besides `Batch`: what a position promises a seat."""

import numpy as np

from catan_env.guests.renaissance.batch import Batch
from catan_env.guests.renaissance.native.cards import LEADER_POINTS, LEADERS, POINTS
from catan_env.guests.renaissance.native.state import ACTIVE, SEATS, WON
from catan_env.guests.renaissance.native.track import TILE_POINTS, TRACK_POINTS
from catan_env.guests.renaissance.position import Array

MOST_GOODS = 15


def potentials(batch: Batch) -> Array:
    """What each seat has built, over what the best of the others has: (n, 4) float32.

    In the solo game the cross stands for the others.
    """
    built = np.zeros((batch.num_games, SEATS), np.float32)
    built[:, : batch.seats] = progress(batch.states)[:, : batch.seats]
    if batch.seats == 1:
        built[:, 0] -= batch.states["cross"] / 24
        return built
    result = np.zeros_like(built)
    for seat in range(batch.seats):
        others = np.delete(built[:, : batch.seats], seat, axis=1).max(axis=1)
        result[:, seat] = built[:, seat] - others
    return result


def progress(states: Array) -> Array:
    """Points over 20, cards over 10, goods up to 15 over 75, faith over 48: (n, 4) float32."""
    worth = np.append(states["dev"][0][:, POINTS], 0)  # the last for an empty place
    leaders = np.array([row[LEADER_POINTS] for row in LEADERS] + [0])
    points = worth[states["slot"]].sum(axis=(2, 3)) + np.asarray(TRACK_POINTS)[states["faith"]]
    points = points + ((states["tile"] == WON) * np.asarray(TILE_POINTS)).sum(axis=2)
    active = states["leader_state"] == ACTIVE
    points = points + (leaders[states["leader"]] * active).sum(axis=2)
    goods = states["shelf_count"].sum(axis=2) + states["depot"].sum(axis=2)
    goods = np.minimum(goods + states["strongbox"].sum(axis=2), MOST_GOODS)
    built = points / 20 + states["height"].sum(axis=2) / 10 + goods / 75 + states["faith"] / 48
    result: Array = built.astype(np.float32)
    return result
