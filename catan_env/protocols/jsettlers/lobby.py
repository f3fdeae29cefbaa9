"""The JSettlers 2.7 messages for joining and leaving a table, one dataclass each.

Seats are the server's (`pn`). A robot, identified by the server's cookie, is asked to games; an
ordinary client opens one or joins one.
"""

from dataclasses import dataclass

FIRST_NEWER = 2000
"""The number of version 2.0.00; earlier servers have the messages of version 1.1."""


@dataclass(frozen=True)
class Version:
    """9998: the number of version 2.7.00 is 2700; versions 1.1 announce no features."""

    number: int
    text: str
    build: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ping:
    number: int


@dataclass(frozen=True)
class ImARobot:
    name: str
    cookie: str
    kind: str


@dataclass(frozen=True)
class RobotAccepted:
    """1071: the server accepts this client as a robot."""

    text: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """1059: the server disconnects the client, with a reason."""

    reason: tuple[str, ...]


@dataclass(frozen=True)
class Status:
    """1069: 1 to 19 reject the request of an ordinary client."""

    code: int
    text: tuple[str, ...]


@dataclass(frozen=True)
class AskedToJoin:
    """1023: a robot is wanted in a game, at a seat; the rest are its options, `KEY=value`."""

    game: str
    seat: int
    options: tuple[str, ...]


@dataclass(frozen=True)
class GameOptions:
    """1079: a game has been opened, with these options, `KEY=value`."""

    game: str
    least_version: int
    options: tuple[str, ...]


@dataclass(frozen=True)
class GameList:
    """1083: pairs of a game's name and its options, with commas between them."""

    pairs: tuple[str, ...]


@dataclass(frozen=True)
class Members:
    """1017: the members of a game; the last message about the game so far to a new member."""

    game: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class NewGame:
    name: str
    password: str
    host: str
    game: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class JoinGame:
    name: str
    password: str
    host: str
    game: str


@dataclass(frozen=True)
class Joined:
    game: str


@dataclass(frozen=True)
class LeaveGame:
    """1011: from the server, a member has left the game."""

    name: str
    host: str
    game: str


@dataclass(frozen=True)
class SitDown:
    game: str
    name: str
    seat: int
    is_robot: bool


@dataclass(frozen=True)
class StartGame:
    """Form of a client; the server's contains a state as well."""

    game: str


@dataclass(frozen=True)
class StandUp:
    """1056: another player takes this client's seat."""

    game: str


@dataclass(frozen=True)
class ResetTable:
    game: str
    seats: tuple[int, ...]


@dataclass(frozen=True)
class VoteRequest:
    """1075: the person at `seat` wants the board reset, and persons vote on it."""

    game: str
    seat: int


@dataclass(frozen=True)
class Vote:
    """1076: 1 agrees to the reset, 0 does not."""

    game: str
    seat: int
    agrees: int


@dataclass(frozen=True)
class DeleteGame:
    game: str
