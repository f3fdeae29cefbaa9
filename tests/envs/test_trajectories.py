"""Returns of a seat's decisions, in games small enough to calculate by hand."""

import numpy as np
import pytest

from catan_env.adapters.trajectories import SeatChains

GAMMA, LAMBDA = 0.9, 0.8


def walk(
    seats: list[int],
    values: list[float],
    rewards: dict[int, list[float]],
    ends: set[int],
    expected: tuple[int, float] = (0, 0.0),
) -> tuple[list[float], list[float], list[bool]]:
    """Rewards, advantages and whether they are known, for one game's steps in order."""
    chains = SeatChains(1, GAMMA, LAMBDA)
    chains.expect(np.array([expected[0]]), np.array([expected[1]]))
    decided = []
    for step in reversed(range(len(seats))):
        chains.end(np.array([step in ends]))
        chains.receive(np.array([rewards.get(step, [0, 0, 0, 0])]))
        decided.append(chains.decide(np.array([seats[step]]), np.array([values[step]])))
    got, advantages, known = ([float(row[k][0]) for row in decided[::-1]] for k in range(3))
    return got, advantages, [bool(k) for k in known]


def test_every_seat_learns_from_its_own_decisions_and_its_own_result() -> None:
    # Seat 0 decides twice, seat 1 once, seat 0 once more and wins.
    rewards, advantages, is_known = walk(
        seats=[0, 0, 1, 0],
        values=[0.1, 0.2, 0.3, 0.4],
        rewards={3: [1, -1, 0, 0]},
        ends={3},
    )
    assert rewards == [0, 0, -1, 1]
    last = 1 - 0.4
    second = 0.9 * 0.4 - 0.2 + 0.9 * 0.8 * last
    first = 0.9 * 0.2 - 0.1 + 0.9 * 0.8 * second
    assert advantages == pytest.approx([first, second, -1 - 0.3, last])
    assert all(is_known)


def test_rewards_while_others_act_belong_to_the_seats_last_decision() -> None:
    rewards, advantages, _ = walk(
        seats=[0, 1, 1, 0],
        values=[0.5, 0, 0, 0.25],
        rewards={1: [0.1, 0, 0, 0], 2: [0.2, 0, 0, 0], 3: [1, -1, 0, 0]},
        ends={3},
    )
    assert rewards == pytest.approx([0.3, 0, -1, 1])
    assert advantages[0] == pytest.approx(0.3 + 0.9 * 0.25 - 0.5 + 0.72 * 0.75)


def test_nothing_is_looked_up_across_games() -> None:
    # The first game ends after step 1; seat 0 decides again in the next one, with value 50.
    _, advantages, is_known = walk(
        seats=[1, 0, 0, 1],
        values=[0.5, 0.25, 50, 60],
        rewards={1: [1, -1, 0, 0]},
        ends={1},
        expected=(1, 70.0),
    )
    assert advantages[:2] == pytest.approx([-1.5, 0.75])
    assert is_known == [True, True, False, True]


def test_at_the_end_of_a_rollout_only_the_seat_to_decide_looks_ahead() -> None:
    _, advantages, is_known = walk(
        seats=[0, 1, 1, 0],
        values=[0.1, 0.2, 0.3, 0.4],
        rewards={},
        ends=set(),
        expected=(1, 0.7),
    )
    last_of_1 = 0.9 * 0.7 - 0.3
    assert is_known == [True, True, True, False]
    assert advantages[3] == 0
    assert advantages[2] == pytest.approx(last_of_1)
    assert advantages[1] == pytest.approx(0.9 * 0.3 - 0.2 + 0.72 * last_of_1)
    assert advantages[0] == pytest.approx(0.9 * 0.4 - 0.1)


def test_a_turn_limit_ends_a_game_without_rewards() -> None:
    _, advantages, is_known = walk([0, 1, 2], [0.1, 0.2, 0.3], {}, {2}, (3, 9.0))
    assert advantages == pytest.approx([-0.1, -0.2, -0.3])
    assert all(is_known)


def test_games_do_not_touch_each_other() -> None:
    chains = SeatChains(2, 1.0, 1.0)
    chains.expect(np.array([0, 1]), np.array([5.0, 7.0]))
    chains.end(np.array([True, False]))
    chains.receive(np.array([[1, -1, 0, 0], [0, 0, 0, 0]]))
    _, advantages, is_known = chains.decide(np.array([1, 1]), np.array([0.0, 0.5]))
    assert advantages.tolist() == [-1, 6.5]
    assert is_known.tolist() == [True, True]
