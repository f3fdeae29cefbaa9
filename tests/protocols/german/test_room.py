"""The server's side in a game: what is sent to whom, refusals, chat, floods."""

from random import Random

import pytest

from catan_env import Action, Game, Resource, Rules
from catan_env.game.geometry import TILE_VERTICES
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_german.messages import VERSIONS, Build, MoveRobber, PlayKnight
from catan_env.protocols.catan_german.play import Refusal, by_rule
from catan_env.protocols.catan_german.room import MOST_REFUSALS
from catan_env.protocols.catan_german.speech import Speech
from tests.protocols.german.mutation import mutated
from tests.protocols.german.table import People, is_refused, names
from tests.protocols.german.test_messages import EXAMPLES
from tests.rules.drawn import position


def test_a_roll_is_followed_by_its_production_and_the_next_status() -> None:
    people = People().start().act_until("ROLL")
    while sum((said := people.act())[1][1]["Wurf"]) == 7:
        people.act_until("MAIN").act()
    assert names(said)[:2] == ["OK", "Würfelwurf"] and names(said)[-1] == "Statusupdate"
    assert names(people.act()) == ["OK", "Statusupdate", "Statusupdate"]


def test_a_refused_message_changes_nothing() -> None:
    people = People().start().act_until("MAIN")
    before, other = people.room.game, (people.acting + 1) % 3
    hearers = {line: len(heard) for line, heard in people.heard.items()}
    point, line = {"x": 0, "y": 0}, people.acting
    one, none = {"Holz": 19}, {"Erz": 1}
    for who, name, body in (
        (other, "Zug beenden", {}),
        (line, "Würfeln", {}),
        (line, "Bauen", {"Typ": "Stadt", "Ort": [point] * 3}),
        (line, "Bauen", {"Typ": "Straße", "Ort": "AB"}),
        (line, "Räuber versetzen", {"Ort": point}),
        (line, "Ritter ausspielen", {"Ort": point, "Ziel": 77}),
        (line, "Monopol", {"Rohstoff": "Gold"}),
        (line, "Erfindung", {"Rohstoffe": {"Unbekannt": 2}}),
        (line, "Seehandel", {"Angebot": one, "Nachfrage": none}),
        (line, "Seehandel", {"Angebot": {}, "Nachfrage": {}}),
        (line, "Handel anbieten", {"Angebot": one, "Nachfrage": none}),
        (line, "Karten abgeben", {"Abgeben": {}}),
        (other, "Handel annehmen", {"Handel id": 1, "Annehmen": True}),
        (line, "Handel abbrechen", {"Handel id": 1}),
        (line, "Handel abschließen", {"Handel id": 1, "Mitspieler": 2}),
        (line, "Spieler", {"Name": "X", "Farbe": "Rot"}),
        (line, "Spiel starten", {}),
        (line, "Hallo", {"Version": "x"}),
        (line, "Chatnachricht senden", {"Nachricht": "x" * 501}),
    ):
        fields = {key.replace(" ", "_"): value for key, value in body.items()}
        assert is_refused(people.say(who, name, **fields)), name
    assert people.room.game is before
    third = 3 - line - other
    assert len(people.heard[third]) == hearers[third]


def test_a_client_refused_200_times_in_a_turn_is_disconnected() -> None:
    people = People(go_on=True).start().act_until("MAIN")
    line = people.acting
    for _ in range(MOST_REFUSALS - 1):
        people.send(line, b"garbage\n")
    assert people.closed == []
    people.send(line, b"garbage\n")
    assert people.closed == [line] and not people.room.is_over
    assert people.room.game.phase.name == "ROLL" and people.acting != line


def test_a_chat_reaches_all_on_one_line() -> None:
    people = People().start()
    said = people.say(1, "Chatnachricht senden", Nachricht="a\nb\r\nc")
    assert said == [
        ("Serverantwort", "OK"),
        ("Chatnachricht", {"Absender": 2, "Nachricht": "a b c"}),
    ]
    assert people.heard[0][-1] == said[1]
    answers = [names(people.say(1, "Chatnachricht senden", Nachricht="x")) for _ in range(300)]
    assert answers[-1] != ["OK", "Chatnachricht"]
    assert people.closed == [1] or len([a for a in answers if "OK" in a]) < 60


