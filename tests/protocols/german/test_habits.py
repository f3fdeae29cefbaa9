"""Our agents on third-party servers: whole games with every habit; see `peers/habits.py`.

When it has to decide, an agent knows its own hand, all numbers of cards and the board, unless
thefts are hidden from it; and it is rarely refused.
"""

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from catan_env import Resource, SeatView
from tests.protocols.german.in_memory import LineAgent, Policy, policy_of
from tests.protocols.german.peers import habits
from tests.protocols.german.peers.board import KINDS
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.player import Player
from tests.protocols.german.peers.server import Server

VERSIONS = ("0.1", "0.2", "0.3", "1.0")
POLICIES = ("builder", "random", "greedy")
IN_DOUBT = (habits.HiddenCards, habits.AllHidden, habits.SilentTheft, habits.EndlessBank,
            habits.NoTies, habits.OneOfTwoAlike, habits.DiscardAtOnce,
            habits.EffectFirst, habits.RobberAtOnce, habits.Lossy,
            habits.PointFirst, habits.KnightStays, habits.MonopolyByPlayer)  # fmt: skip
"""Habits that hide cards or break rules: an agent may have to rely on what it is shown."""


UNCLEAR = (habits.CardsAfterRoll, habits.Lossy, habits.ColoursOfAll, habits.WrongPartner)
"""Habits for which an agent cannot know in advance what is refused."""


class Guests:
    """Our agents on another server; time passes when no messages are sent."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.decisions = 0
        self.agents = [
            LineAgent(self._checked(policy_of(POLICIES[k % 3], k)), f"A{k}", chance=Random(k))
            for k in range(server.seats)
        ]
        self.now = 0.0
        self._todo: deque[tuple[int, bytes]] = deque()

    def _checked(self, policy: Policy) -> Policy:
        def act(view: SeatView) -> int:
            self._compare(view)
            self.decisions += 1
            return policy(view)

        return act

    def _compare(self, view: SeatView) -> None:
        """The seat's view agrees with the server; except for cards of a partly decided message."""
        board = self.server.play.board
        is_first = view.phase.name not in ("DISCARD", "FREE_ROAD", "ROBBER")
        are_hidden = isinstance(self.server, habits.SilentTheft | habits.RobberAtOnce)
        if isinstance(self.server, habits.MonopolyByPlayer):  # more cards may be in transit
            are_hidden = self.server.play.has_played_card
        for seat, player in enumerate(self.server.play.seats):
            assert len(view.settlements(seat)) == len(board.towns_of(player.id))
            if is_first and not are_hidden:
                assert view.hand_size(seat) == player.hand.total(), (view, seat)
                assert is_least(view.known(seat), player.hand), (view, seat)
            if is_first and not are_hidden and seat == view.viewer:
                self._compare_hand(view.hand(seat), player)
        self._compare_rates(view)
        bank = Counter({kind: self.server.play.bank(kind) for kind in KINDS})
        assert not is_first or are_hidden or is_least(view.bank, bank), (view, view.bank, bank)

    def _compare_rates(self, view: SeatView) -> None:
        """The bank rates of the seat's harbours."""
        board, own = self.server.play.board, self.server.play.seats[view.viewer].id
        rates = tuple(board.rates(own)[WORDS[kind]] for kind in Resource)
        assert self.server.version == "0.1" or view.trade_rates(view.viewer) == rates

    def _compare_hand(self, seen: Sequence[int], player: Player) -> None:
        """If its own cards are hidden, the seat counts on those that it certainly has."""
        if isinstance(self.server, habits.AllHidden):
            assert is_least(seen, player.hand)
        else:
            assert seen == tuple(player.hand[WORDS[kind]] for kind in Resource)

    def play(self) -> "Guests":
        """Play to the end."""
        for line in range(len(self.agents)):
            self._hear(self.server.opened(line))
        while not self.server.is_closed and self.now < 5000:
            while self._todo and not self.server.is_closed:
                self._hear(self.server.received(*self._todo.popleft()))
            self.now += 0.25
            for line, agent in enumerate(self.agents):
                if agent.deadline is not None and agent.deadline <= self.now:
                    self._say(line, agent.wait(self.now))
        return self

    def part(self) -> "Guests":
        """Let two seconds pass on connections that the server leaves open after the end."""
        for agent in self.agents:
            agent.wait(self.now + 2.0)
        return self

    def _hear(self, heard: dict[int, bytes]) -> None:
        for line, data in heard.items():
            if isinstance(self.server, habits.EndIsLost) and any(a.is_over for a in self.agents):
                return
            self._say(line, self.agents[line].receive(data, self.now))

    def _say(self, line: int, data: bytes) -> None:
        self._todo.extend((line, said) for said in data.splitlines(keepends=True))


def is_least(seen: Sequence[int], cards: Counter[str]) -> bool:
    """True if at least these are there."""
    return all(0 <= n <= cards[WORDS[kind]] for kind, n in zip(Resource, seen, strict=True))


WORDS = {Resource.LUMBER: "Holz", Resource.BRICK: "Lehm", Resource.WOOL: "Wolle",
         Resource.GRAIN: "Getreide", Resource.ORE: "Erz"}  # fmt: skip


def servers() -> Iterator[Any]:
    """Each habit in each version of the protocol; every time each in one of them."""
    for number, habit in enumerate([Server, *habits.HABITS]):
        for k, version in enumerate(VERSIONS):
            marks = () if number % len(VERSIONS) == k else pytest.mark.nightly
            yield pytest.param(habit, version, id=f"{version}-{habit.__name__}", marks=marks)


@pytest.mark.parametrize(("habit", "version"), list(servers()))
def test_an_agent_plays_on_a_server_with_another_habit(habit: type[Server], version: str) -> None:
    seats = 2 + VERSIONS.index(version) % 3
    table = Guests(habit(version, seats, Chance(5), 40 if version == "0.1" else 80)).play()
    server = table.server
    assert server.is_closed, f"stuck in turn {server.play.turn}"
    assert table.decisions > 20
    assert len(server.refused) <= 3 or habit in UNCLEAR, server.refused[:5]
    if habit not in IN_DOUBT:
        assert not any(agent.follower.is_in_doubt for agent in table.agents)
        assert habit in UNCLEAR or not server.refused
    if version != "0.1":  # in 0.1 the server ends the game by closing
        assert all(agent.follower.is_over and not agent.is_over for agent in table.agents)
        assert all(agent.is_over for agent in table.part().agents)
