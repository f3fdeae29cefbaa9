"""Meetings (one scheduled game each), and the settings shared by a league's games."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from catan_env.arena.schedule import board_number, entrants_by_seat
from catan_env.game.chance import new_secret
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.protocols.catan_german.messages import VERSIONS

PROTOCOLS = ("binary", "german")


@dataclass(frozen=True)
class Meeting:
    """The n-th game of the same entrants, counted from 0."""

    line_up: tuple[int, ...]
    """Entrants by id, ascending."""
    number: int

    @property
    def key(self) -> str:
        """The line-up in the ledger's form."""
        return " ".join(map(str, self.line_up))

    @property
    def seats(self) -> tuple[int, ...]:
        """The entrant of each seat, or of each lobby place if the first player is rolled."""
        places = entrants_by_seat(self.number, len(self.line_up))
        return tuple(self.line_up[place] for place in places)


@dataclass(frozen=True)
class MatchSettings:
    """The settings that all games of a league share.

    A line-up meets on each board once in every rotation of the seats before the next board. The
    board follows from the league's seed, the line-up and the meeting's number; so do the dice of
    games between policies, and of all games of a league with `predictable` chance. Other games over
    a protocol draw from a separate secret, which is new each time that the meeting is played.

    >>> settings = MatchSettings(seats=2, rules="duel")
    >>> first, second = (settings.new_game(Meeting((3, 8), k)) for k in range(2))
    >>> first.board == second.board, Meeting((3, 8), 0).seats, Meeting((3, 8), 1).seats
    (True, (3, 8), (8, 3))
    """

    seats: int = 4
    rules: str = "base"
    player_trade: bool = True
    """False if seats do not trade with each other, whatever the rules' name says."""
    board: str = "spiral"
    seed: int = 0
    predictable: bool = False
    """True if games over a protocol also draw from their seed."""
    max_turns: int = 1000
    """The turns after which a game is cut off; 0: no limit."""
    protocol: str | None = None
    """The protocol of commands: "binary", "german"; None: only policies play, in one process."""
    protocol_version: str = "1.0"
    """The version of the German protocol."""
    timeout: int = 5
    """In games over a protocol: seconds per turn (German: per decision); 0: no limit."""
    announced: bool = True
    """True if the binary protocol announces card movements that a seat cannot compute."""
    threads: int = 1
    memory: int = 512
    """MiB of address space, for an agent's processes in total."""

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> "MatchSettings":
        """The settings in a ledger."""
        names = cls.__dataclass_fields__
        return cls(**{name: value for name, value in settings.items() if name in names})

    def check(self) -> None:
        """Raise ValueError if no game could be played with these settings."""
        self.check_names()
        self.new_game(Meeting(tuple(range(self.seats)), 0))

    def check_names(self) -> None:
        """Raise ValueError for unknown names and numbers; needs no engine."""
        if not 2 <= self.seats <= 4:
            raise ValueError(f"{self.seats} seats; a game has 2, 3 or 4")
        if self.protocol not in (None, *PROTOCOLS):
            raise ValueError(f"protocol {self.protocol!r}; allowed are {', '.join(PROTOCOLS)}")
        if self.protocol == "german" and self.protocol_version not in VERSIONS:
            allowed = ", ".join(VERSIONS)
            raise ValueError(f"version {self.protocol_version!r}; the German ones are {allowed}")
        if self.protocol is not None and not self.player_trade:
            raise ValueError(f"no trade: the {self.protocol} protocol determines the rules")
        _ = self.chosen_rules

    @property
    def chosen_rules(self) -> Rules:
        """The rules of its games."""
        if self.protocol == "german":
            return Rules.german(self.protocol_version)
        if self.protocol == "binary":
            return Rules.tournament()
        rules = Rules.named(self.rules)
        return rules if self.player_trade else replace(rules, player_trade=False)

    def seed_of(self, meeting: Meeting) -> int:
        """The seed of a meeting's game."""
        board = board_number(meeting.number, self.seats)
        words = f"{self.seed} {meeting.key} {board}"
        return int.from_bytes(sha256(words.encode()).digest()[:7], "big")

    def new_game(self, meeting: Meeting, secret: bytes | None = None) -> Game:
        """A meeting's game before its first decision; chance comes from the secret, if any."""
        seed = self.seed_of(meeting)
        return Game(self.seats, seed, self.chosen_rules, self.board, secret=secret)

    def fresh_secret(self) -> bytes | None:
        """The secret that a game over a protocol draws chance from; None if that is its seed."""
        return None if self.predictable else new_secret()
