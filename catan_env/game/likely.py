"""Deterministic guess of a hidden hand, the same for every observer."""

from collections.abc import Sequence

from catan_env.core.constants import Resource
from catan_env.game.position import Position


def likely_hand(position: Position, seat: int) -> tuple[int, ...]:
    """Return the known cards of the hand; the rest is spread over the kinds it has least of."""
    hand = list(position.known(seat))
    while sum(hand) < position.hand_size(seat):
        hand[min(Resource, key=lambda r: (hand[r], r))] += 1
    return tuple(hand)


def most_numerous(hand: Sequence[int]) -> Resource:
    """Return the resource that the rule of most numerous cards takes next."""
    return max(Resource, key=lambda r: (hand[r], -r))


def likely_discard(position: Position, seat: int) -> Resource:
    """Return the seat's most likely next discard."""
    return most_numerous(likely_hand(position, seat))
