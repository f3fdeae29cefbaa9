"""Messages that come late or never: an agent counts them as refused, perhaps wrongly."""

from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

import pytest

from catan_env import Game, Rules
from catan_env.net import Connection
from catan_env.net.room import Send
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import (
    NAMES,
    Answer,
    AnswerOffer,
    BuyCard,
    CancelOffer,
    Conclude,
    Message,
    Offer,
    RollDice,
    StartGame,
    said_by_clients,
)
from catan_env.protocols.catan_german.play import Settings
from catan_env.protocols.catan_german.room import GermanRoom
from tests.covering import covering
from tests.protocols.german.in_memory import LineAgent, policy_of, room_of

PATIENCE = 3.0
POLICIES = ("builder", "greedy", "random")


class Late:
    """A room and agents on their own clock; some of the room's messages are `lag` seconds late.

    Every line keeps its order.
    """

    def __init__(self, room: GermanRoom, seed: int, lag: float = 0.0, share: float = 0.0) -> None:
        seats = room.game.seats
        self.room, self.now = room, 0.0
        self.agents = [
            LineAgent(policy_of(POLICIES[k % 3], seed + k), f"A{k}", chance=Random(k))
            for k in range(seats)
        ]
        self.asked: list[tuple[float, int, Message]] = []
        """The agents' messages, each with its time and turn."""
        self.refused: list[str] = []
        self.lates = 0
        self._chance, self._lag, self._share = Random(seed), lag, share
        codec = said_by_clients(room.settings.version)
        self._ends: list[Connection[Any]] = [Connection(GermanCodec(codec)) for _ in self.agents]
        self._due: list[tuple[float, int, int, bytes]] = []
        self._number = count()
        self._free_at = [0.0] * seats

    def play(self, limit: float = 1e5) -> "Late":
        """Play to the end of the game, or until the time is up."""
        for line in range(len(self.agents)):
            self.send(self.room.opened(line, self.now))
        while not self.room.is_over and self.now < limit and self.step():
            pass
        return self

    def step(self) -> bool:
        """Perform the next event; False if there is none."""
        dues = [(a.deadline, k) for k, a in enumerate(self.agents) if a.deadline is not None]
        if self._due and (not dues or self._due[0][0] <= min(dues)[0]):
            self.now, _, line, data = heappop(self._due)
            self.hear(line, self.agents[line].receive(data, self.now))
        elif dues:
            self.now, line = max(self.now, min(dues)[0]), min(dues)[1]
            self.hear(line, self.agents[line].wait(self.now))
        else:
            return False
        return True

    def hear(self, line: int, data: bytes) -> None:
        """Deliver an agent's messages to the room immediately."""
        for message in self._ends[line].receive(data):
            self.asked.append((self.now, self.room.game.turn, message))
            self.take(line, message)

    def take(self, line: int, message: Message) -> None:
        """Execute a message in the room."""
        self.send(self.room.received(line, message, self.now))

    def spelled(self, line: int, message: Any) -> bytes:
        """A message of the room, as sent to a line."""
        return self._ends[line].send(message)

    def send(self, effects: list[Any]) -> None:
        """Delay all lines' messages together, or none."""
        parts: dict[int, bytes] = {}
        for effect in effects:
            if isinstance(effect, Send):
                if isinstance(effect.message, Answer) and effect.message.text != "OK":
                    self.refused.append(effect.message.text)
                said = self.spelled(effect.line, effect.message)
                parts[effect.line] = parts.get(effect.line, b"") + said
        for line, data in parts.items():
            is_late = self.room.play is not None and self._chance.random() < self._share
            self.lates += is_late
            at = max(self._free_at[line], self.now + self._lag * is_late)
            self._free_at[line] = at
            heappush(self._due, (at, next(self._number), line, data))


@pytest.mark.parametrize(("version", "lag"), covering(["0.2", "0.3", "1.0"], [0.5, 2.9, 3.5, 10.0]))
def test_the_game_continues_to_its_end_despite_late_messages(version: str, lag: float) -> None:
    for seed in range(2):
        room = room_of(version, 3, seed, max_turns=60, go_on=True)
        table = Late(room, seed, lag, share=0.05).play()
        assert room.is_over and not room.removals, f"stuck in turn {room.game.turn} at {table.now}"
        assert table.lates > 10
        assert len(table.refused) <= 3 * table.lates


def test_nothing_is_sent_twice_if_answers_are_in_time() -> None:
    room = room_of("1.0", 3, 2, max_turns=60)
    table = Late(room, 2, lag=1.4, share=0.2).play()
    assert room.is_over and not table.refused


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_an_agent_that_considers_the_game_won_continues_with_the_server(seed: int) -> None:
    rules = replace(Rules.german("1.0"), points_to_win=12)
    settings = Settings("1.0", timeout=0.0, max_turns=90)
    table = Late(GermanRoom(Game(3, seed, rules), settings), seed).play(limit=5000)
    assert table.room.is_over, f"stuck in turn {table.room.game.turn}: {table.room.game.phase}"
    assert any(agent.follower.is_in_doubt for agent in table.agents) and len(table.refused) <= 1


