"""A request that is refused although no other can be made: it is repeated after a pause."""

from typing import Any

import pytest

from catan_env.net.room import Send
from catan_env.protocols.catan_german.agent import REPEAT
from catan_env.protocols.catan_german.messages import Answer, Build, EndTurn, Message, RollDice
from catan_env.protocols.catan_german.room import GermanRoom
from tests.protocols.german.in_memory import room_of
from tests.protocols.german.test_agent import status
from tests.protocols.german.test_late import Late, Withheld, withheld

NO = b'{"Serverantwort":"Bitte warten, ein Spieler ist getrennt"}\n'


def refused(kind: type[Message]) -> Withheld:
    """A game in which the first message of that kind by the agent on line 0 was refused."""
    table = withheld(kind)
    assert table.agents[0].receive(NO, table.at) == b""
    return table


@pytest.mark.parametrize(("kind", "name"), [(RollDice, "Würfeln"), (EndTurn, "Zug beenden")])
def test_it_is_repeated_after_a_second_and_not_before(kind: type[Message], name: str) -> None:
    table = refused(kind)
    agent, at = table.agents[0], table.at
    assert agent.deadline == at + REPEAT
    assert agent.wait(at + 0.9 * REPEAT) == b""
    assert table.sent(agent.wait(at + REPEAT)) == [name]
    assert agent.receive(NO, at + REPEAT) == b"" and agent.deadline == at + 2 * REPEAT


def test_the_policy_is_not_asked_in_the_pause() -> None:
    table = refused(RollDice)
    agent = table.agents[0]
    agent._decide = lambda view: pytest.fail("it was asked")
    assert agent.receive(status(2, "Warten"), table.at) == b""
    assert agent.receive(status(1, "Würfeln"), table.at) == b"", "an unchanged Status asks nothing"


def test_another_status_of_this_seat_ends_the_pause() -> None:
    table = refused(RollDice)
    agent, at = table.agents[0], table.at
    assert table.sent(agent.receive(status(1, "Warten"), at)) == []
    assert agent.deadline is None
    assert table.sent(agent.receive(status(1, "Würfeln"), at)) == ["Würfeln"]


class Refusing(Late):
    """A room that refuses a kind of message from line 0 in some turn, all of its seconds."""

    kind: type[Message] = RollDice
    seconds = 90.0
    refusals = 0
    began: float | None = None

    def take(self, line: int, message: Message) -> None:
        if line == 0 and self.room.game.turn > 3 and isinstance(message, self.kind):
            self.began = self.now if self.began is None else self.began
            if self.now - self.began < self.seconds:
                self.refusals += 1
                self.send([Send(line, Answer("Bitte warten"))])
                return
        super().take(line, message)


@pytest.mark.parametrize("kind", [RollDice, EndTurn, Build])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_server_that_refuses_for_a_while_is_not_flooded(kind: Any, seed: int) -> None:
    table = Refusing(room_of("1.0", 3, seed, max_turns=40), seed)
    table.kind = kind
    table.play(limit=1e4)
    assert table.room.is_over and table.refusals
    assert table.refusals <= table.seconds / REPEAT + 1


class RefusingOnce(Late):
    """A room that refuses line 0's first end of a turn, and then its first building."""

    refused_at = -1.0

    def __init__(self, room: GermanRoom, seed: int) -> None:
        super().__init__(room, seed)
        self.kinds: list[type[Message]] = [EndTurn, Build]
        self.since: list[tuple[float, type[Message]]] = []
        """The messages of line 0 after the last refusal, each with its time."""

    def take(self, line: int, message: Message) -> None:
        if line == 0 and self.kinds and isinstance(message, self.kinds[0]):
            del self.kinds[0], self.since[:]
            self.refused_at = self.now
            self.send([Send(line, Answer("Bitte warten"))])
            return
        if line == 0:
            self.since.append((self.now, type(message)))
        super().take(line, message)


def test_what_was_refused_in_an_earlier_turn_is_sent_without_a_pause() -> None:
    table = RefusingOnce(room_of("1.0", 3, 1, max_turns=40), 1)
    table.play()
    assert not table.kinds and table.since[0] == (table.refused_at, EndTurn)
