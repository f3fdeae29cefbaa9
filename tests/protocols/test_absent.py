"""Seats that never connect, and seats that leave at any moment: the others continue."""

from random import Random

import pytest

from tests.protocols.in_memory import builder_policy, odd_board, random_policy, tournament
from tests.protocols.test_disorder import Disordered


class Deserted(Disordered):
    """A game without `absent`, in which the seats present may leave; no time runs out.

    In the announced dialect the remaining seats are compared with the game.
    """

    def __init__(self, room, policies, chance: Random, absent: set[int]) -> None:
        self.is_announced = room.settings.announced
        super().__init__(room, policies, chance, deaths=True)
        self.absent = absent

    def is_up_to_date(self, seat) -> bool:
        return self.is_announced and super().is_up_to_date(seat)

    def disturb(self) -> None:
        if self._chance.random() < 0.003:
            seat = self._chance.randrange(self.room.game.seats)
            self._effects.extend(self.room.leave(seat, "gone", 0.0))


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "literal"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_the_absent_seats_the_others_play_on(seats, announced, games):
    compared = 0
    for seed in range(max(5, games // 1000)):
        chance = Random(seed)
        board = odd_board(seed) if seed % 5 == 0 else "random_tokens"
        room = tournament(seats, seed, board, announced=announced, max_turns=300)
        policies = [chance.choice((builder_policy, random_policy))(seed + k) for k in range(seats)]
        absent = set(chance.sample(range(seats), chance.randrange(1, seats)))
        played = Deserted(room, policies, chance, absent).play()
        assert room.is_over
        assert {kicked.reason for kicked in room.removals} <= {"absent", "gone"}
        compared += played.compared_decisions
    assert compared > 0 or not announced or seats == 2