class Withheld(Late):
    """Delay the room's reaction to the first message of a kind from the agent on line 0."""

    kind: type[Message] = RollDice
    held: bytes = b""
    at = -1.0

    def take(self, line: int, message: Message) -> None:
        is_it = line == 0 and isinstance(message, self.kind) and self.at < 0
        super().take(line, message)
        if is_it:
            self.at = self.now
            mine = [due for due in self._due if due[2] == 0]
            self._due = sorted(due for due in self._due if due[2] != 0)
            self.held = b"".join(data for _, _, _, data in sorted(mine))

    def until_withheld(self) -> "Withheld":
        for line in range(len(self.agents)):
            self.send(self.room.opened(line, self.now))
        while self.at < 0:
            assert self.step()
        return self

    def sent(self, data: bytes) -> list[str]:
        return [NAMES[type(message)] for message in self._ends[0].receive(data)]


def withheld(kind: type[Message], seed: int = 1, seats: int = 2, version: str = "1.0") -> Withheld:
    """A game up to the first message of that kind from line 0."""
    table = Withheld(room_of(version, seats, seed, max_turns=0), seed)
    table.kind = kind
    return table.until_withheld()


def test_after_three_seconds_of_silence_an_agent_chooses_again() -> None:
    table = withheld(BuyCard)
    agent, at = table.agents[0], table.at
    assert agent.deadline == at + PATIENCE and agent.wait(at + 2.9) == b""
    assert table.sent(agent.wait(at + PATIENCE)) == ["Zug beenden"]
    assert agent.deadline == at + 2 * PATIENCE


def test_the_silence_restarts_with_any_message_from_the_server() -> None:
    table = withheld(BuyCard)
    agent, at = table.agents[0], table.at
    chat = b'{"Chatnachricht":{"Absender":2,"Nachricht":"Na?"}}\n'
    assert agent.receive(chat, at + 2.0) == b"" and agent.deadline == at + PATIENCE
    update = b'{"Statusupdate":{"Spieler":{"id":2,"Status":"Warten"}}}\n'
    assert agent.receive(update, at + 2.0) == b"" and agent.deadline == at + 2.0 + PATIENCE


def test_a_late_answer_is_followed_and_nothing_is_played_twice() -> None:
    table = withheld(BuyCard)
    agent, at = table.agents[0], table.at
    view = agent.follower.view
    assert view is not None
    cards = view.card_count(view.viewer)
    assert table.sent(agent.wait(at + PATIENCE)) == ["Zug beenden"]
    assert agent.receive(table.held, at + 4.0) == b"", "it still waits for the end of its turn"
    assert view.card_count(view.viewer) == cards + 1
    assert not agent.follower.is_in_doubt


def test_the_refusal_of_a_repeated_message_is_recognized() -> None:
    table = withheld(RollDice)
    agent, at = table.agents[0], table.at
    again = agent.wait(at + PATIENCE)
    assert table.sent(again) == ["Würfeln"]
    first = table.sent(agent.receive(table.held, at + 4.0))
    assert len(first) == 1 and first != ["Würfeln"], "it continues after the roll"
    assert agent.receive(b'{"Serverantwort":"Du hast schon"}\n', at + 4.1) == b""
    assert agent.follower.said, "what it has asked for since is still pending"


@pytest.mark.parametrize("patience", [0.0, 1.0, 7.5])
def test_the_patience_can_be_set(patience: float) -> None:
    table = withheld(BuyCard)
    agent = LineAgent(policy_of("builder", 1), patience=patience)
    table.agents[0]._watchdog = agent._watchdog
    agent._watchdog.sent(table.at)
    assert table.agents[0].deadline == (table.at + patience if patience else None)


class Mute(Late):
    """A game in which the agent on line 1 answers no offer."""

    def take(self, line: int, message: Message) -> None:
        if not (line == 1 and isinstance(message, AnswerOffer | CancelOffer)):
            super().take(line, message)


def test_an_offer_is_closed_after_three_seconds_and_a_silent_seat_delays_one_per_turn() -> None:
    room = room_of("1.0", 3, 3, max_turns=60)
    table = Mute(room, 3).play()
    assert room.is_over and not room.removals
    opened, waits = 0.0, []
    for at, turn, message in table.asked:
        opened = at if isinstance(message, Offer) else opened
        if isinstance(message, CancelOffer | Conclude) and at > opened:
            assert at == opened + PATIENCE
            waits.append(turn)
    offers = [turn for _, turn, message in table.asked if isinstance(message, Offer)]
    assert 0 < len(waits) == len(set(waits)) < len(offers)


def test_a_start_without_an_effect_is_sent_once_and_again_only_after_ten_seconds() -> None:
    agent = LineAgent(policy_of("builder", 1), chance=Random(1))
    agent.receive(b'{"Hallo":{"Version":"x","Protokoll":"1.0"}}\n{"Willkommen":{"id":1}}\n', 0.0)
    player = '{"id":1,"Status":"Spiel starten"}'
    agent.receive(f'{{"Statusupdate":{{"Spieler":{player}}}}}\n'.encode(), 0.0)
    end: Connection[Any] = Connection(GermanCodec(said_by_clients("1.0")))
    (start,) = end.receive(agent.receive(b'{"Serverantwort":"OK"}\n', 0.5))
    assert isinstance(start, StartGame)
    assert all(agent.wait(0.5 + k) == b"" for k in range(10))
    assert agent.deadline == 10.5
