"""Habits of other people's servers: whole games in which our own room is made to have them.

Each habit changes what the server says on its way to an agent; the agent plays on, and what it
asks for is hardly ever refused.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from catan_env.net import Connection
from catan_env.net.room import Send
from catan_env.protocols.catan_german.agent import Agent
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import NAMES, body_of, said_by_clients
from tests.protocols.german.in_memory import policy_of, room_of

Body = dict[str, Any]
Line = tuple[str, Any]
Habit = Callable[[list[Line], int], list[Line]]


def ids_from_0(lines: list[Line], me: int) -> list[Line]:
    """Every id is one less (S3, S10)."""
    return [(name, lowered(body)) for name, body in lines]


IDS = {"id", "Spieler", "Absender", "Eigentümer", "Ziel", "Mitspieler", "Sieger"}


def lowered(body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    return {
        key: value - 1 if key in IDS and isinstance(value, int) else lowered(value)
        for key, value in body.items()
    }


def nineteen_fields(lines: list[Line], me: int) -> list[Line]:
    """The sea is left out, and where nothing grows the Zahl is 0 (S3)."""
    for name, body in lines:
        if name == "Spiel gestartet":
            land = [field for field in body["Karte"]["Felder"] if field["Typ"] != "Meer"]
            body["Karte"]["Felder"] = [{"Zahl": 0, **field} for field in land]
    return lines


def letters_for_sea(lines: list[Line], me: int) -> list[Line]:
    """In 1.0, too (T10)."""
    for name, body in lines:
        if name == "Spiel gestartet":
            for field in body["Karte"]["Felder"]:
                if field["Typ"] == "Meer":
                    field["Ort"] = "a"
    return lines


def another_name_of_the_road(lines: list[Line], me: int) -> list[Line]:
    """Größte Handelsstraße (S10)."""
    for _, body in lines:
        player = body.get("Spieler") if isinstance(body, dict) else None
        if isinstance(player, dict) and "Längste Handelsstraße" in player:
            player["Größte Handelsstraße"] = player.pop("Längste Handelsstraße")
    return lines


def yields_first(lines: list[Line], me: int) -> list[Line]:
    """Ertrag before Kosten."""
    yields = [line for line in lines if line[0] == "Ertrag"]
    costs = [k for k, line in enumerate(lines) if line[0] == "Kosten"]
    if not costs or not yields:
        return lines
    rest = [line for line in lines if line[0] != "Ertrag"]
    at = next(k for k, line in enumerate(rest) if line[0] == "Kosten")
    return [*rest[:at], *yields, *rest[at:]]


def costs_last(lines: list[Line], me: int) -> list[Line]:
    """Kosten after Bauvorgang (T10)."""
    built = [k for k, line in enumerate(lines) if line[0] == "Bauvorgang"]
    if not built:
        return lines
    costs = [line for line in lines if line[0] == "Kosten"]
    rest = [line for line in lines if line[0] != "Kosten"]
    at = next(k for k, line in enumerate(rest) if line[0] == "Bauvorgang") + 1
    return [*rest[:at], *costs, *rest[at:]]


def effect_before_cause(lines: list[Line], me: int) -> list[Line]:
    """Cards move before the robber or the trade is told (S3, S10)."""
    causes = ("Räuber versetzt", "Handel ausgeführt")
    cause = [line for line in lines if line[0] in causes]
    moved = [line for line in lines if line[0] in ("Kosten", "Ertrag")]
    if not cause:
        return lines
    rest = [line for line in lines if line not in cause and line not in moved]
    at = next((k for k, line in enumerate(rest) if line[0] == "Statusupdate"), len(rest))
    return [*rest[:at], *moved, *cause, *rest[at:]]


def no_ok(lines: list[Line], me: int) -> list[Line]:
    """In the game nothing is confirmed (T10, S10)."""
    is_lobby = any(
        name == "Statusupdate" and body["Spieler"]["Status"] in LOBBY for name, body in lines
    )
    return lines if is_lobby else [line for line in lines if line != ("Serverantwort", "OK")]


LOBBY = ("Spiel starten", "Wartet auf Spielbeginn")


def unknown_cards(lines: list[Line], me: int) -> list[Line]:
    """Of others' cards only the number is said."""
    for name, body in lines:
        if name in ("Kosten", "Ertrag") and body["Spieler"] != me:
            number = sum(body["Rohstoffe"].values())
            body["Rohstoffe"] = {"Unbekannt": number}
    return lines


