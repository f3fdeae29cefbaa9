"""A room, and clients that send messages as a test wants and record the answers."""

from typing import Any

import msgspec

from catan_env import Game, Rules
from catan_env.net import Connection
from catan_env.net.room import Close, Send
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import NAMES, body_of, said_by_clients
from catan_env.protocols.catan_german.play import Settings
from catan_env.protocols.catan_german.room import GermanRoom

COLOURS = ("Rot", "Orange", "Blau", "Weiß")


class People:
    """Lines 0, 1, ... at one room; everything is sent as JSON."""

    def __init__(self, version: str = "1.0", seats: int = 3, seed: int = 1, **how: Any) -> None:
        game = Game(seats, seed, Rules.german(version))
        self.room = GermanRoom(game, Settings(version, **how))
        self.heard: dict[int, list[tuple[str, Any]]] = {}
        self.closed: list[int] = []
        self.now = 0.0
        self._ends: dict[int, Connection[Any]] = {}
        self._version = version

    def come(self, line: int) -> None:
        """Connect."""
        self.heard[line] = []
        self._ends[line] = Connection(GermanCodec(said_by_clients(self._version)))
        self.do(self.room.opened(line, self.now))

    def do(self, effects: list[Any]) -> None:
        """Record the room's messages."""
        for effect in effects:
            if isinstance(effect, Send):
                body = msgspec.to_builtins(body_of(effect.message))
                self.heard[effect.line].append((NAMES[type(effect.message)], body))
            elif isinstance(effect, Close):
                self.closed.append(effect.line)

    def say(self, line: int, name: str, **body: Any) -> list[tuple[str, Any]]:
        """Send a message; return this line's immediate answers. In keys "_" means a blank."""
        fields = {key.replace("_", " "): value for key, value in body.items()}
        return self.send(line, msgspec.json.encode({name: fields}) + b"\n")

    def send(self, line: int, data: bytes) -> list[tuple[str, Any]]:
        """Send bytes; return this line's immediate answers."""
        before = len(self.heard[line])
        for message in self._ends[line].receive(data):
            self.do(self.room.received(line, message, self.now))
        return self.heard[line][before:]

    def leave(self, line: int) -> None:
        """Close the connection."""
        self.do(self.room.closed(line, "gone", self.now))

    def wait(self, seconds: float) -> None:
        """Let time pass, deadline by deadline."""
        until = self.now + seconds
        while self.room.deadline is not None and self.room.deadline <= until:
            self.now = self.room.deadline
            self.do(self.room.time(self.now))
        self.now = until

    def start(self) -> "People":
        """Let all players connect and start the game."""
        for line in range(self.room.game.seats):
            self.come(line)
            self.say(line, "Hallo", Version="x")
            self.say(line, "Spieler", Name=f"P{line}", Farbe=COLOURS[line])
            self.say(line, "Spiel starten")
        return self

    @property
    def acting(self) -> int:
        """The line of the acting seat."""
        return self.room.seated[self.room.game.seat].line

    def act(self) -> list[tuple[str, Any]]:
        """Let the acting seat do what the server would do for it."""
        from catan_env.protocols.catan_german.play import by_rule

        play = self.room.play
        assert play is not None
        message = play.speech.request(play.game, by_rule(play.game))
        said = msgspec.to_builtins(body_of(message))
        return self.send(self.acting, msgspec.json.encode({NAMES[type(message)]: said}))

    def act_until(self, phase: str) -> "People":
        """Play until the game waits for that."""
        while self.room.game.phase.name != phase:
            self.act()
        return self


def names(said: list[tuple[str, Any]]) -> list[str]:
    """The names of the messages; an OK is "OK"."""
    return [body if name == "Serverantwort" and body == "OK" else name for name, body in said]


def is_refused(said: list[tuple[str, Any]]) -> bool:
    """True if the answer is only a Serverantwort with a reason."""
    return len(said) == 1 and said[0][0] == "Serverantwort" and said[0][1] != "OK"
