"""A server of 0.1 that plays on past ten points: that version has no end of the game."""

from typing import Any

import pytest

from catan_env import Phase
from catan_env.core.constants import POINTS_TO_WIN
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.play import Play
from tests.protocols.german.peers.player import Player
from tests.protocols.german.peers.server import Server
from tests.protocols.german.test_habits import Guests

PATIENCE = 3.0


class Endless(Server):
    """The game ends with the last of its turns."""

    class Game(Play):
        def _look_for_winner(self) -> None:
            pass

        def _end_turn(self, who: Player, body: Any) -> None:
            super()._end_turn(who, body)
            if self.turn == self._max_turns:
                self.server.is_closed = True

    play_kind = Game


@pytest.mark.parametrize(("seats", "seed"), [(2, 5), (3, 8), (4, 11)])
def test_an_agent_plays_on_with_its_policy_after_ten_points(seats: int, seed: int) -> None:
    server = Endless("0.1", seats, Chance(seed), 400)
    table = Guests(server).play()
    assert server.is_closed and server.play.turn == 400 and not server.refused
    points = [server.play.points(player) for player in server.play.seats]
    assert max(points) > POINTS_TO_WIN, points
    assert table.now < 2 * PATIENCE, "one seat alone has waited for the end, and once"
    for agent in table.agents:
        view = agent.follower.view
        assert view is not None and view.phase != Phase.OVER
