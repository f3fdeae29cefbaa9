"""The letters of the sea: in rows, or in a ring around the land."""

from typing import Any

import pytest

from catan_env.game.action import Action
from catan_env.protocols.catan_german.messages import Piece
from catan_env.protocols.catan_german.opening import board_of
from catan_env.protocols.catan_german.places import RING, Places
from tests.covering import covering
from tests.protocols.german.peers import board as in_rows
from tests.protocols.german.peers import ring
from tests.protocols.german.peers.chance import Chance
from tests.protocols.german.test_habits import Guests
from tests.protocols.german.test_other_openings import GAME, map_of, map_read

BOTH = (Places("0.3"), Places("0.3", RING))


def test_the_example_of_the_text_is_the_same_edge_in_both_orders() -> None:
    """A harbour at "fG": f is to the right of G, above it in rows and beside it in a ring."""
    rows, around = BOTH
    assert rows.edge(rows.edge_at("fG")) == "Gf" == around.edge(around.edge_at("fG"))
    assert rows.edge_at("fG") != around.edge_at("fG")


def test_every_edge_and_corner_has_the_name_that_the_picture_gives_it() -> None:
    rows, around = BOTH
    for edge in range(72):
        fields = rows.edge(edge)
        assert around.edge(edge) == "".join(sorted(ring.SAID[letter] for letter in fields))
        assert around.edge_at(around.edge(edge)) == edge
    for corner in range(54):
        fields = rows.corner(corner)
        assert around.corner(corner) == "".join(sorted(ring.SAID[letter] for letter in fields))
        assert around.vertex_at(around.corner(corner)) == corner
    assert [around.tile_at(letter) for letter in in_rows.LAND] == list(range(19))
    with pytest.raises(ValueError, match="Ort unbekannt: e"):
        around.tile_at("e")


def test_builds_at_the_coast_are_read_in_the_order_of_the_harbours() -> None:
    rows, around = BOTH
    for edge in range(72):
        assert around.action_of(Piece(1, "Straße", around.edge(edge))) == Action.road(edge)
    assert rows.action_of(Piece(1, "Straße", "Gf")) != around.action_of(Piece(1, "Straße", "Gf"))


@pytest.mark.parametrize("version", ["0.1", "0.3", "1.0"])
def test_harbours_that_fit_the_ring_alone_make_the_ring_the_order(version: str) -> None:
    places = Places(version)
    fitting = Places("0.3", RING)
    harbours = [fitting.edge(places.edge_at(h.place)) for h in map_read(map_of(version)).harbours]
    assert places.fitting(harbours).edge_at("fG") == fitting.edge_at("fG")
    for others in ([], ["Gf"], ["Aa", "Gf"], [*harbours, "XY"]):
        assert places.fitting(others) is places


@pytest.mark.parametrize(
    "harbour",
    [{"Ort": "Xy", "Typ": "Hafen"}, {"Ort": "AS", "Typ": "Hafen"}, {"Ort": "Aa", "Typ": "Kai"}],
)
def test_a_harbour_that_cannot_be_is_skipped(harbour: dict[str, Any], capsys: Any) -> None:
    karte = map_of("0.3")
    karte["Häfen"] = [*karte["Häfen"][1:], harbour]
    board, _ = board_of(map_read(karte), Places("0.3"))
    assert board.harbours == GAME.board.harbours[1:]
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("ignored harbours: 1; the first: ")


def test_ignored_places_of_a_map_are_reported_in_one_printable_line_each(capsys: Any) -> None:
    karte = map_of("0.3")
    odd = [{"Ort": "\x1b[31mX\nY", "Typ": "Hafen"}, {"Ort": "Aa", "Typ": "Kai" * 500}] * 3
    karte |= {"Häfen": [*karte["Häfen"], *odd], "Räuber": "\x1b[2J\u202e"}
    board, robber = board_of(map_read(karte), Places("0.3"))
    assert (board, robber) == (GAME.board, GAME.robber)
    assert capsys.readouterr().err.splitlines() == [
        "ignored harbours: 6; the first: Ort unbekannt: ?[31mX?Y",
        "the robber's place was ignored: Ort unbekannt: ?[2J?",
    ]


def test_an_ignored_kind_of_harbour_is_shortened(capsys: Any) -> None:
    karte = map_of("0.3")
    karte["Häfen"] = [{"Ort": "Aa", "Typ": "Kai" * 500}]
    board_of(map_read(karte), Places("0.3"))
    (line,) = capsys.readouterr().err.splitlines()
    assert "KaiKai" in line and len(line) < 130


@pytest.mark.parametrize(("version", "seats"), covering(("0.1", "0.2", "0.3", "1.0"), (3, 4)))
def test_an_agent_plays_where_the_letters_of_the_sea_run_around_the_land(
    version: str, seats: int
) -> None:
    table = Guests(ring.RingLetters(version, seats, Chance(7), 40)).play()
    assert table.server.is_closed and not table.server.refused and table.decisions > 20
    assert not any(agent.follower.is_in_doubt for agent in table.agents)
    named = {place for place in table.server.play.board.roads if any(c.islower() for c in place)}
    assert named, "roads at the coast"
