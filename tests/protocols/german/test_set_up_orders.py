"""Our agents on servers whose set-up has another order than the snake."""

import pytest

from tests.covering import covering
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.server import Server
from tests.protocols.german.peers.set_up import ORDERS
from tests.protocols.german.test_habits import Guests


@pytest.mark.parametrize(("kind", "version", "seats"), covering(ORDERS, ("0.1", "1.0"), (3, 4)))
def test_the_set_up_may_have_any_order(kind: type[Server], version: str, seats: int) -> None:
    for seed in (5, 6):
        table = Guests(kind(version, seats, Chance(seed), 40 if version == "0.1" else 80)).play()
        assert table.server.is_closed, f"stuck in turn {table.server.play.turn}"
        assert table.server.refused == [] and table.decisions > 20
        for agent in table.agents:
            assert agent.follower.seats.number == seats and not agent.follower.is_in_doubt
            assert agent.follower.view is not None and agent.follower.view.seats == seats
