"""Hallo, Willkommen and the map of other servers: what is left out, and what cannot be read."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from catan_env import Terrain
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import (
    GameStarted,
    Hello,
    Map,
    Rolled,
    Welcome,
    said_by_server,
)
from catan_env.protocols.catan_german.opening import board_of, game_started
from catan_env.protocols.catan_german.places import LETTERS, Places
from tests.protocols.german.in_memory import LineAgent, random_policy, room_of
from tests.protocols.german.test_agent import in_lobby, line_of, said

Changed = Callable[[dict[str, Any]], None]
GAME = room_of("1.0", 3, 4).game
DESERT = next(k for k, tile in enumerate(GAME.board.tiles) if tile.terrain == Terrain.DESERT)


def read(name: str, **body: Any) -> Any:
    """A message as an agent reads it."""
    codec = GermanCodec(said_by_server(), is_strict=False)
    decoded = codec.decode(bytearray(line_of(name, **body)))
    assert decoded is not None
    return decoded[0]


def map_of(version: str = "1.0") -> dict[str, Any]:
    """Our server's map, as parsed JSON."""
    karte: dict[str, Any] = msgspec.to_builtins(game_started(GAME, Places(version)).map)
    return karte


def map_read(karte: dict[str, Any]) -> Map:
    started = read("Spiel gestartet", Karte=karte)
    assert isinstance(started, GameStarted), started
    return started.map


def test_a_hallo_may_be_without_version() -> None:
    assert read("Hallo", Protokoll="0.1") == Hello(protocol="0.1")


@pytest.mark.parametrize(
    ("said", "version"), [(b"0.1", "0.1"), (b"0.10", "0.1"), (b"1.0", "1.0"), (b"1", "1.0")]
)
def test_the_version_of_the_protocol_may_be_a_number(said: bytes, version: str) -> None:
    agent = LineAgent(random_policy(1))
    agent.receive(b'{"Hallo":{"Version":2.5,"Protokoll":' + said + b"}}\n")
    assert agent.follower.version == version


def test_numbers_may_be_strings_of_digits() -> None:
    assert read("Willkommen", id="1") == Welcome(1)
    assert read("Würfelwurf", Spieler="2", Wurf=["3", 4]) == Rolled(2, (3, 4))


@pytest.mark.parametrize("name", ["Gebäude", "Häfen", "Räuber"])
def test_a_map_may_leave_out_what_is_empty_and_a_robber_on_the_desert(name: str) -> None:
    karte = map_of()
    del karte[name]
    board, robber = board_of(map_read(karte), Places("1.0"))
    assert robber == GAME.robber == DESERT
    assert board.tiles == GAME.board.tiles
    assert board.harbours == (() if name == "Häfen" else GAME.board.harbours)


@pytest.mark.parametrize("robber", ["", "a", "?"])
def test_a_robber_that_is_on_no_land_is_on_the_desert(robber: str) -> None:
    board, start = board_of(map_read({**map_of("0.1"), "Räuber": robber}), Places("0.1"))
    assert start == board.robber_start == DESERT


def below_zero(karte: dict[str, Any]) -> None:
    for field in karte["Felder"]:
        field.setdefault("Zahl", -1)


def digits(karte: dict[str, Any]) -> None:
    for field in karte["Felder"]:
        field["Zahl"] = str(field.get("Zahl", -1))


def letters_for_sea(karte: dict[str, Any]) -> None:
    """A letter for each sea field, even next to points in one place."""
    points = {(at[0] + at[1], -at[1]): letter for at, letter in LETTERS.items()}
    sea = {at: letter for at, letter in points.items() if letter.islower()}
    for part in (*karte["Felder"], *karte["Häfen"]):
        place = part["Ort"]
        if isinstance(place, dict):
            part["Ort"] = sea.get((place["x"], place["y"]), place)
        else:
            part["Ort"] = [sea.get((point["x"], point["y"]), point) for point in place]


@pytest.mark.parametrize("change", [below_zero, digits, letters_for_sea])
def test_the_same_board_may_be_spelled_otherwise(change: Changed) -> None:
    karte = map_of()
    change(karte)
    assert karte != map_of()
    assert board_of(map_read(karte), Places("1.0")) == (GAME.board, GAME.robber)


UNREADABLE: list[tuple[str, dict[str, Any], str]] = [
    ("Hallo", {"Version": "x", "Protokoll": [0.1]}, "Hallo: Expected `str`"),
    ("Willkommen", {"id": "one"}, "Willkommen: Expected `int`"),
    ("Spiel gestartet", {"Karte": {}}, "Spiel gestartet: .* field `Felder`"),
]


@pytest.mark.parametrize(("name", "body", "reason"), UNREADABLE)
def test_an_agent_ends_if_it_cannot_read_a_message_of_the_opening(
    name: str, body: dict[str, Any], reason: str
) -> None:
    agent = LineAgent(random_policy(1)) if name == "Hallo" else in_lobby()
    with pytest.raises(RemoteProtocolError, match=reason):
        agent.receive(line_of(name, **body), 0.0)


def test_another_unreadable_message_is_reported_once(capsys: Any) -> None:
    agent = in_lobby()
    for name in ("Ertrag", "Ping", "Kosten"):
        agent.receive(line_of(name, Spieler=-5), 0.0)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("an unreadable message was ignored: Ertrag: Expected `int` >= 0")
    assert said(agent.receive(b'{"Serverantwort":"OK"}\n', 0.1)) == ["Spiel starten"]


def test_a_place_in_the_form_of_two_versions_is_no_name_of_ours() -> None:
    mixed = map_of()
    letters_for_sea(mixed)
    place = map_read(mixed).harbours[0].place
    assert not Places("1.0").is_ours(place) and not Places("0.3").is_ours(place)
    assert Places("1.0").is_ours(map_read(map_of()).harbours[0].place)