def repeated_status(lines: list[Line], me: int) -> list[Line]:
    """Every Statusupdate is said twice (S3)."""
    return [line for line in lines for _ in range(1 + (line[0] == "Statusupdate"))]


def robber_beside_knight(lines: list[Line], me: int) -> list[Line]:
    """Räuber versetzt beside Ritter ausspielen (S10)."""
    found: list[Line] = []
    for name, body in lines:
        found.append((name, body))
        if name == "Ritter ausspielen":
            found.append(("Räuber versetzt", dict(body)))
    return found


def nameless_chat(lines: list[Line], me: int) -> list[Line]:
    """Chat without Absender."""
    return [("Chatnachricht", {"Nachricht": "Moin"}), *lines]


def no_zeros(lines: list[Line], me: int) -> list[Line]:
    """{} and absent kinds are 0."""
    return [(name, without_zeros(body)) for name, body in lines]


def without_zeros(body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    kinds = ("Holz", "Lehm", "Wolle", "Getreide", "Erz")
    return {k: without_zeros(v) for k, v in body.items() if not (k in kinds and v == 0)}


HABITS: tuple[Habit, ...] = (
    ids_from_0,
    nineteen_fields,
    letters_for_sea,
    another_name_of_the_road,
    yields_first,
    costs_last,
    effect_before_cause,
    no_ok,
    unknown_cards,
    repeated_status,
    robber_beside_knight,
    nameless_chat,
    no_zeros,
)
SURE = (nineteen_fields, letters_for_sea, another_name_of_the_road, repeated_status, no_zeros,
        nameless_chat, robber_beside_knight, yields_first, costs_last)  # fmt: skip
"""Habits that hide nothing and change no order that matters: nobody is ever in doubt."""


class Foreign:
    """Our room, heard through a habit by all its agents."""

    def __init__(self, version: str, seats: int, seed: int, habit: Habit) -> None:
        self.room = room_of(version, seats, seed, max_turns=60, timeout=1000.0)
        self.habit = habit
        self.agents = [Agent(policy_of(POLICIES[k % 2], seed + k), f"A{k}") for k in range(seats)]
        self.refused: list[str] = []
        self._ends = [Connection(GermanCodec(said_by_clients(version))) for _ in self.agents]
        self._todo: list[tuple[int, Any]] = []

    def play(self) -> "Foreign":
        """To the end, or until nobody says anything any more."""
        for line in range(len(self.agents)):
            self._pass_on(self.room.opened(line, 0.0))
        now = 0.0
        while not self.room.is_over and now < 500:
            while self._todo:
                line, message = self._todo.pop(0)
                self._pass_on(self.room.received(line, message, now))
            now += 1.0
            for line, agent in enumerate(self.agents):
                self._hear(line, agent.time(now))
        return self

    def _pass_on(self, effects: list[Any]) -> None:
        """What one message brings a line goes there together, so that its order can be changed."""
        for line, agent in enumerate(self.agents):
            said = [e.message for e in effects if isinstance(e, Send) and e.line == line]
            lines = [(NAMES[type(m)], msgspec.to_builtins(body_of(m))) for m in said]
            texts = [b for n, b in lines if n == "Serverantwort" and b not in ("OK", TAKEN)]
            self.refused += texts
            data = b"".join(
                msgspec.json.encode(dict([said_so])) + b"\n"
                for said_so in self.habit(lines, line + 1)
            )
            self._hear(line, agent.receive(data, 0.0))

    def _hear(self, line: int, data: bytes) -> None:
        for message in self._ends[line].receive(data):
            if self.habit is ids_from_0:
                message = raised(message)
            self._todo.append((line, message))


def raised(message: Any) -> Any:
    """What a client says of players, in our room's ids."""
    changes = {
        name: getattr(message, name) + 1
        for name in ("victim", "partner")
        if getattr(message, name, None) is not None
    }
    return msgspec.structs.replace(message, **changes)


POLICIES = ("builder", "random")
TAKEN = "Farbe bereits vergeben"


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.__name__)
@pytest.mark.parametrize("version", ["0.1", "0.2", "0.3", "1.0"])
def test_an_agent_plays_on_at_a_server_with_another_habit(habit: Habit, version: str) -> None:
    table = Foreign(version, 3, 5, habit).play()
    assert table.room.is_over, f"stuck in turn {table.room.game.turn}"
    assert table.room.game.turn > 20 and not table.room.kicks
    assert len(table.refused) <= 3, table.refused[:5]
    if habit in SURE:
        assert not any(agent.follower.is_in_doubt for agent in table.agents)
