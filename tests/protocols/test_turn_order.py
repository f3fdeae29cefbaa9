"""The order of turns is the server's: an agent takes it from the MSG_TURNs."""

from dataclasses import fields, replace

import pytest

from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_binary.messages import Kick, Roll, Setup, Turn
from tests.protocols.in_memory import Played, builder_policy, tournament
from tests.protocols.rules.table import open_turn
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


def test_a_turn_of_the_seat_whose_turn_it_is_is_refused():
    with pytest.raises(RemoteProtocolError, match="MSG_TURN of seat 0; its turn has not ended"):
        heard(listening(), Turn(0))


def test_a_turn_of_no_seat_is_refused():
    with pytest.raises(RemoteProtocolError, match="MSG_TURN of seat 4 among 4 players"):
        heard(listening(table=open_turn()), Turn(4))
