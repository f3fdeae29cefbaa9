"""A confirmed command has happened, even if the server sends no event of it."""

from typing import Any

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.command import TakeFromMarket
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.native.actions import ACTIVATE_AT, DISCARD_AT
from catan_env.guests.renaissance.native.state import EMPTY, IN_HAND
from catan_env.guests.renaissance.policies import Random
from catan_env.net.room import Effect, Send
from tests.guests.renaissance.altered import (
    Altered,
    in_a_game,
    in_the_set_up,
    play_compared,
    play_out,
)
from tests.guests.renaissance.in_memory import House


class Terse(Altered):
    """A server that sends no events of some types to the player whose command they announce."""

    omits: tuple[type[Any], ...] = ()
    omitted = 0

    def said(self, line: int, message: Any) -> list[Any]:
        is_own = line in self.agents and self.agents[line]._awaited is not None
        if is_own and isinstance(message, self.omits):
            self.omitted += 1
            return []
        return [message]


@pytest.mark.parametrize("seats", [1, 2, 4])
@pytest.mark.parametrize("omits", [m.UpdateActivateLeader, m.UpdateLeadersHand, m.UpdateDevSlot])
def test_a_confirmed_command_is_carried_out_without_its_event(omits: Any, seats: int) -> None:
    """Leaders kept, activated and discarded, and the slot of a card are in the command."""
    omitted = 0
    for seed in (0, 5, 6):
        house = Terse(seed)
        house.omits = (omits,)
        play_compared(house, seats, seed, Greedy if seed else Random)
        omitted += house.omitted
    assert omitted


class Empty(House):
    """A server that confirms some commands, by a name of its own, without carrying them out."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen: set[Any] = set()

    def answer(self, line: int, message: Any) -> list[Effect]:
        table = self.room._guests[line].table
        if not isinstance(message, (m.ReqLeaderAction, m.ReqSwapShelves)) or table is None:
            return super().answer(line, message)
        command = int(table.game.state["turn"]), table.names[table.game.turn_seat], message
        assert str(command) not in self.seen, "repeated"
        self.seen.add(str(command))
        name = self.agents[line].follower.nickname
        return [Send(line, m.UpdateAction(name, "SECONDARY_ACTION"))]


@pytest.mark.parametrize("seats", [1, 2])
def test_what_is_confirmed_and_changes_nothing_is_not_repeated_in_the_turn(seats: int) -> None:
    """The text confirms the activation of an active leader, for example."""
    for seed in range(3):
        house = Empty(seed)
        agents = [Agent(f"p{k}", Random(seed=k), seats) for k in range(seats)]
        for agent in agents:
            house.connect(agent)
        play_out(house, agents)
        assert len(house.seen) > 10


@pytest.mark.parametrize("action", ["CHOOSE_RESOURCES", "CHOOSE_LEADERS", "SECONDARY_ACTION"])
def test_a_repeated_confirmation_of_another_command_is_not_a_refusal(action: str) -> None:
    """A name that the text does not have may be the command's."""
    house, agents = in_a_game()
    agent = next(one for one in agents if one.follower.decides)
    while not isinstance(agent._command, TakeFromMarket):
        assert house.step()
    assert agent._awaited
    first = agent._awaited[0]
    agent.received(m.UpdateAction(agent.follower.nickname, action), house.now)
    assert agent._refused == ({first} if action == "SECONDARY_ACTION" else set())


def test_an_unknown_leader_is_never_sent() -> None:
    """It has no id that the server knows."""
    _, (agent, _) = in_a_game()
    follower = agent.follower
    follower.state["turn_seat"] = follower.seat
    follower.state["leader"][follower.seat] = EMPTY
    mask = follower.view().action_mask
    assert not mask[ACTIVATE_AT : ACTIVATE_AT + 2].any()
    assert not mask[DISCARD_AT : DISCARD_AT + 2].any()


def test_a_hand_that_comes_after_the_confirmation_of_the_choice_is_the_choice() -> None:
    """Also where the confirmed choice is not the last one that the agent sent."""
    _, agents = in_the_set_up()
    follower = agents[0].follower
    hand = sorted(follower.state["dealt"][follower.seat].tolist()[1:3])
    follower.hear(m.UpdateAction(follower.nickname, "CHOOSE_LEADERS"))
    follower.hear(m.UpdateLeadersHand(follower.nickname, hand))
    assert follower.state["leader"][follower.seat].tolist() == hand
    assert follower.state["leader_state"][follower.seat].tolist() == [IN_HAND] * 2
