"""A room in the middle of a game, driven message by message."""

from typing import Any

from catan_env import Action, Board, Game, Rules
from catan_env.net.room import Close, Effect, Send
from catan_env.protocols.catan_binary.messages import Message
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom

CLOSED = "closed"
FIRST_LINE = 70
"""The line of seat 0; the others follow."""


class Conversation:
    """A tournament room past MSG_SETUP, its game put into a position (see `Game.from_position`)."""

    def __init__(
        self, seats: int = 4, absent: tuple[int, ...] = (), settings: Any = None, **position: Any
    ) -> None:
        rules = Rules.tournament()
        self.room = CatanRoom(Game(seats=seats, seed=5, rules=rules), Settings(**(settings or {})))
        self.now = 100.0
        opening: list[Effect] = []
        for seat in absent:
            opening += self.room.leave(seat, "never connected", self.now)
        for seat in sorted(set(range(seats)) - set(absent)):
            opening += self.room.opened(FIRST_LINE + seat, self.now)
        self.opening = said(opening)
        if position:
            position.setdefault("board", Board.beginner())
            self.room._dealer.game = Game.from_position(seats=seats, rules=rules, **position)

    @property
    def game(self) -> Game:
        """The room's game."""
        return self.room.game

    def say(self, seat: int, *messages: Message) -> list[tuple[int, Any]]:
        """Return the messages sent because `seat` sends `messages`."""
        effects: list[Effect] = []
        for message in messages:
            effects += self.room.received(FIRST_LINE + seat, message, self.now)
        return said(effects)

    def wait(self, seconds: float, amid_message: tuple[int, ...] = ()) -> list[tuple[int, Any]]:
        """Return the messages sent because time passes."""
        self.now += seconds
        return said(self.room.time(self.now, [FIRST_LINE + seat for seat in amid_message]))

    def dies(self, seat: int, reason: str = "its process exited with status 1") -> Any:
        """Return the messages sent because an agent is gone."""
        return said(self.room.closed(FIRST_LINE + seat, reason, self.now))

    def fate(self, action: Action, outcome: Any) -> None:
        """Give the game a seed with which `action` has this outcome, a roll this sum."""
        for seed in range(10_000):
            self.game._array["seed"] = seed
            drawn = self.game.copy().play(action).outcome
            if outcome == (sum(drawn) if action == Action.roll() else drawn):
                return
        raise AssertionError(f"no seed gives {outcome}")

    @property
    def reasons(self) -> list[str]:
        """The reasons of the removals."""
        return [removal.reason for removal in self.room.removals]


def said(effects: list[Effect]) -> list[tuple[int, Any]]:
    """Effects as (seat, message) pairs; CLOSED for a closed connection."""
    pairs: list[tuple[int, Any]] = []
    for effect in effects:
        if isinstance(effect, Send):
            pairs.append((effect.line - FIRST_LINE, effect.message))
        else:
            assert isinstance(effect, Close)
            pairs.append((effect.line - FIRST_LINE, CLOSED))
    return pairs


def to_all(message: Message, seats: Any = range(4)) -> list[tuple[int, Any]]:
    """Return the same message to each of `seats`."""
    return [(seat, message) for seat in seats]
