"""Room and agent against a server and a client written only from the protocol's page."""

import json
import random
from typing import Any

import pytest

from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.agent import Agent
from catan_env.guests.hanabi.wire.dialect import DIALECTS
from catan_env.guests.hanabi.wire.messages import client_spelling
from catan_env.guests.hanabi.wire.room import HanabiRoom
from catan_env.net.room import Close
from tests.covering import covering
from tests.guests.hanabi.conversation import spelling_of
from tests.guests.hanabi.judge import ACTIONS, NUMBERS, OWN_WORDS, SUITS, Judge, Message

EACH = pytest.mark.parametrize("name", DIALECTS)
JUNK = [
    b"\xff", b"", b"[]", b"{", b"3", b'{"msg_type": 1}', b'{"msg_type": "NONE"}',
    b'{"msg_type": "CONNECTION_REQUEST"}', b'{"msg_type": "CONNECTION_REQUEST", "name": 5}',
    b'{"msg_type": "CONNECTION_REQUEST", "name": ""}',
    b'{"msg_type": "HINT_COLOR_REQUEST", "target_player": "p0", "color": "PINK"}',
    b'{"msg_type": "HINT_NUMBER_REQUEST", "target_player": "p0", "number": 1}',
    b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": -1}',
    b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": 1.5}',
    b'{"msg_type": "DISCARD_CARD_REQUEST", "discarded_card_id": true}',
]  # fmt: skip


def comparable(message: Any) -> Any:
    """A message with sets sorted, without texts that the protocol leaves open."""
    if isinstance(message, dict):
        kept = {k: comparable(v) for k, v in message.items() if k != "err_details"}
        return {k: sorted(v) if k.endswith("_not") else v for k, v in kept.items()}
    return [comparable(one) for one in message] if isinstance(message, list) else message


class BothServers:
    """The room and its judge, which receive the same messages and must send the same."""

    def __init__(self, dialect: str, seed: int) -> None:
        order = random.Random(seed).sample(places.IDS, 50)
        self.room = HanabiRoom(DIALECTS[dialect], order=order, seed=seed)
        self.judge = Judge(dialect, order, self.room._deal[1])
        self.spelling = spelling_of(self.room.dialect)

    def come(self, line: int) -> None:
        assert self.room.opened(line, 0.0) == []
        self.judge.come(line)

    def go(self, line: int) -> None:
        expected = self.judge.go(line)
        self._compare(self.room.closed(line, "gone", 0.0), expected)

    def say(self, line: int, data: bytes) -> list[Any]:
        expected = self.judge.say(line, data)
        self._compare(self.room.received(line, self.spelling.decode(data), 0.0), expected)
        return expected

    def _compare(self, effects: list[Any], expected: list[Any]) -> None:
        said = [
            (effect.line, None)
            if isinstance(effect, Close)
            else (effect.line, comparable(json.loads(self.spelling.encode(effect.message))))
            for effect in effects
        ]
        wanted = [(line, comparable(message)) for line, message in expected]
        assert len(said) == len(wanted), (said, wanted)
        for mine, its in zip(sorted(said, key=str), sorted(wanted, key=str), strict=True):
            if its[1] is not None and its[1].get("explanation") == OWN_WORDS:
                assert mine[0] == its[0] and mine[1]["msg_type"] == "ERROR_RESPONSE"
            else:
                assert mine == its
        self.judge.shown = self.room._deal[1]  # a new lobby has new ids


def request(chance: random.Random, judge: Judge, line: int) -> bytes:
    """A request that a client might send: usually a plausible one, sometimes anything."""
    if chance.random() < 0.06:
        return chance.choice(JUNK)
    names = [f"p{k}" for k in range(6)]
    is_here = line in [player[0] for player in judge.players]
    if not is_here and chance.random() < 0.8:
        return spelt("CONNECTION_REQUEST", name=chance.choice(names))
    if not judge.running and chance.random() < (0.3 if judge.old else 0.8):
        return spelt("GAME_START_REQUEST")
    kind = chance.choice(list(ACTIONS))
    if kind == "HINT_COLOR_REQUEST":
        return spelt(kind, target_player=chance.choice(names), color=chance.choice(SUITS))
    if kind == "HINT_NUMBER_REQUEST":
        return spelt(kind, target_player=chance.choice(names), number=chance.choice(NUMBERS))
    number: int | str = chance.randint(1, 50)
    if judge.hands and chance.random() < 0.9:
        number = judge.shown[chance.choice(judge.hands[judge.mover] or [{"id": 1}])["id"] - 1]
    if chance.random() < 0.05:
        number = str(number)
    field = "played_card_id" if kind.startswith("PLAY") else "discarded_card_id"
    return spelt(kind, **{field: number})


def spelt(kind: str, **fields: Any) -> bytes:
    return json.dumps({"msg_type": kind, **fields, "surplus": None}).encode()


