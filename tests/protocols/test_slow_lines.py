"""Slow lines in either direction: messages of a server and its agents cross.

An answer may meet the end of its offer, a move the end of its turn. No seat is kicked for that,
and a seat that has received everything knows what the game would show.
"""

from collections import deque
from random import Random
from typing import Any

import pytest

from catan_env import Phase
from catan_env.net.room import Send
from catan_env.protocols.catan_binary.messages import DevCard, Play
from tests.covering import covering
from tests.protocols.in_memory import Played, builder_policy, random_policy, tournament


class SlowLines(Played):
    """Every line has its own delays; sometimes a seat's time runs out."""

    def __init__(self, room: Any, policies: list[Any], chance: Random, hurry: float) -> None:
        super().__init__(room, [self._compared(k, policy) for k, policy in enumerate(policies)])
        self.compared = self.crossed = 0
        self._chance, self._hurry = chance, hurry
        self._told: list[deque[Any]] = [deque() for _ in policies]
        self._said: list[deque[Any]] = [deque() for _ in policies]

    def _compared(self, seat: int, policy: Any) -> Any:
        def act(view: Any) -> int:
            if self._is_up_to_date(seat):
                truth = self.room.game.view(seat)
                assert view.observation.tobytes() == truth.observation.tobytes()
                assert view.action_mask.tobytes() == truth.action_mask.tobytes()
                self.compared += 1
            return int(policy(view))

        return act

    def _is_up_to_date(self, seat: int) -> bool:
        """True if no message is under way between the seat and the room, which awaits it."""
        is_quiet = not self._told[seat] and not self._said[seat]
        return is_quiet and self.room.awaited == seat and not self.room.is_over

    def play(self, max_messages: int = 100_000) -> "SlowLines":
        for seat in range(len(self.agents)):
            self._tell(self.room.opened(seat, 0.0))
        while True:
            ways = [way for way in (*self._told, *self._said) if way]
            if not ways:
                if self.room.is_over:
                    return self
                self._wake()
            elif self._chance.random() < self._hurry and not self.room.is_over:
                self._run_out()
            else:
                self._deliver(self._chance.choice(ways))

    def _wake(self) -> None:
        """Let agents notice that no message is under way."""
        for seat, agent in enumerate(self.agents):
            if agent.deadline is not None and not agent.is_over:
                self._say(seat, self.visits[seat].time(agent.deadline))
        assert any(self._said), "every seat waits"

    def _deliver(self, way: deque[Any]) -> None:
        sent = way.popleft()
        if isinstance(sent, Send):
            seat, message = sent
            self._say(seat, self.visits[seat].receive(self._ends[seat].send(message), 0.0))
        else:
            self._tell(self.room.received(*sent, 0.0))

    def _say(self, seat: int, replies: Any) -> None:
        for reply in replies:
            self._said[seat].extend((seat, said) for said in self._ends[seat].receive(reply))

    def _tell(self, effects: list[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                self._told[effect.line].append(effect)

    def _run_out(self) -> None:
        """An answer names no offer: one that is under way comes before the next offer is made."""
        seat, phase = self.room.awaited, self.room.game.phase
        if phase == Phase.ROBBER or any(map(is_road_building, self._said[seat])):
            return
        self.crossed += bool(self._said[seat])
        self._tell(self.room.time(self.room.deadline))
        while phase == Phase.ANSWER and (self._told[seat] or self._said[seat]):
            self._deliver(self._told[seat] or self._said[seat])


def is_road_building(said: tuple[int, Any]) -> bool:
    """The only card of which no seat learns whether it came too late (see `test_disorder`)."""
    return isinstance(said[1], Play) and said[1].card == DevCard.ROAD_BUILDING


@pytest.mark.parametrize(("seats", "hurry"), covering([2, 3, 4], [0.0, 0.01]))
def test_messages_may_cross_on_the_way(seats: int, hurry: float) -> None:
    compared = crossed = 0
    for seed in range(2):
        room = tournament(seats, 800 + seed, max_turns=150)
        policies = [(builder_policy if k % 2 else random_policy)(seed + k) for k in range(seats)]
        played = SlowLines(room, policies, Random(seed), hurry).play()
        assert not room.removals
        compared, crossed = compared + played.compared, crossed + played.crossed
    assert compared > 100 and (crossed > 0) == (hurry > 0)
