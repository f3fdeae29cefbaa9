"""Messages of other servers in which a field cannot be read: it is as if absent."""

from copy import copy
from random import Random
from typing import Any

import msgspec
import pytest

from catan_env.net.room import Garbled
from catan_env.protocols.catan_german import messages as m
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_server
from catan_env.protocols.catan_german.words import cards_of, number_of_cards
from tests.covering import covering
from tests.protocols.german.in_memory import LineAgent, random_policy, room_of
from tests.protocols.german.test_agent import a_game
from tests.protocols.german.test_late import Late
from tests.protocols.german.test_other_openings import map_of, read
from tests.protocols.german.test_other_updates import Altered

ID = {"id": 2, "Status": "Würfeln"}
PLAYER = m.Player(2, status="Würfeln")


@pytest.mark.parametrize(
    ("fields", "player"),
    [
        ({"Siegpunkte": "zwei", "Name": ["Ada"], "Farbe": {}, "Rittermacht": -1}, PLAYER),
        ({"Größte Rittermacht": "nein", "Längste Handelsstraße": [], "Rohstoffe": "?"}, PLAYER),
        ({"Rohstoffe": []}, m.Player(2, status="Würfeln", cards=m.Held())),
        ({"Rohstoffe": {"Holz": 1, "Lehm": "zwei"}}, PLAYER),
        ({"Entwicklungskarten": {"Ritter": 1, "Monopol": {}}}, PLAYER),
        ({"Name": 5}, m.Player(2, name="5", status="Würfeln")),
        ({"Siegpunkte": "2", "Farbe": True}, m.Player(2, status="Würfeln", points=2)),
    ],
)
def test_a_field_of_a_player_that_cannot_be_read_is_as_if_absent(
    fields: dict[str, Any], player: m.Player
) -> None:
    assert read("Statusupdate", Spieler={**ID, **fields}) == m.StatusUpdate(player)


@pytest.mark.parametrize("value", [0, -1, {"x": 1}, "viele", None])
def test_an_unknown_kind_of_development_card_without_a_number_is_ignored(value: Any) -> None:
    said = read("Statusupdate", Spieler={**ID, "Entwicklungskarten": {"Ritter": 1, "Neu": value}})
    assert said == m.StatusUpdate(
        m.Player(2, status="Würfeln", development_cards=m.HeldCards(knight=1))
    )


@pytest.mark.parametrize(
    ("cards", "held"),
    [
        ({"Ritter": 1, "Strassenbau": 1}, m.HeldCards(knight=1, unknown=1)),
        ({"Neu": "2", "Gesamt": 3.0}, m.HeldCards(unknown=5)),
        ({"Monopol": 2, "Neu": 3, "Unbekannt": 1}, m.HeldCards(monopoly=2, unknown=4)),
    ],
)
def test_development_cards_of_unknown_kinds_are_counted(
    cards: dict[str, Any], held: m.HeldCards
) -> None:
    said = read("Statusupdate", Spieler={**ID, "Entwicklungskarten": cards})
    assert said == m.StatusUpdate(m.Player(2, status="Würfeln", development_cards=held))
    assert number_of_cards(held) == sum(int(n) for n in cards.values())
    assert cards_of(held) is None


def test_a_statusupdate_without_a_readable_id_is_unreadable() -> None:
    assert isinstance(read("Statusupdate", Spieler={**ID, "id": "two"}), Garbled)
    assert isinstance(read("Statusupdate", Spieler=[2]), Garbled)


NOTHING, PLACE = m.Cards(), "AB"


