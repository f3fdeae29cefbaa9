"""The ids of containers and productions in a game's messages."""

from dataclasses import dataclass

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.cards import NUM_CARDS, NUM_LEADERS
from catan_env.guests.renaissance.native.state import SEATS, SHELVES

A_GAME = 128
"""An upper bound on the ids of one game."""


@dataclass
class Ids:
    """The ids by what they name: `shelves[seat][k]` and so on, depots and productions by leader."""

    shelves: list[list[int]]
    strongbox: list[int]
    base: list[int]
    depots: dict[int, int]
    leader_productions: dict[int, int]
    card_productions: dict[int, int]

    @classmethod
    def given(cls, game: int) -> "Ids":
        """The ids that our server assigns in its n-th game."""
        first = A_GAME * game
        return cls(
            [[first + 4 * seat + k for k in range(SHELVES)] for seat in range(SEATS)],
            [first + 4 * seat + SHELVES for seat in range(SEATS)],
            [first + seat for seat in range(SEATS)],
            {leader: first + 4 * SEATS + leader for leader in range(NUM_LEADERS)},
            {leader: first + SEATS + NUM_CARDS + leader for leader in range(NUM_LEADERS)},
            {card: first + SEATS + card for card in range(NUM_CARDS)},
        )

    @classmethod
    def read(cls, game: m.UpdateGame, seats: dict[str, int]) -> "Ids":
        """The ids that a server has assigned."""
        shelves: list[list[int]] = [[] for _ in range(SEATS)]
        strongbox, base = [-1] * SEATS, [-1] * SEATS
        for player in game.players:
            seat = seats[player.nickname]
            shelves[seat] = list(player.warehouseShelves)
            strongbox[seat], base[seat] = player.strongbox, player.baseProduction
        leaders = game.leaderCards
        return cls(
            shelves,
            strongbox,
            base,
            {card.id: card.containerId for card in leaders if card.containerId >= 0},
            {card.id: card.production for card in leaders if card.production >= 0},
            {card.id: card.production for card in game.developmentCards},
        )
