"""Turns that time out and agents that die: those who stay still know what the game would show.

One thing they cannot know: whether the server heard a road building card that was played when
time ran out. The agent takes it for played then, which is the safe side.
"""

from random import Random

import pytest

from catan_env import Action, Phase
from tests.protocols.in_memory import Played, greedy_policy, random_policy, tournament


class Disordered(Played):
    """A game in which now and then time runs out, or an agent is gone."""

    def __init__(self, room, policies, chance: Random, deaths: bool) -> None:
        super().__init__(room, [self.compared(seat, p) for seat, p in enumerate(policies)])
        self.compared_decisions = 0
        self._chance, self._deaths = chance, deaths

    def compared(self, seat, policy):
        def act(view):
            if self.is_up_to_date(seat):
                truth = self.room.game.view(seat)
                assert view.observation.tobytes() == truth.observation.tobytes()
                assert view.action_mask.tobytes() == truth.action_mask.tobytes()
                self.compared_decisions += 1
            index = policy(view)
            if index != Action.play_road_building().index:
                self.disturb()
            return index

        return act

    def is_up_to_date(self, seat) -> bool:
        """Whether the seat has heard everything, and is still awaited."""
        waiting = any(effect.seat == seat for effect in self._effects)
        return not waiting and self.room.awaited == seat and not self.room.is_over

    def disturb(self) -> None:
        """While somebody thinks, its time may run out, or somebody may die."""
        draw = self._chance.random()
        if draw < 0.02 and self.room.game.phase != Phase.ROBBER:
            self._effects.extend(self.room.timeout(self.room.deadline))
        elif draw < 0.022 and self._deaths:
            seat = self._chance.randrange(self.room.game.seats)
            self._effects.extend(self.room.leave(seat, "gone", 0.0))


@pytest.mark.parametrize("deaths", [False, True], ids=["timeouts", "timeouts-and-deaths"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_those_who_stay_know_what_the_game_would_show(seats, deaths, games):
    compared = timed_out = 0
    for seed in range(max(2, games // 2500)):
        room = tournament(seats, 300 + seed)
        policies = [(greedy_policy if k % 2 else random_policy)(seed + k) for k in range(seats)]
        played = Disordered(room, policies, Random(seed), deaths).play()
        assert room.is_over
        assert {kicked.reason for kicked in room.kicks} <= {"gone"}
        compared += played.compared_decisions
        timed_out += sum(str(event.action).startswith("run out") for event in room.game.events)
    assert compared > 100 and timed_out > 0