@pytest.mark.parametrize(
    ("name", "body", "message"),
    [
        ("Hallo", {"Version": {}, "Protokoll": "0.1"}, m.Hello(protocol="0.1")),
        ("Ertrag", {"Spieler": 1, "Rohstoffe": []}, m.Yield(1, NOTHING)),
        ("Kosten", {"Spieler": 1, "Rohstoffe": []}, m.Costs(1, NOTHING)),
        ("Chatnachricht", {"Absender": "x", "Nachricht": 5}, m.Chat(text="5")),
        ("Räuber versetzt", {"Spieler": 1, "Ort": "A", "Ziel": "?"}, m.RobberMoved(1, "A")),
        ("Ritter ausspielen", {"Spieler": 1, "Ort": "A", "Ziel": []}, m.KnightPlayed(1, "A")),
        (
            "Straßenbaukarte ausspielen",
            {"Spieler": 1, "Straße 1": PLACE, "Straße 2": {}},
            m.RoadsPlayed(1, PLACE),
        ),
        ("Entwicklungskarte gekauft", {"Spieler": 1, "Entwicklungskarte": []}, m.CardBought(1)),
        (
            "Handelsangebot angenommen",
            {"Spieler": "?", "Mitspieler": 2, "Handel id": 1},
            m.OfferAnswered(partner=2, trade=1),
        ),
        ("Spiel beendet", {"Nachricht": {}, "Sieger": "Ada"}, m.GameOver()),
        ("Längste Handelsstraße", {"Spieler": -1}, m.LongestRoad()),
        ("Größte Rittermacht", [], m.LargestArmy()),
    ],
)
def test_another_message_is_read_without_what_it_does_not_need(
    name: str, body: Any, message: m.Message
) -> None:
    codec = GermanCodec(said_by_server(), is_strict=False)
    decoded = codec.decode(bytearray(msgspec.json.encode({name: body})))
    assert decoded is not None and decoded[0] == message


def test_parts_of_a_map_that_cannot_be_read_are_left_out() -> None:
    karte = msgspec.json.decode(msgspec.json.encode(map_of("0.3")))
    whole = read("Spiel gestartet", Karte=karte).map
    karte["Felder"][0]["Zahl"] = "drei"
    karte["Häfen"][0] = {"Ort": 5, "Typ": "Hafen"}
    karte["Räuber"] = []
    said = read("Spiel gestartet", Karte=karte).map
    assert said.tiles[0].token is None and said.tiles[1:] == whole.tiles[1:]
    assert said.harbours == whole.harbours[1:] and said.robber is None


class Lists(Altered):
    """Objects without keys are lists, as some libraries write them."""

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        for name in ("Rohstoffe", "Entwicklungskarten"):
            cards = {kind: n for kind, n in (player.get(name) or {}).items() if n}
            if name in player:
                player[name] = cards or []
        return super().altered(line, player)


class Surplus(Altered):
    """Every object has a further key, whose value is an object."""

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        more = {"Zusatz": {"a": [1, None, True]}}
        for name in ("Rohstoffe", "Entwicklungskarten"):
            if name in player:
                player[name] |= more
        return super().altered(line, player | more)


class Words(Altered):
    """Numbers that the agent does not need are words."""

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        words = {"Siegpunkte": "zwei", "Größte Rittermacht": "nein", "Name": {}}
        return super().altered(line, player | {k: v for k, v in words.items() if k in player})


@pytest.mark.parametrize(
    ("kind", "version"), covering((Lists, Surplus, Words), ("0.1", "0.2", "0.3", "1.0"))
)
def test_the_game_is_the_same_with_fields_that_cannot_be_read(
    kind: type[Altered], version: str, capsys: Any
) -> None:
    usual = Late(room_of(version, 3, 3, max_turns=60), 3).play()
    other = kind(room_of(version, 3, 3, max_turns=60), 3).play()
    assert other.room.is_over and other.room.game.turn == usual.room.game.turn > 20
    assert [message for _, _, message in other.asked] == [m for _, _, m in usual.asked]
    assert "unreadable" not in capsys.readouterr().err


ODD: tuple[Any, ...] = ("", "x", -1, 1.5, 2**40, True, None, [], {}, [[]], {"x": {}}, "null", "7")


def replaced(value: Any, chance: Random) -> Any:
    """The value with a part exchanged for an odd one."""
    is_whole = not value or not isinstance(value, dict | list) or chance.random() < 0.2
    if is_whole:
        return chance.choice(ODD)
    value = copy(value)
    key = chance.choice(list(value if isinstance(value, dict) else range(len(value))))
    value[key] = replaced(value[key], chance)
    return value


@pytest.mark.parametrize("version", ["0.1", "0.3", "1.0"])
def test_an_agent_outlives_any_value_in_any_field(version: str) -> None:
    chance = Random(11)
    for game in range(8):
        agent = LineAgent(random_policy(game), "Ada")
        for number, line in enumerate(a_game(version, 3 + game)):
            ((name, body),) = msgspec.json.decode(line).items()
            is_opening = name in ("Hallo", "Willkommen", "Spiel gestartet")
            if not is_opening and chance.random() < 0.3:
                line = msgspec.json.encode({name: replaced(body, chance)}) + b"\n"
            agent.receive(line, number / 10)
        assert agent.follower.has_started
