"""A game as known to one seat's player: writes what the messages announce into its state."""

from dataclasses import dataclass, field
from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.native.cards import COLOUR, COLOURS, LEVEL, LEVELS, NUM_LEADERS
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    DEALT,
    DISCARDED,
    EMPTY,
    IN_HAND,
    KEPT,
    LORENZO,
    LOST,
    NOBODY,
    WON,
    fill_box,
    new_states,
)
from catan_env.guests.renaissance.position import Array


def _box() -> Array:
    array = new_states(1)
    fill_box(array)
    return array


@dataclass
class Known:
    """One game, seen from `seat`; `array` is the block of memory with everything known of it."""

    names: list[str]
    seat: int
    ids: Ids
    tokens: dict[int, m.ActionToken] = field(default_factory=dict)
    """Lorenzo's tokens, by id."""
    token_rows: dict[int, int] = field(default_factory=dict)
    """Their rows in the state."""
    sections: dict[int, int] = field(default_factory=dict)
    """The sections of the pope's favours, 0 to 2, by the server's ids."""
    is_from_start: bool = True
    """True if every event since the start of the game was received."""
    array: Array = field(default_factory=_box)

    def __post_init__(self) -> None:
        self.state["viewer"], self.state["seats"] = self.seat, len(self.names)

    @property
    def state(self) -> Any:
        """The record of the known state, by the names of native/state.py."""
        return self.array[0]

    def take_card(self, card: int) -> None:
        """Remove a card from its stack."""
        colour, level = self.state["dev"][card][[COLOUR, LEVEL]]
        if self.state["left"][colour, level - 1]:
            self.state["left"][colour, level - 1] -= 1

    def fill_slot(self, seat: int, slot: int, cards: list[int]) -> None:
        """Set the cards in a seat's slot, bottom first."""
        state = self.state
        state["slot"][seat, slot] = EMPTY
        state["slot"][seat, slot][: len(cards)] = cards
        state["height"][seat, slot] = len(cards)

    def fill_box(self, number: int, content: m.Map | None) -> None:
        """Set the contents of a container."""
        state, counts = self.state, m.goods_of(content)
        for seat in range(len(self.names)):
            if number in self.ids.shelves[seat]:
                shelf = self.ids.shelves[seat].index(number)
                state["shelf_count"][seat, shelf] = sum(counts)
                good = next((good for good, count in enumerate(counts) if count), EMPTY)
                state["shelf_good"][seat, shelf] = good
            elif number == self.ids.strongbox[seat]:
                state["strongbox"][seat] = counts
            else:
                self._fill_depot(seat, number, sum(counts))

    def _fill_depot(self, seat: int, number: int, count: int) -> None:
        for i, leader in enumerate(self.state["leader"][seat].tolist()):
            is_open = self.state["leader_state"][seat, i] == ACTIVE
            if is_open and self.ids.depots.get(leader) == number:
                self.state["depot"][seat, i] = count

    def keep(self, leaders: list[int]) -> None:
        """Set the two leaders that this seat has kept, in ascending order."""
        state = self.state
        state["leader"][self.seat][: len(leaders)] = sorted(leaders)
        state["leader_state"][self.seat] = IN_HAND
        state["has_kept"][self.seat] = 1

    @property
    def leaders_left(self) -> int:
        """The number of this seat's leaders that are not known to be discarded."""
        return int((self.state["leader_state"][self.seat] != DISCARDED).sum())

    def note_discards(self, hand: list[int]) -> None:
        """Mark this seat's leaders that are not in `hand` as discarded, unless they are active."""
        states = self.state["leader_state"][self.seat]
        for i, leader in enumerate(self.state["leader"][self.seat].tolist()):
            if leader not in hand and states[i] == IN_HAND:
                states[i] = DISCARDED

    def count_leaders(self, seat: int, count: int) -> None:
        """Set the number of another seat's leaders, active ones included."""
        state = self.state
        if count == DEALT:
            return
        state["has_kept"][seat] = 1
        for i in range(KEPT):
            there = int((state["leader_state"][seat] != DISCARDED).sum())
            if there > count and state["leader_state"][seat, i] == IN_HAND:
                state["leader_state"][seat, i] = DISCARDED

    def reveal(self, seat: int, leaders: list[int]) -> None:
        """Note the kept leaders of another seat that its player has shown."""
        if self.state["has_kept"][seat]:
            for leader in leaders:
                self._place_of(seat, leader)

    def activate(self, seat: int, leader: int) -> None:
        """Activate a seat's leader; for another seat, this reveals the leader."""
        place = self._place_of(seat, leader)
        if place is None:
            raise ValueError(f"leader {leader} is not one of seat {seat}")
        self.state["leader_state"][seat, place] = ACTIVE

    def _place_of(self, seat: int, leader: int) -> int | None:
        """The place of a seat's leader: a hidden one's if it was unknown; None if there is none."""
        known = self.state["leader"][seat].tolist()
        if leader in known:
            return known.index(leader)
        held = self.state["leader_state"][seat].tolist()
        hidden = [i for i in range(KEPT) if (known[i], held[i]) == (EMPTY, IN_HAND)]
        if not hidden or not 0 <= leader < NUM_LEADERS:
            return None
        self.state["leader"][seat, hidden[0]] = leader
        return hidden[0]

    def hold_report(self, section: int, winners: list[str] | str | None) -> None:
        """Settle the report of a section; `winners` have won its tile."""
        k = self.sections[section]
        names = [winners] if isinstance(winners, str) else winners or []
        self.state["reported"][k] = 1
        for seat, name in enumerate(self.names):
            self.state["tile"][seat, k] = WON if name in names else LOST

    def read_market(self, market: m.Market) -> None:
        """Set the marbles of the market."""
        marbles = [*(name for row in market.grid for name in row), market.slide]
        self.state["market"] = [m.marble_of(name) for name in marbles]

    def read_grid(self, cards: m.TopCards) -> None:
        """Set the top cards by colour: a list by level, from level 0 or 1 on.

        The protocol's text nests the list, or the card of each level, in another list.
        """
        for name, column in cards.items():
            rows = [self._row_of(card) for card in flat(column or [])]
            by_level = [*rows[self._place_of_level_1(rows) :], *[EMPTY] * LEVELS]
            self.state["top"][COLOURS.index(name)] = by_level[:LEVELS]

    def _row_of(self, card: int | None) -> int:
        """The row of a card; EMPTY for an empty stack, which may have a negative number."""
        if card is None or (card < 0 and card not in self.ids.cards):
            return EMPTY
        return self.ids.cards.index(card)

    def _place_of_level_1(self, rows: list[int]) -> int:
        """1 if a list begins with level 0: by its length, or by the level of its first card."""
        if len(rows) > LEVELS:
            return 1
        cards = [k for k, row in enumerate(rows) if row != EMPTY]
        return int(cards != [] and self.state["dev"][rows[cards[0]], LEVEL] == cards[0])

    def note_winner(self, name: str | None) -> None:
        """Set the winner; without a player's name it is Lorenzo in a solo game, otherwise none."""
        if name in self.names:
            self.state["winner"] = self.names.index(name)
        elif len(self.names) == 1:
            self.state["winner"] = LORENZO
        else:
            self.state["winner"] = NOBODY


def flat(column: list[int | list[int | None] | None]) -> list[int | None]:
    """The cards of a colour, without the lists around them.

    >>> flat([[None, 5, 29, 33]]), flat([[5], [], [33]]), flat([None, 5, 29, 33])
    ([None, 5, 29, 33], [5, None, 33], [None, 5, 29, 33])
    """
    if len(column) == 1 and isinstance(column[0], list):
        return column[0]
    return [(one or [None])[0] if isinstance(one, list) else one for one in column]
