"""JSettlers' frames, messages and places: examples from the wire, read and written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_env import Board, Resource
from catan_env.game.geometry import EDGE_VERTICES
from catan_env.net import Connection, LocalProtocolError, RemoteProtocolError
from catan_env.net.room import Garbled
from catan_env.protocols.jsettlers import lobby, places
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.framing import FrameCodec, from_java, to_java
from tests.protocols.jsettlers.board import LAND, laid

SERVER = [
    ("1009|t,2,0,56", m.PutPiece("t", 2, 0, 56)),
    ("1012|t,Ann,3,false", lobby.SitDown("t", "Ann", 3, False)),
    ("1092|t|2|0|5|2|4|0|3|4|1|1|1|5", m.Production("t", (2, 0, 5, 2, 4, 0, 3, 4, 1, 1, 1, 5))),
    ("1086|t|1|102|2|3|4|2", m.Elements("t", 1, 102, (2, 3, 4, 2))),
    ("1024|t,1,101,15,1", m.Element("t", 1, 101, 15, 1)),
    ("1039|t,2,0,0,0,1,0,0,0,1,0,0,0",
     m.AcceptOffer("t", 2, 0, (0, 0, 1, 0, 0, 0, 1, 0, 0, 0))),
    ("1038|t,-1", m.ClearOffer("t", -1)),
    ("1033|t,p2,0,0,0,0,0,4", m.Discarded("t", "p2", (0, 0, 0, 0, 0, 4))),
    ("1023|t,1,PL=4,RD=f", lobby.AskedToJoin("t", 1, ("PL=4", "RD=f"))),
    ("1036|t,false,true,false,true", m.ChooseVictim("t", (False, True, False, True))),
    ("1026|t,3,15", m.Turn("t", 3, 15)),
    ("9999|600000", lobby.Ping(600000)),
]  # fmt: skip
CLIENT = [
    ("9998|2700,2.7.00,catan_env,;", lobby.Version(2700, "2.7.00", "catan_env", (";",))),
    ("1022|bot,key,catan_env", lobby.ImARobot("bot", "key", "catan_env")),
    ("1013|bot,\t,\t,t", lobby.JoinGame("bot", "", "", "t")),
    ("1034|t,1,119", m.MoveRobber("t", 1, 119)),
    ("1041|t,0,false,false,true,false,0,0,1,0,0,0,1,0,0,0",
     m.MakeOffer("t", 0, False, False, True, False, (0, 0, 1, 0, 0, 0, 1, 0, 0, 0))),
    ("1039|t,2,0", m.AcceptOffer("t", 2, 0)),
    ("1040|t,0,0,0,0,4,1,0,0,0,0", m.BankTrade("t", (0, 0, 0, 0, 4, 1, 0, 0, 0, 0))),
    ("1037|t,1", m.RejectOffer("t", 1)),
    ("1031|t", m.RollDice("t")),
]  # fmt: skip
TABLE = [(m.FROM_SERVER, *row) for row in SERVER] + [(m.FROM_CLIENT, *row) for row in CLIENT]


def frame(text: str) -> bytes:
    return len(to_java(text)).to_bytes(2, "big") + to_java(text)


@pytest.mark.parametrize(("table", "text", "message"), TABLE)
def test_a_message_is_read_and_written(table, text, message):
    assert FrameCodec(table).encode(message) == frame(text)
    assert list(Connection(FrameCodec(table)).receive(frame(text))) == [message]


def test_frames_may_come_byte_by_byte():
    said = b"".join(frame(text) for text, _ in SERVER)
    end = Connection(FrameCodec(m.FROM_SERVER))
    heard = [message for byte in said for message in end.receive(bytes([byte]))]
    assert heard == [message for _, message in SERVER]


def test_unknown_numbers_and_surplus_fields_are_ignored():
    end = Connection(FrameCodec(m.FROM_SERVER))
    said = frame("1999|t,1") + frame("1026|t,2,15,later,more")
    assert list(end.receive(said)) == [None, m.Turn("t", 2, 15)]


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("1026|t,2", "Turn lacks its state"),
        ("1026|t,two,15", "seat is 'two'; allowed are whole numbers"),
        ("1012|t,Ann,3,maybe", "is_robot is 'maybe'; allowed are true and false"),
        ("hello", "invalid literal"),
        ("", "invalid literal"),
    ],
)
def test_an_invalid_frame_is_garbled_and_the_next_is_read(text, because):
    end = Connection(FrameCodec(m.FROM_SERVER))
    garbled, turn = end.receive(frame(text) + frame("1026|t,2,15"))
    assert isinstance(garbled, Garbled) and because in garbled.reason
    assert turn == m.Turn("t", 2, 15)


@pytest.mark.parametrize("game", ["a,b", "a|b", "a\nb"])
def test_a_name_with_a_separator_is_not_sent(game):
    with pytest.raises(LocalProtocolError, match="separator"):
        FrameCodec(m.FROM_SERVER).encode(m.RollDice(game))


@given(st.text())
def test_java_text_round_trips(text):
    said = to_java(text)
    assert from_java(said) == text and b"\0" not in said


@given(st.lists(st.binary(max_size=30), max_size=4))
def test_any_bytes_are_messages_or_garbled(pieces):
    end = Connection(FrameCodec(m.FROM_SERVER))
    for piece in pieces:
        list(end.receive(piece))
    for piece in pieces:
        list(Connection(FrameCodec(m.FROM_SERVER)).receive(len(piece).to_bytes(2, "big") + piece))


def test_places_are_those_of_the_servers_board():
    assert (places.TILES[0], places.TILES[9]) == (55, 119)
    assert (places.VERTICES[0], places.EDGES[0]) == (39, 56)
    for number in range(19):
        assert places.tile_at(places.TILES[number]) == number
    for number in range(54):
        assert places.vertex_at(places.VERTICES[number]) == number
    for number in range(72):
        assert places.edge_at(places.EDGES[number]) == number


@pytest.mark.parametrize("edge", range(72))
def test_an_edge_joins_the_vertices_given_by_its_digits(edge):
    at = places.EDGES[edge]
    is_odd = (at // 16 + at % 16) % 2
    ends = (at, at + 0x11) if is_odd else (at + 0x01, at + 0x10)
    assert sorted(map(places.vertex_at, ends)) == sorted(EDGE_VERTICES[edge])


def test_cards_are_counted_in_the_servers_order():
    hand = (1, 2, 3, 4, 5)
    assert places.to_counts(hand) == (hand[0], hand[3], hand[4], hand[1], hand[2])
    assert places.from_counts(places.to_counts(hand)) == hand
    assert [places.to_resource(places.to_code(r)) for r in Resource] == list(Resource)


@pytest.mark.parametrize("seed", range(5))
def test_a_board_round_trips_through_the_servers_message(seed):
    board = Board.random_tokens(seed)
    again = places.to_board(*laid(board))
    assert again == board, "the order of the harbours matters: observations contain it"


KINDS, TOKENS = laid(Board.beginner())


@pytest.mark.parametrize(
    ("kinds", "tokens", "because"),
    [
        (KINDS[:36], TOKENS, "a board of 36 hexes"),
        (KINDS, TOKENS[:36], "36 tokens"),
        ([0x71, *KINDS[1:]], TOKENS, "a hex of the sea has the kind 113"),
    ],
)
def test_an_impossible_board_is_rejected(kinds, tokens, because):
    with pytest.raises(RemoteProtocolError, match=because):
        places.to_board(kinds, tokens)


@pytest.mark.parametrize("number", [-2, 10])
def test_a_token_beyond_the_list_is_rejected(number):
    with pytest.raises(RemoteProtocolError, match=f"token of number {number}; allowed are -1..9"):
        places.token_of(number)


def test_land_is_where_the_list_has_it():
    expected = "5 6 7 10 11 12 13 16 17 18 19 20 23 24 25 26 29 30 31"
    assert sorted(LAND.values()) == [int(k) for k in expected.split()]
    assert [LAND[place] for place in places.TILES] == [int(k) for k in expected.split()]
