"""Policies that think for six seconds, lines that take 30 ms, rooms that refuse bad messages."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from catan_env.core.actions import OFFER_START
from catan_env.protocols.catan_binary.agent import Agent as BinaryAgent
from catan_env.protocols.catan_german.agent import Agent as GermanAgent
from catan_env.protocols.catan_german.messages import VERSIONS, Answer, Failure
from tests.protocols.german.in_memory import room_of
from tests.protocols.in_memory import tournament
from tests.slow import Player, SlowWorld

THINKS = 6.0


class Thinking:
    """A policy that sets its player's clock forward."""

    player: Player

    def __init__(self, policy: Callable[[Any], int]) -> None:
        self._policy, self.decisions = policy, 0

    def __call__(self, view: Any) -> int:
        self.player.clock += THINKS
        self.decisions += 1
        return self._policy(view)


def without_offers(seed: int) -> Callable[[Any], int]:
    """Any legal action but offers, which would be withdrawn while another seat is thinking."""
    chance = Random(seed)

    def act(view: Any) -> int:
        legal = np.flatnonzero(view.action_mask)
        return int(chance.choice(legal[legal < OFFER_START].tolist() or legal.tolist()))

    return act


def player_of(agent: Any, policy: Thinking) -> Player:
    policy.player = Player(agent)
    return policy.player


@pytest.mark.parametrize("version", VERSIONS)
def test_slow_german_agents_are_never_refused(version: str) -> None:
    room = room_of(version, 3, 7, max_turns=40)
    world, policies = SlowWorld(room), [Thinking(without_offers(k)) for k in range(3)]
    for k, policy in enumerate(policies):
        world.seat(player_of(GermanAgent(policy, f"Spieler {k}"), policy))
        world.run(1.0)
    world.run(50_000.0)
    assert room.is_over and all(policy.decisions > 10 for policy in policies)
    for player in world.players:
        refused = [
            one
            for one in player.heard
            if isinstance(one, Failure) or (isinstance(one, Answer) and one.text != "OK")
        ]
        assert refused == []


@pytest.mark.parametrize("announced", [True, False])
def test_slow_agents_of_the_binary_protocol_are_never_kicked(announced: bool) -> None:
    room = tournament(3, 5, announced=announced, timeout_secs=0, max_turns=60)
    world, policies = SlowWorld(room), [Thinking(without_offers(k)) for k in range(3)]
    for policy in policies:
        world.seat(player_of(BinaryAgent(policy), policy))
    world.run(50_000.0)
    assert room.is_over and not room.removals and all(policy.decisions > 10 for policy in policies)
