"""The messages on the way to a table of JSettlers 2.7, and away from it, one dataclass each.

Seats are theirs (`pn`). Who is a robot by the server's cookie is asked to its games; an ordinary
client opens one or joins one.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Version:
    number: int
    text: str
    build: str
    features: str


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
    """1071: the server takes this client as a robot."""

    text: tuple[str, ...]


@dataclass(frozen=True)
class Refused:
    """1059: the client is sent away, with the reason."""

    reason: tuple[str, ...]


@dataclass(frozen=True)
class Status:
    """1069: 1 to 19 refuse what an ordinary client asked for."""

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
    """1017: who is in a game; the last that one who joins hears of the game so far."""

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
    """Said by a client; the server's names a state, too."""

    game: str


@dataclass(frozen=True)
class StandUp:
    """1056: somebody else takes this client's seat."""

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
