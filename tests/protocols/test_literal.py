"""The literal dialect: nothing that a seat cannot compute is announced to it."""

import pytest

from catan_env import ActionKind, Game
from tests.protocols.in_memory import Played, Policy, builder_policy, random_policy, tournament

UNTOLD = (ActionKind.PLAY_YEAR_OF_PLENTY, ActionKind.PLAY_MONOPOLY)


class ComparedWhileTold:
    """A policy that compares what it is shown with the truth while the text lets a seat know it.

    That is until another seat takes cards unseen: by a year of plenty or a monopoly, or by a
    seven, where three or more play.
    """

    def __init__(self, game: Game, seat: int, policy: Policy) -> None:
        self.compared = 0
        self._game, self._seat, self._policy = game, seat, policy
        self._looked_at = 0
        self._is_told = True

    def __call__(self, view) -> int:
        for event in self._game.events[self._looked_at :]:
            unseen = event.seat != self._seat and event.action.kind in UNTOLD
            own = event.action.kind == ActionKind.PLAY_MONOPOLY
            lost = event.action.kind == ActionKind.DISCARD and event.seat != self._seat
            if unseen or (self._game.seats > 2 and (lost or own)):
                self._is_told = False
        self._looked_at = len(self._game.events)
        truth = self._game.view(self._seat)
        if self._is_told:
            self.compared += 1
            assert view.observation.tobytes() == truth.observation.tobytes()
            assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        assert not (view.action_mask > truth.action_mask).any()
        return self._policy(view)


@pytest.mark.parametrize("announced", [False, None], ids=["told-the-dialect", "finds-out"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_agent_knows_what_the_text_lets_it_know_and_is_never_kicked(seats, announced, games):
    compared = 0
    for seed in range(max(1, games // 5000)):
        room = tournament(seats, 700 + seed, announced=False)
        made = [builder_policy if seat % 2 else random_policy for seat in range(seats)]
        policies = [
            ComparedWhileTold(room.game, seat, make(seed)) for seat, make in enumerate(made)
        ]
        Played(room, policies, announced=announced).play()
        assert room.is_over and not room.kicks
        compared += sum(policy.compared for policy in policies)
    assert compared > 20
