"""A policy cannot tell the network from the environment.

At every decision of every seat the observation and the mask that its agent computed from bytes
alone are those of the server's game, byte for byte.
"""

from collections import Counter

import pytest

from catan_env import Action, Game
from catan_env.protocols.catan_binary.messages import Trade, TradeAccept, name_of
from tests.protocols.in_memory import (
    Played,
    Policy,
    builder_policy,
    odd_board,
    random_policy,
    tournament,
)


def policies_of(kind: str, seats: int, seed: int) -> list[Policy]:
    """`seats` policies: all random, all builder, or alternating."""
    made = {"random": random_policy, "builder": builder_policy}
    kinds = ["random", "builder"] * 2 if kind == "mixed" else [kind] * seats
    return [made[kinds[seat]](100 * seed + seat) for seat in range(seats)]


class Compared:
    """A policy that compares its view with the one that the game would have shown it."""

    def __init__(self, game: Game, seat: int, policy: Policy) -> None:
        self.decisions = 0
        self._game, self._seat, self._policy = game, seat, policy

    def __call__(self, view) -> int:
        self.decisions += 1
        truth = self._game.view(self._seat)
        assert view.observation.tobytes() == truth.observation.tobytes()
        assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        return self._policy(view)


def play_compared(kind: str, seats: int, seed: int, order: str = "big", **settings) -> Played:
    room = tournament(seats, seed, **settings)
    policies = policies_of(kind, seats, seed)
    compared = [Compared(room.game, seat, policy) for seat, policy in enumerate(policies)]
    played = Played(room, compared, order).play()
    assert room.is_over and not room.removals
    assert all(policy.decisions for policy in compared)
    assert {agent.winner for agent in played.agents} == {room.winner}
    return played


@pytest.mark.parametrize("kind", ["random", "builder", "mixed"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_agent_knows_what_the_environment_would_show_it(kind, seats, games):
    said: Counter[str] = Counter()
    for seed in range(max(1, games // 1500)):
        order = "little" if seed % 2 else "big"
        played = play_compared(kind, seats, 9000 + seed, order)
        said.update(name_of(message) for _, message in played.heard)
    assert said["MSG_ROB_RESULT"] and said["MSG_TRADE_ACCEPT"] and said["MSG_BUILD_RESULT"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_boards_of_any_tiles_and_any_harbours_are_played(seats, games):
    for seed in range(max(2, games // 1500)):
        play_compared("mixed", seats, seed, board=odd_board(100 * seats + seed))


def test_the_game_that_agents_play_is_the_game_that_is_recorded():
    room = play_compared("mixed", 3, 77).room
    again = Game(seats=3, seed=77, rules=room.game.rules)
    for event in room.game.events[len(again.events) :]:
        if not is_played_by_table(event.action):
            assert again.play(event.action) == event
    assert again.state_bytes() == room.game.state_bytes()


def is_played_by_table(action: Action) -> bool:
    return action.kind == Action.discard(0).kind


def test_trades_between_seats_are_made():
    accepted = [
        message
        for _, message in play_compared("builder", 4, 5).heard
        if isinstance(message, TradeAccept) and message.player_id != message.target_id
    ]
    offered = [
        message
        for _, message in play_compared("builder", 4, 5).heard
        if isinstance(message, Trade) and message.player_id != message.target_id
    ]
    assert accepted and offered
