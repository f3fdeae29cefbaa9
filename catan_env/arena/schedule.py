"""The seats and boards of the games: the rotation that all contests share.

Game k moves every entrant on by one seat from game k - 1. If games are paired, each board is
played in every rotation in which the seats differ before the next, so that no entrant profits
from a good board. Game numbers may be arrays.
"""

from collections.abc import Sequence
from typing import Any


def seat_of(entrant: Any, k: Any, seats: int) -> Any:
    """The seat of an entrant in game number k.

    >>> [seat_of(0, k, 3) for k in range(4)]
    [0, 1, 2, 0]
    """
    return (entrant + k) % seats


def entrant_at(seat: Any, k: Any, seats: int) -> Any:
    """The entrant at a seat in game number k, the inverse of `seat_of`.

    >>> [entrant_at(seat_of(2, k, 4), k, 4) for k in range(4)]
    [2, 2, 2, 2]
    """
    return (seat - k) % seats


def entrants_by_seat(k: int, seats: int) -> tuple[int, ...]:
    """The entrants by seat in game number k.

    >>> entrants_by_seat(1, 3)
    (2, 0, 1)
    """
    return tuple(entrant_at(seat, k, seats) for seat in range(seats))


def games_per_board(names: Sequence[str]) -> int:
    """The rotations of the entrants in which the seats differ; another is the same game again.

    >>> [games_per_board(names) for names in ("ab", "aa", "abab", "aabb")]
    [2, 1, 2, 4]
    """
    return len({tuple(names[k:]) + tuple(names[:k]) for k in range(len(names))})


def board_number(k: Any, rotations: int) -> Any:
    """The number of the board of game k, if every board is played in that many rotations.

    >>> [board_number(k, 2) for k in range(4)]
    [0, 0, 1, 1]
    """
    return k // rotations
