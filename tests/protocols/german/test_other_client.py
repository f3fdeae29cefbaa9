"""A client written from the page alone plays whole games at our server; what it checks, adds up."""

import json
import unicodedata
from collections import deque
from random import Random
from typing import Any

import pytest

from catan_env.core.jit import COMPILED
from catan_env.net import Connection
from catan_env.net.room import Send
from catan_env.protocols.catan_german.agent import Agent
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from tests.protocols.german.in_memory import policy_of, room_of
from tests.protocols.german.peers.client import Client, Say

VERSIONS = ("0.1", "0.2", "0.3", "1.0")


class Table:
    """Our room, and players of any origin; all that they hear comes in pieces of `piece` bytes."""

    def __init__(
        self, version: str, seed: int, players: list[Any], limit: int = 200, piece: int = 1 << 20
    ) -> None:
        limit = min(limit, 60) if version == "0.1" else limit
        self.room = room_of(version, len(players), seed, max_turns=limit)
        self._players = players
        self._ends = [Connection(GermanCodec(said_by_clients(version))) for _ in players]
        self._piece = piece

    def play(self) -> "Table":
        """To the end."""
        effects = deque(e for k in range(len(self._players)) for e in self.room.opened(k, 0.0))
        while effects:
            effect = effects.popleft()
            if isinstance(effect, Send):
                data = self._ends[effect.line].send(effect.message)
                effects.extend(self._heard(effect.line, data))
        assert self.room.is_over and not self.room.kicks
        return self

    def _heard(self, line: int, data: bytes) -> list[Any]:
        effects: list[Any] = []
        for start in range(0, len(data), self._piece):
            said = self._players[line].receive(data[start : start + self._piece])
            for at in range(0, len(said), self._piece):
                for message in self._ends[line].receive(said[at : at + self._piece]):
                    effects += self.room.received(line, message, 0.0)
        return effects


class SlowLines(Table):
    """Every line delivers in its own time, so that what both sides say crosses on the way."""

    def play(self) -> "SlowLines":
        chance = Random(self.room.game.seed)
        under_way: list[deque[Any]] = [deque() for _ in self._players]
        effects = [e for k in range(len(self._players)) for e in self.room.opened(k, 0.0)]
        while True:
            for effect in effects:
                if isinstance(effect, Send):
                    under_way[effect.line].append(effect.message)
            lines = [line for line, messages in enumerate(under_way) if messages]
            if not lines:
                break
            line = chance.choice(lines)
            data = self._ends[line].send(under_way[line].popleft())
            effects = self._heard(line, data)
        assert self.room.is_over and not self.room.kicks
        return self


class OurAgent:
    """Our agent, in the shape of a client."""

    def __init__(self, policy: str, seed: int) -> None:
        self._agent = Agent(policy_of(policy, seed), "unser")

    def receive(self, data: bytes) -> bytes:
        return self._agent.receive(data, 0.0)


class Decomposed(Client):
    """Umlauts as two characters, much white space, unknown fields and null."""

    def written(self, said: Say) -> bytes:
        name, body = said
        more = {**body, "Ziel": body.get("Ziel"), "Grund": [1, {"x": None}]}
        text = json.dumps({name: more}, ensure_ascii=False, indent=3)
        return unicodedata.normalize("NFD", text).replace(":", "\r\n\t:").encode()


class Escaped(Client):
    """Nothing but ASCII, and no end of the line."""

    def written(self, said: Say) -> bytes:
        return json.dumps(dict([said])).encode()


class Shouting(Client):
    """The kind of a monopoly in capitals, the victim unnamed (T10, S3)."""

    def spelled(self, kind: str) -> str:
        return kind.upper()

    def _robbery(self) -> dict[str, Any]:
        return {"Ort": super()._robbery()["Ort"]}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_another_client_is_never_refused(version: str, seats: int, games: int) -> None:
    """Alone and beside our agents; a thousandth of `--games`, spread over the tables."""
    for seed in range(max(1, games // 12_000) if COMPILED else 1):
        players: list[Any] = [Client(f"C{k}", 10 * seed + k) for k in range(seats)]
        if seed % 2 == 0:
            players[seed // 2 % seats] = OurAgent("builder", seed)
        table = Table(version, seed, players).play()
        for player in players:
            if isinstance(player, Client) and version != "0.1":
                ended = player.ledger.ended.get("Sieger")
                winner = table.room.game.winner
                assert ended == (None if winner is None else table.room.seated[winner].id)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("kind", [Decomposed, Escaped, Shouting], ids=lambda kind: kind.__name__)
def test_a_client_may_write_in_its_own_way(version: str, kind: type[Client]) -> None:
    Table(version, 3, [kind(f"C{k}", k) for k in range(3)], limit=90).play()


@pytest.mark.parametrize("version", VERSIONS)
def test_messages_may_come_byte_by_byte(version: str) -> None:
    Table(version, 4, [Client(f"C{k}", k) for k in range(2)], limit=25, piece=1).play()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_said_may_cross_on_the_way(version: str, seats: int) -> None:
    """An answer meets an offer that its player has withdrawn: refused, and nobody minds."""
    for seed in range(3):
        players: list[Any] = [Client(f"C{k}", 10 * seed + k) for k in range(seats)]
        players[seed % seats] = OurAgent("builder", seed)
        SlowLines(version, seed, players).play()
