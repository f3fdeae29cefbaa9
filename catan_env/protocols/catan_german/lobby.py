"""Who has come to a table and under which name and colour, and who begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from catan_env.protocols.catan_german import words

LONGEST_NAME = 100
LONGEST_GREETING = 10.0
"""Seconds in which a newcomer must say Hallo."""
LONGEST_CHOICE = 600.0
"""Seconds in which it must start the game; who has started it may wait as long as it likes."""
MOST_TALK = 50.0
"""Messages at once that no game waits for: chat, and changes in the lobby."""
TALK_RATE = 2.0
"""How many of them come back in a second."""


@dataclass
class Guest:
    """Somebody at the other end of a line."""

    line: int
    came_at: float
    id: int = 0
    """0 before its Hallo."""
    name: str | None = None
    colour: str | None = None
    status: str = words.CHOOSING
    seat: int | None = None
    """Once the game has begun."""
    refusals: int = 0
    """In the turn `refused_in`."""
    refused_in: int = 0
    talk_left: float = MOST_TALK
    talked_at: float | None = None

    @property
    def due(self) -> float | None:
        """When it must have gone on in the lobby; None once it waits for the game, or plays."""
        if self.status != words.CHOOSING:
            return None
        return self.came_at + (LONGEST_CHOICE if self.id else LONGEST_GREETING)

    def may_talk(self, now: float) -> bool:
        """Count a message that no game waits for; whether it is not one too many."""
        since = now - (self.came_at if self.talked_at is None else self.talked_at)
        self.talk_left = min(MOST_TALK, self.talk_left + TALK_RATE * since)
        self.talked_at = now
        if self.talk_left < 1:
            return False
        self.talk_left -= 1
        return True


class Lobby:
    """The guests by line; `places` of them can play, `reserved` ones on lines that are known."""

    def __init__(self, places: int, reserved: int = 0) -> None:
        self.places = places
        self.guests: dict[int, Guest] = {}
        self.place_of: dict[int, int] = {}
        """The places that were given to lines before they said anything."""
        self._reserved = reserved

    @property
    def players(self) -> list[Guest]:
        """Who has an id, in the order of ids."""
        return sorted((g for g in self.guests.values() if g.id), key=lambda g: g.id)

    @property
    def deadline(self) -> float | None:
        """When the first of those who still choose is out of time."""
        return min((g.due for g in self.guests.values() if g.due is not None), default=None)

    def late(self, now: float) -> list[Guest]:
        """Who takes up a line or a place and starts no game."""
        return [g for g in self.guests.values() if g.due is not None and g.due <= now]

    def has_place_for(self, line: int) -> bool:
        """Whether one more player finds a place."""
        if line in self.place_of:
            return True
        others = [player for player in self.players if player.line not in self.place_of]
        return len(others) < self.places - self._reserved

    @property
    def all_wait(self) -> bool:
        """Whether as many as agreed have started the game."""
        return sum(player.status == words.READY for player in self.players) == self.places

    def free_id(self, line: int) -> int:
        """An id that nobody has (1): that of the reserved place, or one behind the reserved."""
        taken = {player.id for player in self.players}
        taken |= {place + 1 for other, place in self.place_of.items() if other != line}
        first = self.place_of[line] + 1 if line in self.place_of else self._reserved + 1
        numbers = range(first, first + self.places + len(taken) + 1)
        return next(number for number in numbers if number not in taken)

    def is_taken(self, colour: str | None) -> bool:
        """Whether somebody who waits for the game has this colour."""
        return any(p.colour == colour and p.status == words.READY for p in self.players)


def rolls_for_order(players: int, dice: Random) -> list[tuple[int, tuple[int, int]]]:
    """Who rolled what, in order: each in turn, then again who ties for the most.

    Whoever rolls the most in the end begins: the last list of rolls has one highest.
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
    """Who begins after these rolls: the highest of the last round.

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