@pytest.mark.parametrize("version", VERSIONS)
def test_a_place_that_names_a_field_twice_is_refused(version: str) -> None:
    people = People(version).start()
    play = people.room.play
    assert play is not None
    chance = Random(version)
    while people.room.game.turn < 4 and not people.room.is_over:
        message = play.speech.request(play.game, by_rule(play.game))
        if isinstance(message, Build):
            fields = list(message.place)
            fields.insert(chance.randrange(len(fields)), chance.choice(fields))
            wrong = "".join(fields) if isinstance(message.place, str) else tuple(fields)
            with pytest.raises(Refusal, match="Ort unbekannt"):
                play.act(play.game.seat, Build(message.kind, wrong), people.now)
        people.act()
    people.act_until("MAIN")
    edge = play.speech.places.edge(0)
    twice = Build("Straße", edge[0] + edge if isinstance(edge, str) else (edge[0], *edge))
    with pytest.raises(Refusal, match="Ort unbekannt"):
        play.act(play.game.seat, twice, people.now)


@pytest.mark.parametrize("version", ["0.2", "0.3"])
def test_a_field_of_two_equal_letters_is_refused(version: str) -> None:
    speech = Speech(version, (1, 2, 3))
    for message in (MoveRobber("AA", None), PlayKnight("SSS", 1)):
        with pytest.raises(ValueError, match="Ort unbekannt: "):
            speech.actions(Game(3, 1, Rules.german(version)), message)


@pytest.mark.parametrize(
    ("next_has", "last_has", "step"), [(3, 3, 1), (2, 3, 2), (3, 2, 1)], ids=str
)
def test_a_robber_without_a_victim_robs_most_cards_and_the_next_clockwise_in_a_tie(
    next_has: int, last_has: int, step: int
) -> None:
    corners = TILE_VERTICES[5]
    game = position(
        seats=3,
        settlements={2: [corners[0]], 0: [corners[2]]},
        hands={2: {Resource.ORE: next_has}, 0: {Resource.ORE: last_has}},
        turn_seat=1,
        phase="robber",
    )
    speech = Speech("1.0", (1, 2, 3))
    robber = MoveRobber(speech.places.field(5), None)
    assert speech.actions(game, robber) == (Action.move_robber(5, step),)


def test_only_the_buyer_learns_its_card_and_two_seats_the_stolen_one() -> None:
    from tests.protocols.german.in_memory import Joined, policy_of, room_of

    joined = Joined(room_of("1.0", 3, 3), [policy_of("builder", k) for k in range(3)]).play()
    bought = [(line, m) for line, m in joined.heard if type(m).__name__ == "CardBought"]
    ids = {guest.line: guest.id for guest in joined.room.seated}
    assert bought
    for line, message in bought:
        assert (message.card == "Unbekannt") == (ids[line] != message.player)
    thefts = [m for _, m in joined.heard if type(m).__name__ == "Costs" and m.cards.unknown]
    assert thefts and all(message.cards.unknown == 1 for message in thefts)


def test_mutated_lines_are_refused_with_a_reason_or_close_the_connection(games: int) -> None:
    """Ten for each of `--games`; 10^6 with `--games 100000`."""
    chance = Random(4)
    lines = [line.encode() for _, who, line in EXAMPLES if who == ">"]
    count = 10 * games if games != 10_000 else 20_000
    people, left = People(go_on=True, timeout=0.0).start(), 2000
    for _ in range(count):
        data = mutated(chance.choice(lines), chance)
        if people.room.is_over or left == 0:
            people, left = People(go_on=True, timeout=0.0).start(), 2000
        left -= 1
        line = chance.randrange(3)
        try:
            said = people.send(line, data + b"\n")
        except RemoteProtocolError:
            people.leave(line)
            continue
        assert all(isinstance(body, dict | str) for _, body in said)
