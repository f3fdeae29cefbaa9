"""The players that a client remembers."""

from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import Player
from catan_env.protocols.catan_german.seats import MOST_KNOWN, Seats


def test_a_server_that_announces_players_without_end_fills_no_memory() -> None:
    seats = Seats()
    seats.me = 7 * MOST_KNOWN
    for id in range(1, 3 * MOST_KNOWN):
        seats.hear(Player(id, status=words.GONE))
    seats.hear(Player(seats.me, status=words.READY))
    seats.hear(Player(1, status=words.READY))
    assert len(seats.players) == MOST_KNOWN + 1
    seats.begin()
    assert seats.number == 2
