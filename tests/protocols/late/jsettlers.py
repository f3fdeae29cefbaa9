"""The JSettlers protocol over slow connections: an agent among robots of the server."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from catan_env import Resource, Rules, SeatView
from catan_env.core.observation import OFFSETS
from catan_env.game import correction
from catan_env.net import Connection
from catan_env.net.room import Effect, Send
from catan_env.protocols.jsettlers import lobby, places
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import OVER, Agent
from catan_env.protocols.jsettlers.end import client_end
from catan_env.protocols.jsettlers.framing import FrameCodec
from tests.protocols.jsettlers import test_games
from tests.protocols.jsettlers.announcer import SEATS
from tests.protocols.jsettlers.scripted import unhurried
from tests.protocols.jsettlers.server import Server
from tests.protocols.jsettlers.test_games import builder_of_few_offers, random_policy
from tests.protocols.late.table import LateTable

LINE = 0
LONGEST_PAUSE = 0.3
"""The longest thinking time of a server robot, in seconds."""
CLOCK = 8.0
"""Seconds without progress after which the server acts for a seat."""
PROGRESS = (m.PutPiece, m.CardAction, m.AcceptOffer, m.BankTraded, m.Discarded, m.MoveRobber,
            m.Robbery, m.Turn, m.PickCards, m.SimpleAction)  # fmt: skip
HABITS = {"asks first": 0.3, "counters": 0.3}


class Outbox:
    """The server's end of the agent's connection: answers are postponed while it is written to."""

    def __init__(self) -> None:
        self.agent: Agent
        self.effects: list[Effect] = []
        self.has_progressed = False

    def say(self, *messages: Any) -> list[Any]:
        """Send these messages."""
        self.effects += [Send(LINE, message) for message in messages]
        self.has_progressed |= any(isinstance(message, PROGRESS) for message in messages)
        return []


class JSettlersRoom(Server):
    """The test server as a room: it waits for its agent, and continues when data arrives.

    With a clock it acts for an agent that is silent for too long; without one it waits forever.
    """

    def __init__(self, *args: Any, has_clock: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        self.deadline: float | None = None
        self.forced = 0
        """Turns, discards and answers that the server stopped waiting for."""
        self._has_clock = has_clock
        self._progress = 0.0
        self._is_waiting = self._has_begun = False

    def opened(self, line: int, now: float) -> list[Effect]:
        """Connect the agent."""
        return []

    def received(self, line: int, message: Any, now: float) -> list[Effect]:
        """Handle a message of the agent."""
        if isinstance(message, lobby.ImARobot):
            self.say(lobby.RobotAccepted(("",)))
            self.invite()
        elif isinstance(message, lobby.JoinGame):
            self.let_in(message)
        elif isinstance(message, lobby.SitDown):
            self.sit_down(message)
            self._has_begun = True
        elif self._has_begun and not self.is_over:
            self._queue.append(message)
            self.step()
        return self._effects(now)

    def time(self, now: float) -> list[Effect]:
        """Let a robot act, or handle the expiry of the agent's clock."""
        if self._is_waiting:
            self._force()
            self._progress = now
        self._is_waiting = False
        if not self.is_over:
            self.step()
        return self._effects(now)

    def wait(self, seconds: float) -> None:
        """Wait until the agent sends something, or its clock runs out."""
        self._is_waiting = True

    def _effects(self, now: float) -> list[Effect]:
        effects, self.line.effects = self.line.effects, []  # type: ignore[attr-defined]
        if self.line.has_progressed:  # type: ignore[attr-defined]
            self._progress, self.line.has_progressed = now, False  # type: ignore[attr-defined]
        if effects:
            self._is_waiting = False
        self.deadline = self._next(now) if self._has_begun and not self.is_over else None
        return effects

    def _next(self, now: float) -> float | None:
        if not self._is_waiting:
            return now + self.chance.random() * LONGEST_PAUSE
        has_offer = self.offer is not None and self.offer[0] != self.seat
        is_spared = self.game.turn == 0 or self.state == 51
        may_force = has_offer or (self._has_clock and not is_spared)
        return max(now, self._progress + CLOCK) if may_force else None

    def _force(self) -> None:
        self.forced += 1
        if self.offer is not None and self.offer[0] != self.seat:
            maker, self.offer = self.offer[0], None
            self.say(m.ClearOffer(self.name, maker))
        elif self.state == 50:
            self._discard_for_the_agent()
        else:
            self.force_end()

    def _discard_for_the_agent(self) -> None:
        """Take cards at random, and announce them as lost."""
        cards = places.from_counts(self._random_discard(self.seat).cards[:5])
        self.discards[self.seat] = cards
        lost = [(places.to_code(r), n) for r, n in zip(Resource, cards, strict=True) if n]
        self.say(m.Elements(self.name, self.seat, 102, tuple(x for pair in lost for x in pair)))
        self.go_on_discarding()


class Compared(test_games.Compared):
    """Compares the policy's view with the game while no message is in transit."""

    def __init__(self, policy: test_games.Policy) -> None:
        super().__init__(policy)
        self.table: LateTable

    def __call__(self, view: SeatView) -> int:
        """Compare, then decide."""
        agent, end = self.server.line.agent, self.table.visits[LINE].end
        agent.finish()
        has_spoken = agent._out or agent.players[self.server.name].out
        is_sure = self.table.is_quiet(LINE) and not end.is_amid_message and not has_spoken
        return super().__call__(view) if is_sure else self.policy(view)

    def _truth(self, view: SeatView) -> SeatView | None:
        """The game's view; without offers if no time is left for them, or they were refused."""
        truth = super()._truth(view)
        at = OFFSETS["offers_left"]
        if truth is not None and not view.observation[at] and truth.observation[at]:
            truth = truth.copy()
            correction.offer_no_more(truth)
        return truth


def play(number: int) -> Counter[str]:
    """Play game `number`; return its statistics."""
    chance = Random(number)
    builds = number % 3 == 0
    compared = Compared(builder_of_few_offers(number) if builds else random_policy(number, 0.2))
    agent = Agent(unhurried(compared), "ours", cookie="key")
    outbox = Outbox()
    outbox.agent = agent
    robots = [random_policy(10 * number + seat, 0.2) for seat in range(SEATS)]
    rules = replace(Rules.jsettlers(), points_to_win=6)
    room = JSettlersRoom(
        outbox, number, robots, number % SEATS, options=("PL=4", "VP=t6"), rules=rules,
        encoding=number % 2, habits=HABITS, has_clock=number // 2 % 2 == 0,
    )  # fmt: skip
    room.most_turns = 120
    table = LateTable(
        room, [agent], lambda: Connection(FrameCodec(m.FROM_CLIENT)), client_end, chance
    )
    compared.server, compared.table = room, table
    table.play()
    (ended,) = agent.ended
    assert ended.how == (OVER if room.game.is_over else "deleted"), f"{ended.how}: {ended.reason}"
    follower: Any = ended.player.follower
    assert follower.winner == room.game.winner
    assert not follower.tracked.differences, follower.tracked.differences
    return Counter(
        {
            "won": room.game.is_over,
            "ended early": table.early,
            "compared": compared.exact + compared.sure,
            "forced": room.forced,
            "refused": len(room.refusals),
        }
    )
