"""A client written only from the documentation plays whole games on our server and checks them."""

import json
import unicodedata
from collections import deque
from random import Random
from typing import Any

import pytest

from catan_env.kernel.jit import MACHINE_CODE
from catan_env.net import Connection
from catan_env.net.room import Send
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import (
    Answer,
    AnswerOffer,
    CancelOffer,
    said_by_clients,
)
from tests.covering import covering
from tests.protocols.german.in_memory import LineAgent, policy_of, room_of
from tests.protocols.german.peers.client import Client, Say

VERSIONS = ("0.1", "0.2", "0.3", "1.0")


class Table:
    """Our room, and players of any origin; their messages arrive in pieces of `piece` bytes."""

    def __init__(
        self, version: str, seed: int, players: list[Any], limit: int = 200, piece: int = 1 << 20
    ) -> None:
        limit = min(limit, 60) if version == "0.1" else limit
        self.room = room_of(version, len(players), seed, max_turns=limit)
        self._players = players
        self._ends = [Connection(GermanCodec(said_by_clients(version))) for _ in players]
        self._piece = piece
        self.refused: list[tuple[int, object]] = []
        """By line: the room's refusals."""

    def play(self) -> "Table":
        """Play to the end."""
        effects = deque(e for k in range(len(self._players)) for e in self.room.opened(k, 0.0))
        while effects:
            effect = effects.popleft()
            if isinstance(effect, Send):
                data = self._ends[effect.line].send(effect.message)
                effects.extend(self._heard(effect.line, data))
        assert self.room.is_over and not self.room.removals
        return self

    def _heard(self, line: int, data: bytes) -> list[Any]:
        effects: list[Any] = []
        for start in range(0, len(data), self._piece):
            said = self._players[line].receive(data[start : start + self._piece])
            for at in range(0, len(said), self._piece):
                for message in self._ends[line].receive(said[at : at + self._piece]):
                    effects += self._received(line, message)
        return effects

    def _received(self, line: int, message: Any) -> list[Any]:
        effects = self.room.received(line, message, 0.0)
        answer = effects[0].message if effects and isinstance(effects[0], Send) else None
        if isinstance(answer, Answer) and answer.text != "OK":
            self.refused.append((line, message))
        return effects


class SlowLines(Table):
    """Every line has its own delay, in either direction: messages of both sides cross."""

    def play(self) -> "SlowLines":
        chance = Random(self.room.game.seed)
        self._said: list[deque[Any]] = [deque() for _ in self._players]
        self._told: list[deque[Any]] = [deque() for _ in self._players]
        self._tell([e for k in range(len(self._players)) for e in self.room.opened(k, 0.0)])
        while ways := [way for way in (*self._said, *self._told) if way]:
            self._deliver(chance.choice(ways))
        assert self.room.is_over and not self.room.removals
        return self

    def _tell(self, effects: list[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._told[effect.line].append(effect)

    def _deliver(self, way: deque[Any]) -> None:
        """Deliver the next message in one direction."""
        sent = way.popleft()
        if isinstance(sent, Send):
            end, player = self._ends[sent.line], self._players[sent.line]
            said = end.receive(player.receive(end.send(sent.message)))
            self._said[sent.line].extend((sent.line, message) for message in said)
        else:
            self._tell(self._received(*sent))


def our_agent(policy: str, seed: int) -> LineAgent:
    return LineAgent(policy_of(policy, seed), "unser")


class Decomposed(Client):
    """Umlauts as two characters, extra white space, unknown fields and null."""

    def written(self, said: Say) -> bytes:
        name, body = said
        more = {**body, "Ziel": body.get("Ziel"), "Grund": [1, {"x": None}]}
        text = json.dumps({name: more}, ensure_ascii=False, indent=3)
        return unicodedata.normalize("NFD", text).replace(":", "\r\n\t:").encode()


class Escaped(Client):
    """ASCII only, and no line ends."""

    def written(self, said: Say) -> bytes:
        return json.dumps(dict([said])).encode()


class Shouting(Client):
    """The kind of a monopoly in capitals, the victim unnamed (T10, S3)."""

    def spelled(self, kind: str) -> str:
        return kind.upper()

    def _robbery(self) -> dict[str, Any]:
        return {"Ort": super()._robbery()["Ort"]}


@pytest.mark.parametrize(("version", "seats"), covering(VERSIONS, [2, 3, 4]))
def test_another_client_is_never_refused(version: str, seats: int, games: int) -> None:
    """Alone and with our agents; a thousandth of `--games`, spread over the tables."""
    for seed in range(max(1, games // 12_000) if MACHINE_CODE else 1):
        players: list[Any] = [Client(f"C{k}", 10 * seed + k) for k in range(seats)]
        if seed % 2 == 0:
            players[seed // 2 % seats] = our_agent("builder", seed)
        table = Table(version, seed, players).play()
        for player in players:
            if isinstance(player, Client) and version != "0.1":
                ended = player.ledger.ended.get("Sieger")
                winner = table.room.game.winner
                assert ended == (None if winner is None else table.room.seated[winner].id)


@pytest.mark.parametrize(("version", "kind"), covering(VERSIONS, [Decomposed, Escaped, Shouting]))
def test_a_client_may_use_its_own_spelling(version: str, kind: type[Client]) -> None:
    Table(version, 3, [kind(f"C{k}", k) for k in range(3)], limit=90).play()


@pytest.mark.parametrize("version", VERSIONS)
def test_messages_may_come_byte_by_byte(version: str) -> None:
    Table(version, 4, [Client(f"C{k}", k) for k in range(2)], limit=12, piece=1).play()


@pytest.mark.parametrize(("version", "seats"), covering(VERSIONS, [2, 3, 4]))
def test_messages_may_cross_in_transit(version: str, seats: int) -> None:
    """An answer to an offer that its player has withdrawn is refused without consequences."""
    for seed in range(2):
        players: list[Any] = [Client(f"C{k}", 10 * seed + k) for k in range(seats)]
        players[seed % seats] = our_agent("builder", seed)
        SlowLines(version, seed, players).play()


class Hasty(Client):
    """Its offers are closed after the first answer; the others' come too late."""

    def has_enough(self, answers: int) -> bool:
        return answers > 0


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_agents_wait_for_all_answers_so_that_none_comes_too_late(version: str) -> None:
    for seed in range(2):
        players: list[Any] = [our_agent("builder", 10 * seed + k) for k in range(3)]
        table = SlowLines(version, seed, players).play()
        assert not table.refused


@pytest.mark.parametrize(("version", "seats"), covering(VERSIONS[1:], [3, 4]))
def test_an_agent_recognizes_the_refusal_of_a_late_answer(version: str, seats: int) -> None:
    """The offer is gone and it is the agent's turn before it learns so."""
    late = 0
    for seed in range(2):
        players: list[Any] = [our_agent("builder", 10 * seed + k) for k in range(seats)]
        players[seed % seats] = Hasty("C", seed)
        table = SlowLines(version, seed, players).play()
        late += len(table.refused)
        assert all(isinstance(said, AnswerOffer | CancelOffer) for _, said in table.refused)
    assert late > 0
