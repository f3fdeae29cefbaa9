"""Functions of this game for `training.self_play`, besides `Batch`: potentials, and a teacher.

`potentials` measures what seats have built; `prospects` is `greedy`'s value of a position.
"""

import numpy as np

from catan_env.guests.renaissance import values
from catan_env.guests.renaissance.batch import STAY, Batch
from catan_env.guests.renaissance.native.cards import LEADER_POINTS, LEADERS, POINTS
from catan_env.guests.renaissance.native.lookahead import NEVER
from catan_env.guests.renaissance.native.state import ACTIVE, SEATS, WON
from catan_env.guests.renaissance.native.track import TILE_POINTS, TRACK_POINTS
from catan_env.guests.renaissance.position import Array
from catan_env.guests.renaissance.view import views_of

MOST_GOODS = 15
A_WIN = 20.0
"""The difference of the hand-written value that counts as much as a win."""


def potentials(batch: Batch) -> Array:
    """Each seat's progress, minus that of the best other seat: (n, 4) float32.

    In the solo game the cross takes the others' place.
    """
    built = np.zeros((batch.num_games, SEATS), np.float32)
    built[:, : batch.seats] = progress(batch.states)[:, : batch.seats]
    if batch.seats == 1:
        built[:, 0] -= batch.states["cross"] / 24
        return built
    return ahead(built, batch.seats)


def progress(states: Array) -> Array:
    """Points over 20, cards over 10, goods up to 15 over 75, faith over 48: (n, 4) float32."""
    card_points = np.append(states["dev"][0][:, POINTS], 0)  # the last for an empty place
    leaders = np.array([row[LEADER_POINTS] for row in LEADERS] + [0])
    points = (
        card_points[states["slot"]].sum(axis=(2, 3)) + np.asarray(TRACK_POINTS)[states["faith"]]
    )
    points = points + ((states["tile"] == WON) * np.asarray(TILE_POINTS)).sum(axis=2)
    active = states["leader_state"] == ACTIVE
    points = points + (leaders[states["leader"]] * active).sum(axis=2)
    goods = states["shelf_count"].sum(axis=2) + states["depot"].sum(axis=2)
    goods = np.minimum(goods + states["strongbox"].sum(axis=2), MOST_GOODS)
    built = points / 20 + states["height"].sum(axis=2) / 10 + goods / 75 + states["faith"] / 48
    result: Array = built.astype(np.float32)
    return result


def prospects(batch: Batch) -> Array:
    """The value of each seat's position a turn ahead, minus that of the best other: (n, 4).

    It is that of the full state: the lookahead turns up the covered cards, unlike that of `rank`.
    """
    counted = values.prospects(batch.states) / A_WIN
    return counted if batch.seats == 1 else ahead(counted, batch.seats)


def ahead(counted: Array, seats: int) -> Array:
    """Each seat's lead over the best other seat: (n, 4)."""
    result = np.zeros_like(counted)
    for seat in range(seats):
        others = np.delete(counted[:, :seats], seat, axis=1).max(axis=1)
        result[:, seat] = counted[:, seat] - others
    return result


def rank(batch: Batch, k: int) -> tuple[Array, Array]:
    """The `k` best actions of `greedy` in each game and their values, best first.

    (n, k) int64 and float64; STAY fills missing actions. Nothing hidden from the seat is read.
    """
    worth = values.action_values(views_of(batch.states))
    order = np.argsort(-worth, axis=1)[:, :k]
    worth = np.take_along_axis(worth, order, axis=1)
    return np.where(worth > NEVER, order, STAY), worth