@EACH
def test_the_room_answers_as_a_server_written_from_the_page(name: str, games: int) -> None:
    """Random lines send random messages: joins, starts, any player's actions, junk; and leave."""
    for seed in range(max(2, games // 400)):
        chance, both = random.Random(seed), BothServers(name, seed)
        newest = 0
        for _ in range(chance.randint(20, 120)):
            while len(both.judge.open) < 4 and newest < 30:
                both.come(newest)
                newest += 1
            if not both.judge.open:
                break
            line = chance.choice(both.judge.open)
            if (
                both.judge.running or (both.judge.old and both.judge.players)
            ) and chance.random() < 0.7:
                line = both.judge.players[both.judge.mover][0]
            if line not in both.judge.open:
                continue
            if chance.random() < 0.01:
                both.go(line)
            else:
                both.say(line, request(chance, both.judge, line))


@pytest.mark.parametrize(("players", "name"), covering([2, 3, 4, 5], DIALECTS))
def test_the_agent_plays_at_a_server_written_from_the_page(
    name: str, players: int, games: int
) -> None:
    """No request is refused, and every agent receives the score that the server counts."""
    for seed in range(max(3, games // 4700)):
        order = random.Random(seed).sample(places.IDS, 50)
        judge = Judge(name, order, random.Random(seed + 1).sample(places.IDS, 50))
        if judge.loose:
            judge.shown = list(places.IDS)
        spelling = client_spelling()
        policies = [load_policy("iggi", seed=k) for k in range(players)]
        agents = [
            Agent(lambda view, policy=p: decide(policy, view), f"p{k}", start_when=players)
            for k, p in enumerate(policies)
        ]
        for line in range(players):
            judge.come(line)
        asked = [(line, one) for line, agent in enumerate(agents) for one in agent.opened(0.0)]
        while asked:
            line, wish = asked.pop(0)
            for to, message in judge.say(line, spelling.encode(wish)):
                if message is not None:
                    assert message["msg_type"] != "ERROR_RESPONSE"
                    heard = spelling.decode(json.dumps(message).encode())
                    asked += [(to, one) for one in agents[to].received(heard, 0.0)]
        assert len({agent.score for agent in agents}) == 1 and agents[0].is_over


class PlainClient:
    """A small client: it joins, and plays actions that are never refused."""

    def __init__(self, name: str, is_last: bool, chance: random.Random) -> None:
        self.name, self.is_last, self.chance = name, is_last, chance
        self.score: int | None = None
        self.has_joined = False

    def hear(self, message: Message) -> Message | None:
        kind = message["msg_type"]
        assert kind != "ERROR_RESPONSE", message
        if kind == "CONNECTION_RESPONSE" and not self.has_joined:
            self.has_joined = self.name in message["names"]
            return {"msg_type": "GAME_START_REQUEST"} if self.has_joined and self.is_last else None
        if kind == "GAME_OVER_RESPONSE":
            self.score = message["score"]
        state = message.get("game_state")
        return self._move(state) if state and state["next_player"] == self.name else None

    def _move(self, state: Message) -> Message:
        hands = {player["name"]: player["cards"] for player in state["players"]}
        mine = self.chance.choice(hands[self.name])["card"]["id"]
        others = [name for name in hands if name != self.name and hands[name]]
        if state["hint_tokens"] and self.chance.random() < 0.6 and others:
            target = self.chance.choice(others)
            card = self.chance.choice(hands[target])["card"]
            side = self.chance.choice(["color", "number"])
            kind = f"HINT_{side.upper()}_REQUEST"
            return {"msg_type": kind, "target_player": target, side: card[side]}
        if state["hint_tokens"] < 8 and self.chance.random() < 0.8:
            return {"msg_type": "DISCARD_CARD_REQUEST", "discarded_card_id": mine}
        return {"msg_type": "PLAY_CARD_REQUEST", "played_card_id": mine}


@pytest.mark.parametrize(("players", "name"), covering([2, 5], DIALECTS))
def test_a_client_written_from_the_page_plays_at_the_room(name: str, players: int) -> None:
    for seed in range(4):
        both, chance = BothServers(name, seed), random.Random(seed)
        clients = [PlainClient(f"p{k}", k == players - 1, chance) for k in range(players)]
        for line in range(players):
            both.come(line)
        sent: list[tuple[int, Message]] = [
            (line, {"msg_type": "CONNECTION_REQUEST", "name": client.name})
            for line, client in enumerate(clients)
        ]
        while sent:
            line, message = sent.pop(0)
            for to, heard in both.say(line, json.dumps(message).encode()):
                answer = clients[to].hear(heard) if heard is not None else None
                if answer is not None:
                    sent.append((to, answer))
        assert len({client.score for client in clients}) == 1 and clients[0].score is not None
