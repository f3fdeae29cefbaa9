"""A server that announces late: an agent's conclusions from the silence are undone."""

from random import Random

import pytest

from tests.covering import covering
from tests.protocols.in_memory import Played, builder_policy, random_policy, tournament


class Slow(Played):
    """A game in which agents repeatedly stop waiting while messages are on their way."""

    def __init__(self, room, policies, chance: Random, announced: bool | None = None) -> None:
        super().__init__(room, policies, announced=announced)
        self.given_up = 0
        self._chance = chance

    def _pass_on(self, seat, replies) -> None:
        super()._pass_on(seat, replies)
        agent = self.agents[seat]
        while agent.deadline is not None and self._chance.random() < 0.3:
            self.given_up += 1
            super()._pass_on(seat, self.visits[seat].time(agent.deadline))


def policies_of(seats: int, seed: int) -> list:
    return [(builder_policy if k % 2 else random_policy)(seed + k) for k in range(seats)]


@pytest.mark.parametrize(("seats", "announced"), covering([2, 3, 4], [True, False]))
def test_late_messages_are_followed(seats, announced, games):
    given_up = 0
    for seed in range(max(3, games // 1000)):
        room = tournament(seats, 52 + seed, announced=announced)
        played = Slow(room, policies_of(seats, seed), Random(seed)).play()
        assert room.is_over and not room.removals
        given_up += played.given_up
    assert given_up > 0
