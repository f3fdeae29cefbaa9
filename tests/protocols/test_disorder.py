"""Turns that time out and agents that die: the others still know what the game would show.

One fact they cannot know: whether the server received a road building card that was played when
time ran out. The agent assumes that it did, which is the safe side.
"""

from random import Random

import pytest

from catan_env import Action, Phase
from catan_env.protocols.catan_binary.messages import DevCard, Play
from tests.protocols.in_memory import Played, builder_policy, random_policy, tournament


class Disordered(Played):
    """A game in which sometimes time runs out, or an agent is gone."""

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
        """True if the seat has received everything, and is still awaited."""
        waiting = any(effect.line == seat for effect in self._effects)
        return not waiting and self.room.awaited == seat and not self.room.is_over

    def disturb(self) -> None:
        """While a seat is thinking, its time may run out, or an agent may die."""
        draw = self._chance.random()
        if draw < 0.02 and self.room.game.phase != Phase.ROBBER:
            self._effects.extend(self.room.time(self.room.deadline))
        elif draw < 0.022 and self._deaths:
            seat = self._chance.randrange(self.room.game.seats)
            self._effects.extend(self.room.leave(seat, "gone", 0.0))


@pytest.mark.parametrize("deaths", [False, True], ids=["timeouts", "timeouts-and-deaths"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_remaining_seats_know_what_the_game_would_show(seats, deaths, games):
    compared = timed_out = 0
    for seed in range(max(2, games // 2500)):
        room = tournament(seats, 300 + seed)
        policies = [(builder_policy if k % 2 else random_policy)(seed + k) for k in range(seats)]
        played = Disordered(room, policies, Random(seed), deaths).play()
        assert room.is_over
        assert {kicked.reason for kicked in room.removals} <= {"gone"}
        compared += played.compared_decisions
        timed_out += sum(str(event.action).startswith("run out") for event in room.game.events)
    assert compared > 100 and timed_out > 0


CARDS = {
    DevCard.KNIGHT: Action.play_knight().index,
    DevCard.YEAR_OF_PLENTY: Action.play_year_of_plenty(3, 3).index,
    DevCard.MONOPOLY: Action.play_monopoly(4).index,
}


class Interrupted(Disordered):
    """A game in which `card` is played as early as possible; time runs out before it or halfway."""

    def __init__(self, room, card: DevCard, is_heard: bool) -> None:
        self._card, self._is_heard = card, is_heard
        self.late = 0
        policies = [self.eager(random_policy(seat)) for seat in range(room.game.seats)]
        super().__init__(room, policies, Random(0), deaths=False)

    def eager(self, policy):
        index = CARDS[self._card]
        return lambda view: index if view.action_mask[index] else policy(view)

    def disturb(self) -> None:
        """Cause no disorder while a seat is thinking."""

    def _pass_on(self, seat, replies) -> None:
        for reply in replies:
            for said in self._ends[seat].receive(reply):
                is_card = isinstance(said, Play) and said.card == self._card
                if is_card and not self._is_heard:
                    self._run_out()
                self._effects.extend(self.room.received(seat, said, 0.0))
                if is_card and self._is_heard:
                    self._run_out()

    def _run_out(self) -> None:
        self.late += 1
        self._effects.extend(self.room.time(self.room.deadline))


@pytest.mark.parametrize(
    ("card", "is_heard"),
    [
        (DevCard.KNIGHT, False),
        (DevCard.YEAR_OF_PLENTY, False),
        (DevCard.YEAR_OF_PLENTY, True),
        (DevCard.MONOPOLY, False),
        (DevCard.MONOPOLY, True),
    ],
    ids=lambda value: value.name if isinstance(value, DevCard) else ("late", "amid")[value],
)
def test_a_card_played_when_time_ran_out_is_followed_as_the_server_does(card, is_heard):
    room = tournament(3, 300)
    played = Interrupted(room, card, is_heard).play()
    assert played.late > 0 and room.is_over and not room.removals
    assert played.compared_decisions > 100
