"""The order of turns is the server's: an agent takes it from the MSG_TURNs."""

from dataclasses import fields, replace

import pytest

from catan_env import Action
from catan_env.game.action import ActionKind
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import (
    Card,
    End,
    Kick,
    Pass,
    Rob,
    RobResult,
    Roll,
    RollResult,
    Setup,
    Turn,
)
from catan_env.protocols.catan_binary.places import TILE_POS
from tests.protocols.conversation import Conversation
from tests.protocols.in_memory import Played, builder_policy, tournament
from tests.protocols.rules.table import BRICK, CITIES, ORE, open_turn
from tests.protocols.test_other_servers import heard, listening

SEATS = frozenset({"player_id", "target_id", "kick_id", "winner_id"})


def relabelled(message, ids):
    """Return the message with other numbers of seats."""
    if isinstance(message, Setup):
        players = (replace(player, id=ids[player.id]) for player in message.players)
        return replace(message, players=tuple(players))
    named = {field.name for field in fields(message)} & SEATS
    numbers = {name: getattr(message, name) for name in named}
    return replace(message, **{name: ids.get(n, n) for name, n in numbers.items()})


class Reordered(Played):
    """A game at a server whose turns go around the seats in the given order."""

    def __init__(self, room, order) -> None:
        self._order = order
        super().__init__(room, [self._compared(turn) for turn in range(len(order))])
        self._ends = [Renumbering(end, order) for end in self._ends]

    def _compared(self, turn):
        policy = builder_policy(turn)

        def decide(view) -> int:
            assert view.viewer == self._order[turn]
            assert view.hand(view.viewer) == self.room.game.hand(turn)
            assert view.bank == self.room.game.bank
            return policy(view)

        return decide


class Renumbering:
    """The server's end of a line, whose seats have the numbers of the order of turns."""

    def __init__(self, end, order) -> None:
        self._end = end
        self._sent = dict(enumerate(order))
        self._received = {seat: turn for turn, seat in enumerate(order)}

    def send(self, message):
        return self._end.send(relabelled(message, self._sent))

    def receive(self, data):
        return [relabelled(message, self._received) for message in self._end.receive(data)]


@pytest.mark.parametrize("order", [[1, 2, 0], [1, 0], [2, 0, 3, 1]], ids=str)
def test_turns_may_go_around_the_seats_in_any_order(order):
    played = Reordered(tournament(len(order), 9), order).play()
    assert played.room.is_over and not played.room.removals
    assert {agent.winner for agent in played.agents} == {order[played.room.winner]}


def test_a_seat_that_the_server_skips_has_no_turn():
    agent = listening()
    assert heard(agent, Turn(2), Turn(1)) == [Roll()]


def test_a_kicked_seat_may_have_turns_in_which_nothing_happens():
    agent = listening()
    assert heard(agent, Kick(2), Turn(2), Turn(1)) == [Roll()]


def test_a_seat_may_be_kicked_again():
    """As the target of an offer to it, or on its turn, at a server that skips no seat."""
    agent = listening()
    assert heard(agent, Kick(2), Turn(2), Kick(2), Turn(1)) == [Roll()]


def alone(decide, **position):
    """Seat 0's agent at a table of two, once the other seat is kicked."""
    position = {"phase": "main", "settlements": {0: [8], 1: [35]}, **position}
    agent = listening(0, Conversation(seats=2, **position), decide)
    heard(agent, Kick(1))
    return agent


def first_legal(*actions):
    return lambda view: next(a.index for a in actions if view.action_mask[a.index])


def test_an_agent_plays_on_when_the_server_goes_on_after_kicking_the_last_other_seat():
    """The text leads from KICK to TURN, never to END."""
    robbing = [Action.move_robber(tile, 1) for tile in (8, 9)]
    agent = alone(first_legal(Action.roll(), *robbing, Action.end_turn()), hands={1: {ORE: 2}})
    for tile in (8, 9):
        assert heard(agent, Turn(0)) == [Roll()]
        assert heard(agent, RollResult(7)) == [Rob(TILE_POS[tile], 1)]
        assert heard(agent, RobResult(0, 1, Card.ORE)) == [Pass()]
    assert agent.follower.view.hand(0)[ORE] == 2 and not agent.is_over
    heard(agent, End(0))
    assert agent.is_over and agent.winner == 0


def test_an_agent_alone_with_ten_points_passes_and_plays_on_until_the_game_ends():
    decide = first_legal(Action.roll(), Action.end_turn())
    agent = alone(decide, settlements={0: [0, 2], 1: [21]}, cities={0: CITIES})
    for _ in range(2):
        assert heard(agent, Turn(0), RollResult(12)) == [Roll(), Pass()]


def test_an_agent_makes_no_offer_to_seats_that_are_all_kicked():
    seen = []

    def decide(view) -> int:
        seen.extend(view.legal_actions)
        return first_legal(Action.roll(), Action.end_turn())(view)

    heard(alone(decide, hands={0: {BRICK: 3}}), Turn(0), RollResult(12))
    assert Action.end_turn() in seen
    assert not any(action.kind == ActionKind.OFFER for action in seen)


def test_a_turn_of_the_seat_whose_turn_it_is_is_refused():
    with pytest.raises(RemoteProtocolError, match="MSG_TURN of seat 0; its turn has not ended"):
        heard(listening(), Turn(0))


def test_a_turn_of_no_seat_is_refused():
    with pytest.raises(RemoteProtocolError, match="MSG_TURN of seat 4 among 4 players"):
        heard(listening(table=open_turn()), Turn(4))
