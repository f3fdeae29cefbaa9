"""A server written only from the documentation sends exactly the same messages as ours."""

import json
from collections import Counter, deque
from itertools import count
from random import Random
from typing import Any

import pytest

from catan_env.kernel.jit import MACHINE_CODE
from catan_env.net import Connection
from catan_env.net.room import Send
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from tests.covering import covering
from tests.protocols.german.in_memory import LineAgent, policy_of, room_of
from tests.protocols.german.peers.board import Board, from_place
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.mischief import anything
from tests.protocols.german.peers.server import Server, encoded

Said = tuple[str, Any]
POLICIES = ("random", "builder", "greedy")


class Heard(Chance):
    """Chance events taken from our server's messages to those who may see them."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._dice: deque[Any] = deque()
        self._stolen: deque[str] = deque()
        self._bought: deque[str] = deque()

    def hear(self, said: list[list[Said]]) -> None:
        """The messages of each line about one message; line k is id k + 1."""
        self._stolen.clear()
        first = next((own for own, lines in enumerate(said, 1) if lines), 0)
        for own, lines in enumerate(said, 1):
            for name, body in lines:
                if name == "Würfelwurf" and own == first:
                    self._dice.append(body["Wurf"])
                elif name == "Entwicklungskarte gekauft" and body["Spieler"] == own:
                    self._bought.append(body["Entwicklungskarte"])
                elif name == "Spiel gestartet":
                    self._board = board_of(body["Karte"])
                elif name in ("Kosten", "Ertrag") and body["Spieler"] == own:
                    self._stolen.extend(Counter(body["Rohstoffe"]).elements())

    def board(self) -> Board:
        assert self._board is not None
        return self._board

    def dice(self) -> tuple[int, int]:
        wurf = self._dice.popleft()
        return (wurf[0], wurf[1]) if isinstance(wurf, list) else (wurf, 0)

    def stolen(self, hand: Counter[str]) -> str:
        return self._stolen.popleft()

    def bought(self, pile: Counter[str]) -> str:
        return self._bought.popleft()


def board_of(said: Any) -> Board:
    """A parsed Karte."""
    land = [field for field in said["Felder"] if field["Typ"] != "Meer"]
    fields = {min(from_place(f["Ort"])): (f["Typ"], f.get("Zahl", 0)) for f in land}
    return Board(fields, {from_place(h["Ort"]): h["Typ"] for h in said["Häfen"]})


class SideBySide:
    """Our room with agents, and the other server, which receives the same messages."""

    def __init__(self, version: str, seats: int, seed: int, limit: int, **settings: object) -> None:
        self.limit = limit
        self.room = room_of(version, seats, seed, max_turns=limit, **settings)
        self.chance = Heard()
        self.other = Server(version, seats, self.chance, limit)
        self.agents = [
            LineAgent(policy_of(POLICIES[(k + seed) % 3], 4 * seed + k), f"P{k}")
            for k in range(seats)
        ]
        self.compared: Counter[str] = Counter()
        self._ends = [Connection(GermanCodec(said_by_clients(version))) for _ in self.agents]
        self._todo: deque[tuple[int, bytes]] = deque()

    def play(self) -> "SideBySide":
        """Play to the end."""
        self.begin()
        return self.go_on()

    def go_on(self) -> "SideBySide":
        """Continue to the end."""
        while not self.room.is_over and self.step():
            pass
        assert self.room.is_over and self.other.is_closed
        return self

    def begin(self) -> None:
        """Let all players connect."""
        for line in range(len(self.agents)):
            self._compare(self.room.opened(line, 0.0), self.other.opened(line))

    def step(self) -> bool:
        """Deliver the next message of an agent; False if there is none."""
        if self._todo:
            self.say(*self._todo.popleft())
            return True
        return False

    def say(self, line: int, data: bytes) -> None:
        """Deliver a message to both servers."""
        for message in self._ends[line].receive(data):
            effects = self.room.received(line, message, 0.0)
            self.chance.hear(self._said(effects))
            self._compare(effects, self.other.received(line, data))

    def _said(self, effects: list[Any]) -> list[list[Said]]:
        lines: list[list[Said]] = [[] for _ in self.agents]
        for line, data in self._sent(effects):
            lines[line] += json.loads(data).items()
        return lines

    def _sent(self, effects: list[Any]) -> list[tuple[int, bytes]]:
        sends = [effect for effect in effects if isinstance(effect, Send)]
        return [(send.line, self._ends[send.line].send(send.message)) for send in sends]

    def _compare(self, effects: list[Any], said: dict[int, bytes]) -> None:
        ours: dict[int, bytes] = {}
        for line, data in self._sent(effects):
            ours[line] = ours.get(line, b"") + data
        for line, agent in enumerate(self.agents):
            same, theirs = ours.get(line, b""), said.get(line, b"")
            if line in ours and b'"Hallo"' not in same:
                assert without_reason(same).decode() == without_reason(theirs).decode()
                self.compared.update(next(iter(json.loads(s))) for s in same.splitlines())
            said_back = agent.receive(same, 0.0).splitlines(keepends=True)
            self._todo.extend((line, data) for data in said_back)


def without_reason(said: bytes) -> bytes:
    """Compare without the texts of refusals, which are free."""
    free = (b'{"Serverantwort":"OK"}', b'{"Serverantwort":"Farbe bereits vergeben"}')
    is_free = [line.startswith(b'{"Serv') and line not in free for line in said.splitlines()]
    lines = zip(said.splitlines(), is_free, strict=True)
    return b"\n".join(b"refused" if free else line for line, free in lines)


@pytest.mark.parametrize(("version", "seats"), covering(["0.1", "0.2", "0.3", "1.0"], [2, 3, 4]))
def test_another_server_sends_the_same(version: str, seats: int, games: int) -> None:
    """A thousandth of `--games`, spread over the tables."""
    for seed in range(max(1, games // 12_000) if MACHINE_CODE else 1):
        limit = 40 if version == "0.1" else 150
        SideBySide(version, seats, seed, limit).play()


@pytest.mark.parametrize("version", ["0.1", "0.2", "0.3", "1.0"])
def test_another_server_refuses_the_same(version: str, games: int) -> None:
    """Sometimes a line sends a random message; a tenth of `--games` messages per version."""
    chance, said = Random(version), 0
    for seed in count():
        table = SideBySide(version, 3, seed, 80)
        table.begin()
        while not table.room.is_over and said < games // 10:
            may_go_on = table.step() and chance.random() < 0.5
            if may_go_on or table.room.is_over or len(table.other.players) < 3:
                continue
            said += 1
            line = chance.randrange(3)
            table.say(line, encoded(anything(chance, version)))
        if said >= games // 10:
            return
