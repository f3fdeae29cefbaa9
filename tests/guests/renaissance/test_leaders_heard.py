"""A player's own leaders as announced by other servers."""

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.state import ACTIVE, DISCARDED, IN_HAND
from tests.guests.renaissance.altered import in_a_game


@pytest.mark.parametrize("others", [DISCARDED, IN_HAND])
def test_an_active_leader_is_never_discarded_by_a_hand_without_it(others: int) -> None:
    """An active leader is not in the hand any more, and cannot be discarded (R064)."""
    house, (agent, _) = in_a_game()
    follower = agent.follower
    states = follower.state["leader_state"][follower.seat]
    states[:] = [ACTIVE, others]
    hand = None if others == DISCARDED else []
    agent.received(m.UpdateLeadersHand(follower.nickname, hand), house.now)
    assert states.tolist() == [ACTIVE, DISCARDED] and not agent.is_lost
