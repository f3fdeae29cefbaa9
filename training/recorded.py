"""The decisions of a saved game as arrays."""

from typing import Any

import numpy as np

from catan_env.game.game import Game
from catan_env.game.observation import NUM_ACTIONS, OBSERVATION_SIZE
from catan_env.notation.follow import follow
from catan_env.notation.record import Record

Columns = dict[str, np.ndarray[Any, Any]]


def recorded(record: Record, number: int, forced: bool) -> Columns:
    """The columns of `catan_env.training.datasets` for a saved game; an entrant is its seat.

    Decisions of the table and actions without an index, such as free trades, are left out.
    """
    game, past = record.game, record.begin()
    assert isinstance(past, Game)
    seen, masks, actions, seats = [], [], [], []
    happened = len(past.events)
    while happened < len(game.events):
        event = game.events[happened]
        index, mask = event.action.index, past.action_mask
        if index is not None and event.seat == past.seat and mask[index]:
            if forced or mask.sum() > 1:
                seen.append(past.observe(past.seat))
                masks.append(np.packbits(mask))
                actions.append(index)
                seats.append(past.seat)
        happened += len(follow(past, event))
    rows = len(actions)
    last = np.zeros(rows, np.bool_)
    for seat in set(seats):
        last[rows - 1 - seats[::-1].index(seat)] = True
    of_seats = [result(game, seat) for seat in range(game.seats)]
    return {
        "observations": np.array(seen, np.int8).reshape(rows, OBSERVATION_SIZE),
        "masks": np.array(masks, np.uint8).reshape(rows, -(-NUM_ACTIONS // 8)),
        "actions": np.array(actions, np.int16),
        "seats": np.array(seats, np.int8),
        "entrants": np.array(seats, np.int8),
        "games": np.full(rows, number, np.int32),
        "results": np.array([of_seats[seat] for seat in seats], np.float32),
        "last": last,
    }


def result(game: Game, seat: int) -> float:
    """1 for a win, -1/(seats - 1) for a loss, 0 if the game has no winner."""
    if game.winner is None:
        return 0.0
    return 1.0 if game.winner == seat else -1 / (game.seats - 1)
