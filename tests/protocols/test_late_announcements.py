"""A server that is slow to announce: an agent that had given up waiting hears it all the same."""

from random import Random

import pytest

from tests.protocols.in_memory import Played, builder_policy, random_policy, tournament


class Slow(Played):
    """A game in which agents stop waiting while the announcement is on its way."""

    def __init__(self, room, policies, chance: Random) -> None:
        super().__init__(room, policies)
        self.given_up = 0
        self._chance = chance

    def _pass_on(self, seat, replies) -> None:
        super()._pass_on(seat, replies)
        agent = self.agents[seat]
        if agent.awaits_announcement and self._chance.random() < 0.5:
            self.given_up += 1
            super()._pass_on(seat, agent.hear_nothing())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_what_is_announced_late_is_followed(seats, games):
    given_up = 0
    for seed in range(max(5, games // 1000)):
        room = tournament(seats, 52 + seed)
        policies = [(builder_policy if k % 2 else random_policy)(seed + k) for k in range(seats)]
        played = Slow(room, policies, Random(seed)).play()
        assert room.is_over and not room.kicks
        given_up += played.given_up
    assert given_up > 0
