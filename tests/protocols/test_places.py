"""Places and cards on the wire: numbers and names correspond one to one."""

import pytest

from catan_env import Board, DevelopmentCard, Resource, Terrain
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_binary import places
from catan_env.protocols.catan_binary.messages import (
    Card,
    DevCard,
    EdgePos,
    EdgeSide,
    TilePos,
    TileType,
    VertexCorner,
    VertPos,
)


@pytest.mark.parametrize(
    ("positions", "number_at", "count"),
    [
        (places.TILE_POS, places.tile_at, 19),
        (places.VERT_POS, places.vertex_at, 54),
        (places.EDGE_POS, places.edge_at, 72),
    ],
)
def test_every_place_has_one_name(positions, number_at, count):
    assert len(set(positions)) == count
    assert [number_at(position) for position in positions] == list(range(count))


def test_coastal_places_are_named_on_hexes_in_the_sea():
    land = {(pos.q, pos.r) for pos in places.TILE_POS}
    assert VertPos(0, -3, VertexCorner.S) in places.VERT_POS and (0, -3) not in land
    assert EdgePos(3, -2, EdgeSide.W) in places.EDGE_POS and (3, -2) not in land
    assert places.vertex_at(VertPos(0, -3, VertexCorner.S)) == Board.vertex_at(0, -3, "S")
    assert places.edge_at(EdgePos(3, -2, EdgeSide.W)) == Board.edge_at(3, -2, "W")


@pytest.mark.parametrize(
    ("number_at", "pos"),
    [
        (places.tile_at, TilePos(3, 0)),
        (places.vertex_at, VertPos(0, 4, VertexCorner.N)),
        (places.edge_at, EdgePos(-128, 127, EdgeSide.W)),
    ],
)
def test_a_place_off_the_board_is_the_peers_error(number_at, pos):
    with pytest.raises(RemoteProtocolError, match="of the board is at"):
        number_at(pos)


def test_cards_have_the_same_names_on_the_wire():
    for resource in Resource:
        assert places.to_card(resource).name == resource.name
        assert places.to_resource(places.to_card(resource)) == resource
    assert places.to_card(None) == Card.ANY
    with pytest.raises(RemoteProtocolError):
        places.to_resource(Card.ANY)
    for card in DevelopmentCard:
        assert places.to_dev_card(card).name == card.name
        assert places.to_development_card(DevCard(card)) == card


def test_a_terrain_yields_the_card_of_its_number():
    for terrain in set(Terrain) - {Terrain.SEA}:  # which the protocol cannot send
        assert TileType(terrain + 1).name == terrain.name
