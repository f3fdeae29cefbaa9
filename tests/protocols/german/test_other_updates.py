"""Statusupdates of other servers: fields left out, and players that are announced late or never."""

from typing import Any

import msgspec
import pytest

from catan_env.protocols.catan_german.messages import StatusUpdate
from catan_env.protocols.catan_german.room import GermanRoom
from tests.protocols.german.in_memory import room_of
from tests.protocols.german.test_agent import line_of
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
