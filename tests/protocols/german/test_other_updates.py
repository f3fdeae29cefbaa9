"""Statusupdates of other servers: fields left out, and players that are announced late or never."""

from typing import Any

import msgspec
import pytest

from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import GameStarted, StatusUpdate, Welcome
from catan_env.protocols.catan_german.room import GermanRoom
from tests.covering import covering
from tests.protocols.german.in_memory import room_of
from tests.protocols.german.test_agent import line_of, status
from tests.protocols.german.test_late import Late

VERSIONS = ("0.1", "0.2", "0.3", "1.0")


class Altered(Late):
    """A game in which the room's Statusupdates reach the agents in another form."""

    def spelled(self, line: int, message: Any) -> bytes:
        """The message, in the form of the other server."""
        if isinstance(message, StatusUpdate):
            return self.altered(line, msgspec.to_builtins(message.player))
        return super().spelled(line, message)

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        """A Statusupdate's lines."""
        return line_of("Statusupdate", Spieler=player)


class Repeating(Altered):
    """Each Statusupdate is followed by one of the cards alone."""

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        cards = {"id": player["id"], "Rohstoffe": player["Rohstoffe"]}
        return super().altered(line, player) + super().altered(line, cards)


class Sparing(Altered):
    """A Statusupdate contains what has changed since the last one, the Status only if it does."""

    def __init__(self, room: GermanRoom, seed: int) -> None:
        super().__init__(room, seed)
        self._known: dict[tuple[int, int], dict[str, Any]] = {}

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        before = self._known.get((line, player["id"]), {})
        self._known[line, player["id"]] = player
        changed = {name: value for name, value in player.items() if before.get(name) != value}
        return super().altered(line, {"id": player["id"], **changed})


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", [Repeating, Sparing])
def test_a_field_that_a_statusupdate_leaves_out_has_not_changed(
    version: str, kind: type[Altered]
) -> None:
    usual = Late(room_of(version, 3, 3, max_turns=60), 3).play()
    other = kind(room_of(version, 3, 3, max_turns=60), 3).play()
    assert other.room.is_over and other.refused == usual.refused
    assert other.room.game.turn == usual.room.game.turn > 20
    assert [message for _, _, message in other.asked] == [m for _, _, m in usual.asked]


# The lobby.

IN_LOBBY = (words.CHOOSING, words.READY)


class Unfinished(Altered):
    """The last player's start is not announced: the map follows."""

    def __init__(self, room: GermanRoom, seed: int) -> None:
        super().__init__(room, seed)
        self._ready: set[int] = set()

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        is_ready = player["Status"] == words.READY
        self._ready |= {player["id"]} if is_ready else set()
        is_last = is_ready and len(self._ready) == self.room.game.seats
        return b"" if is_last else super().altered(line, player)


class Private(Altered):
    """In the lobby, only the player concerned receives a Statusupdate."""

    hidden: tuple[str, ...] = IN_LOBBY

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        is_hidden = player["id"] != line + 1 and player["Status"] in self.hidden
        return b"" if is_hidden else super().altered(line, player)


class Secret(Private):
    """Another player is first seen when it is asked to place."""

    def __init__(self, room: GermanRoom, seed: int) -> None:
        super().__init__(room, seed)
        self._placing: set[tuple[int, int]] = set()

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        pair = line, player["id"]
        if player["Status"] == words.PLACE_SETTLEMENT:
            self._placing.add(pair)
        is_hidden = player["id"] != line + 1 and pair not in self._placing
        return b"" if is_hidden else super().altered(line, player)


class Silent(Private):
    """Another player is first seen when it has built."""

    hidden = (*IN_LOBBY, words.WAIT, words.PLACE_SETTLEMENT, words.PLACE_ROAD)


class Early(Altered):
    """All have the Status of the game before the map comes."""

    def spelled(self, line: int, message: Any) -> bytes:
        said = super().spelled(line, message)
        if not isinstance(message, GameStarted):
            return said
        players = range(1, self.room.game.seats + 1)
        return b"".join(status(player, words.WAIT) for player in players) + said


class Postponed(Altered):
    """The map comes after the first player is asked to place."""

    before = (*IN_LOBBY, words.WAIT)

    def __init__(self, room: GermanRoom, seed: int) -> None:
        super().__init__(room, seed)
        self._maps: dict[int, bytes] = {}

    def spelled(self, line: int, message: Any) -> bytes:
        said = super().spelled(line, message)
        if isinstance(message, GameStarted):
            self._maps[line] = said
            return b""
        is_it = isinstance(message, StatusUpdate) and message.player.status not in self.before
        return said + self._maps.pop(line, b"") if is_it else said


class Visited(Altered):
    """A further player was in the lobby, and has left without a Statusupdate."""

    left: str = words.CHOOSING

    def spelled(self, line: int, message: Any) -> bytes:
        said = super().spelled(line, message)
        return said + status(9, self.left) if isinstance(message, Welcome) else said


class Deserted(Visited):
    """The same, of a player that had started the game."""

    left = words.READY


LOBBIES = [Unfinished, Private, Secret, Silent, Early, Postponed, Visited]


@pytest.mark.parametrize(
    ("kind", "seats"), [*covering(LOBBIES, [2, 3, 4]), (Deserted, 2), (Deserted, 3)]
)
def test_the_players_are_those_that_place(kind: type[Altered], seats: int) -> None:
    for seed in (3, 4, 5):
        room = room_of("1.0", seats, seed, max_turns=30)
        table = kind(room, seed).play(limit=1e4)
        assert room.is_over and room.game.turn > 20 and not room.removals
        assert set(table.refused) <= {words.COLOUR_TAKEN}
        for agent in table.agents:
            assert agent.follower.seats.number == seats and not agent.follower.is_in_doubt
