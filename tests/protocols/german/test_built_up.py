"""A map that has buildings from the start, as the protocol's text allows: there is no set-up."""

from random import Random
from typing import Any

import pytest

from catan_env.net import RemoteProtocolError
from tests.protocols.german.peers.board import ENDS, Board
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.peers.play import Play
from tests.protocols.german.peers.player import Player
from tests.protocols.german.peers.server import Server
from tests.protocols.german.test_agent import in_lobby, line_of, status
from tests.protocols.german.test_habits import Guests

VERSIONS = ("0.1", "0.2", "0.3", "1.0")


class BuiltUp(Server):
    """Each player has two houses and two roads on the map, and turns begin at once."""

    class Game(Play):
        def begin(self, seats: list[Player]) -> None:
            self.seats = seats
            for player in seats[1:]:
                self.set_status(player, "Warten")
            self.set_status(seats[0], "Würfeln")

    play_kind = Game
    second = "Dorf"
    """The second house of each player."""

    def order(self) -> list[Player]:
        """All roll, and play in the order of the map's buildings."""
        super().order()
        return self.players

    def map(self, board: Board) -> dict[str, Any]:
        pieces: list[dict[str, Any]] = []
        for typ, players in (("Dorf", self.players), (self.second, self.players[::-1])):
            for player in players:
                pieces += self.house_with_road(board, player.id, typ)
        return {**super().map(board), "Gebäude": pieces}

    def house_with_road(self, board: Board, who: int, typ: str) -> list[dict[str, Any]]:
        corner = Random(who).choice(board.free_corners())
        edge = next(edge for edge, ends in ENDS.items() if corner in ends)
        board.houses[corner], board.roads[edge] = (who, typ), who
        return [
            {"Eigentümer": who, "Typ": "Straße", "Ort": self.place(edge)},
            {"Eigentümer": who, "Typ": typ, "Ort": self.place(corner)},
        ]


@pytest.mark.parametrize("second", ["Dorf", "Stadt"])
@pytest.mark.parametrize(("version", "seats"), list(zip(VERSIONS, (2, 3, 4, 3), strict=True)))
def test_an_agent_plays_on_from_the_buildings_of_the_map(
    version: str, seats: int, second: str
) -> None:
    server = BuiltUp(version, seats, Chance(7), 60)
    server.second = second
    table = Guests(server).play()
    assert server.is_closed, f"stuck in turn {server.play.turn}"
    assert table.decisions > 60 and not server.refused
    for agent in table.agents:
        view = agent.follower.view
        assert view is not None
        for seat, player in enumerate(server.play.seats):
            ours = agent.follower.seats.of(player.id)
            assert ours == seat
            built = [typ for who, typ in server.play.board.houses.values() if who == player.id]
            assert len(view.settlements(ours)) == built.count("Dorf")
            assert len(view.cities(ours)) == built.count("Stadt")
            roads = [who for who in server.play.board.roads.values() if who == player.id]
            assert len(view.roads(ours)) == len(roads)


def test_a_map_that_has_buildings_of_others_alone_is_refused() -> None:
    agent = in_lobby()
    for player in (1, 2):
        agent.receive(status(player, "Wartet auf Spielbeginn"), 0.1)
    server = BuiltUp("1.0", 2, Chance(7))
    server.players = [Player(0, 2)]
    karte = server.map(server.chance.board())
    with pytest.raises(RemoteProtocolError, match=r"Spiel gestartet: .* none of which is ours"):
        agent.receive(line_of("Spiel gestartet", Karte=karte), 0.2)


def test_a_turn_without_a_settlement_of_ours_is_refused() -> None:
    agent = in_lobby()
    for player in (1, 2):
        agent.receive(status(player, "Wartet auf Spielbeginn"), 0.1)
    server = Server("1.0", 2, Chance(7))
    karte = server.map(server.chance.board())
    agent.receive(line_of("Spiel gestartet", Karte=karte), 0.2)
    with pytest.raises(RemoteProtocolError, match="Würfeln before we have placed"):
        agent.receive(status(1, "Würfeln"), 0.3)
