"""The visitors of a table with their names and colours, and the choice of the first player."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from catan_env.protocols.catan_german import words

LONGEST_NAME = 100
LONGEST_GREETING = 10.0
"""Seconds in which a newcomer must send Hallo."""
LONGEST_CHOICE = 600.0
"""Seconds in which it must start the game; afterwards it may wait indefinitely."""
MOST_TALK = 50.0
"""The burst of messages without effect on a game: chat, and changes in the lobby."""
TALK_RATE = 2.0
"""The rate per second at which that allowance is restored."""


@dataclass
class Guest:
    """A client on a line."""

    line: int
    came_at: float
    id: int = 0
    """0 before its Hallo."""
    name: str | None = None
    colour: str | None = None
    status: str = words.CHOOSING
    seat: int | None = None
    """Set once the game has started."""
    refusals: int = 0
    """In the turn `refused_in`."""
    refused_in: int = 0
    talk_left: float = MOST_TALK
    talked_at: float | None = None

    @property
    def due(self) -> float | None:
        """The time by which it must have advanced in the lobby; None once it has started."""
        if self.status != words.CHOOSING:
            return None
        return self.came_at + (LONGEST_CHOICE if self.id else LONGEST_GREETING)

    def may_talk(self, now: float) -> bool:
        """Count a message without effect on the game; returns True unless it is one too many."""
        since = now - (self.came_at if self.talked_at is None else self.talked_at)
        self.talk_left = min(MOST_TALK, self.talk_left + TALK_RATE * since)
        self.talked_at = now
        if self.talk_left < 1:
            return False
        self.talk_left -= 1
        return True


class Lobby:
    """The guests by line; `places` of them can play, of which `reserved` are for known lines."""

    def __init__(self, places: int, reserved: int = 0) -> None:
        self.places = places
        self.guests: dict[int, Guest] = {}
        self.place_of: dict[int, int] = {}
        """The places that were assigned to lines before they sent anything."""
        self._reserved = reserved

    @property
    def players(self) -> list[Guest]:
        """The guests with an id, in the order of ids."""
        return sorted((g for g in self.guests.values() if g.id), key=lambda g: g.id)

    @property
    def deadline(self) -> float | None:
        """The earliest deadline of a guest still choosing."""
        return min((g.due for g in self.guests.values() if g.due is not None), default=None)

    def late(self, now: float) -> list[Guest]:
        """Guests that occupy a line or a place without starting the game."""
        return [g for g in self.guests.values() if g.due is not None and g.due <= now]

    def has_place_for(self, line: int) -> bool:
        """True if there is room for one more player."""
        if line in self.place_of:
            return True
        others = [player for player in self.players if player.line not in self.place_of]
        return len(others) < self.places - self._reserved

    @property
    def are_all_reserved(self) -> bool:
        """True if every place is for a known line."""
        return self._reserved == self.places

    @property
    def all_wait(self) -> bool:
        """True if the agreed number of players have started the game."""
        return sum(player.status == words.READY for player in self.players) == self.places

    def free_id(self, line: int) -> int:
        """A free id: that of the reserved place, or one after the reserved ones."""
        taken = {player.id for player in self.players}
        taken |= {place + 1 for other, place in self.place_of.items() if other != line}
        first = self.place_of[line] + 1 if line in self.place_of else self._reserved + 1
        numbers = range(first, first + self.places + len(taken) + 1)
        return next(number for number in numbers if number not in taken)

    def is_taken(self, colour: str | None) -> bool:
        """True if a guest waiting for the game has this colour."""
        return any(p.colour == colour and p.status == words.READY for p in self.players)


def rolls_for_order(players: int, dice: Random) -> list[tuple[int, tuple[int, int]]]:
    """The rolls for the order: each player in turn, then again those that tie for the highest.

    The highest roller of the last round, which has no tie, begins.
    """
    rolls: list[tuple[int, tuple[int, int]]] = []
    rolling = list(range(players))
    while len(rolling) > 1:
        thrown = [(player, (dice.randint(1, 6), dice.randint(1, 6))) for player in rolling]
        rolls += thrown
        most = max(sum(roll) for _, roll in thrown)
        rolling = [player for player, roll in thrown if sum(roll) == most]
    return rolls


def first_of(rolls: Sequence[tuple[int, tuple[int, int]]]) -> int:
    """The player who begins after these rolls: the highest of the last round.

    >>> first_of([(0, (1, 2)), (1, (4, 4)), (2, (5, 3)), (1, (1, 1)), (2, (1, 2))])
    2
    """
    best, last = 0, -1
    for player, roll in rolls:
        if player <= last:  # another round
            best = 0
        if sum(roll) > best:
            best, first = sum(roll), player
        last = player
    return first
