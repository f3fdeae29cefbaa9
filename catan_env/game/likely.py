"""What a hand is likely to hold that nobody sees: a guess, the same for whoever makes it."""

from collections.abc import Sequence

from catan_env.core.constants import Resource
from catan_env.game.table import Table


def likely_hand(table: Table, seat: int) -> tuple[int, ...]:
    """What is known of the hand, and the rest of whatever it is known to hold least."""
    hand = list(table.known(seat))
    while sum(hand) < table.hand_size(seat):
        hand[min(Resource, key=lambda r: (hand[r], r))] += 1
    return tuple(hand)


def most_numerous(hand: Sequence[int]) -> Resource:
    """The resource that the rule of most numerous cards takes next."""
    return max(Resource, key=lambda r: (hand[r], -r))


def likely_discard(table: Table, seat: int) -> Resource:
    """What the seat is likely to discard next."""
    return most_numerous(likely_hand(table, seat))
