"""The ids of cards, leaders, containers and productions in a game's messages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.cards import NUM_CARDS, NUM_LEADERS
from catan_env.guests.renaissance.native.state import SEATS, SHELVES

A_GAME = 128
"""An upper bound on the ids of one game."""


@dataclass
class Ids:
    """The ids by what they name: `shelves[seat][k]` and so on, and all others by the row of a card
    or leader in the state; `cards` and `leaders` have the ids of the rows themselves.
    """

    shelves: list[list[int]]
    strongbox: list[int]
    base: list[int]
    depots: dict[int, int]
    leader_productions: dict[int, int]
    card_productions: dict[int, int]
    cards: Sequence[int] = range(NUM_CARDS)
    leaders: Sequence[int] = range(NUM_LEADERS)

    def card_rows(self, cards: Iterable[int]) -> list[int]:
        """The rows of cards; ValueError for an unknown one."""
        return [self.cards.index(card) for card in cards]

    def leader_rows(self, leaders: Iterable[int]) -> list[int]:
        """The rows of leaders; ValueError for an unknown one."""
        return [self.leaders.index(leader) for leader in leaders]

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
        """The ids that a server has assigned; ValueError if two cards have the same."""
        shelves: list[list[int]] = [[] for _ in range(SEATS)]
        strongbox, base = [-1] * SEATS, [-1] * SEATS
        for player in game.players:
            seat = seats[player.nickname]
            shelves[seat] = list(player.warehouseShelves)
            strongbox[seat], base[seat] = player.strongbox, player.baseProduction
        cards = numbered([card.id for card in game.developmentCards], NUM_CARDS, "developmentCards")
        leaders = numbered([card.id for card in game.leaderCards], NUM_LEADERS, "leaderCards")
        boxes, recipes = depots_of(game), {recipe.id for recipe in game.productions}
        rows = [(leaders.index(card.id), card) for card in game.leaderCards]
        return cls(
            shelves,
            strongbox,
            base,
            {row: card.containerId for row, card in rows if card.containerId in boxes},
            {row: card.production for row, card in rows if card.production in recipes},
            {cards.index(card.id): card.production for card in game.developmentCards},
            cards,
            leaders,
        )


def depots_of(game: m.UpdateGame) -> dict[int, int]:
    """The sizes of the containers that are not a player's shelf or strongbox, by id."""
    owned = {box for one in game.players for box in (*one.warehouseShelves, one.strongbox)}
    return {box.id: box.size for box in game.resContainers if box.id not in owned}


def leader_recipes_of(game: m.UpdateGame) -> dict[int, m.Recipe]:
    """The productions that are not a player's base production or a development card's, by id."""
    others = {player.baseProduction for player in game.players}
    others |= {card.production for card in game.developmentCards}
    return {recipe.id: recipe for recipe in game.productions if recipe.id not in others}


def numbered(ids: list[int], rows: int, of: str) -> Sequence[int]:
    """The id of each row: the row itself if all ids are rows, otherwise the ids in ascending order.

    >>> numbered([2, 0], 3, "cards"), numbered([7, 3, -1], 3, "cards")
    (range(0, 3), [-1, 3, 7])
    """
    if len(ids) > rows:
        raise ValueError(f"there are {len(ids)} {of}; allowed are {rows} at most")
    for number in ids:
        if ids.count(number) > 1:
            raise ValueError(f"id of {of} is {number}; allowed are different ones")
    return range(rows) if all(0 <= number < rows for number in ids) else sorted(ids)
