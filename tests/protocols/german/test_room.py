"""The server's side: lobby, order of messages, clocks, lost connections, refusals, floods."""

from random import Random
from typing import Any

import pytest

from catan_env import Game, Rules
from catan_env.net import RemoteProtocolError
from catan_env.protocols.catan_german.messages import VERSIONS, Build, MoveRobber, PlayKnight
from catan_env.protocols.catan_german.play import Refusal, Settings, by_rule
from catan_env.protocols.catan_german.room import MOST_REFUSALS, GermanRoom
from catan_env.protocols.catan_german.speech import Speech
from tests.protocols.german.table import People, names
from tests.protocols.german.test_messages import EXAMPLES


def is_refused(said: list[tuple[str, Any]]) -> bool:
    """True if the answer is only a Serverantwort with a reason."""
    return len(said) == 1 and said[0][0] == "Serverantwort" and said[0][1] != "OK"


def test_a_newcomer_receives_everything_about_all_players() -> None:
    people = People()
    people.come(0)
    assert names(people.heard[0]) == ["Hallo"]
    assert is_refused(people.say(0, "Spiel starten"))
    people.say(0, "Hallo", Version="x")
    people.come(1)
    people.say(1, "Hallo", Version="x")
    assert names(people.heard[1]) == ["Hallo", "Willkommen", "Statusupdate", "Statusupdate"]
    assert [b["Spieler"]["id"] for n, b in people.heard[1][2:]] == [1, 2]
    assert people.heard[0][-1][1]["Spieler"]["id"] == 2
    assert names(people.say(1, "Spieler", Name="B", Farbe="Rot")) == ["Statusupdate", "OK"]
    assert names(people.say(1, "Spiel starten")) == ["Statusupdate", "OK"]
    assert names(people.say(1, "Spiel starten")) == ["OK"]
    assert is_refused(people.say(1, "Spieler", Name="B", Farbe="Blau"))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_waiting_players_colour_is_refused_at_the_start(version: str) -> None:
    people = People(version)
    for line in (0, 1):
        people.come(line)
        people.say(line, "Hallo", Version="x")
        people.say(line, "Spieler", Name="A", Farbe="Rot")
    people.say(0, "Spiel starten")
    said = people.say(1, "Spiel starten")
    assert said[0] == ("Fehler", {"Meldung": "Farbe bereits vergeben"})
    assert said[1:] == ([] if version == "1.0" else [("Serverantwort", "Farbe bereits vergeben")])
    people.say(1, "Spieler", Name="A", Farbe="Blau")
    assert names(people.say(1, "Spiel starten")) == ["Statusupdate", "OK"]


def test_in_the_lobby_id_and_colour_are_free_again() -> None:
    people = People()
    for line in (0, 1):
        people.come(line)
        people.say(line, "Hallo", Version="x")
        people.say(line, "Spieler", Name="A", Farbe=("Rot", "Blau")[line])
        people.say(line, "Spiel starten")
    people.leave(0)
    assert people.heard[1][-1][1]["Spieler"]["Status"] == "Verbindung verloren"
    people.come(2)
    assert ("Willkommen", {"id": 1}) in people.say(2, "Hallo", Version="x")
    people.say(2, "Spieler", Name="C", Farbe="Rot")
    assert names(people.say(2, "Spiel starten")) == ["Statusupdate", "OK"]


def test_a_client_without_a_free_place_is_turned_away() -> None:
    people = People(seats=2)
    for line in range(3):
        people.come(line)
    for line in range(3):
        people.say(line, "Hallo", Version="x")
    assert people.closed == [2]
    people.come(3)
    for line in range(2):
        people.say(line, "Spieler", Name="A", Farbe=("Rot", "Blau")[line])
        people.say(line, "Spiel starten")
    assert people.closed == [2, 3] and people.room.play is not None
    people.come(4)
    assert people.closed == [2, 3, 4]


def test_a_client_that_starts_no_game_blocks_no_place() -> None:
    """Ten seconds for Hallo, ten minutes to start; ready players may wait for hours."""
    people = People(seats=2)
    people.come(0)
    people.wait(9)
    people.come(1)
    people.say(1, "Hallo", Version="x")
    people.come(2)
    people.say(2, "Hallo", Version="x")
    people.say(2, "Spieler", Name="A", Farbe="Rot")
    people.say(2, "Spiel starten")
    people.wait(1)
    assert people.closed == [0]
    people.wait(598)
    assert people.closed == [0]
    people.wait(1)
    assert people.closed == [0, 1] and people.room.deadline is None
    assert people.heard[2][-1][1]["Spieler"]["Status"] == "Verbindung verloren"
    people.wait(20_000)
    people.come(3)
    for name, body in (("Hallo", {"Version": "x"}), ("Spieler", {"Name": "B", "Farbe": "Blau"})):
        people.say(3, name, **body)
    people.say(3, "Spiel starten")
    assert people.room.play is not None and people.closed == [0, 1]


def test_the_highest_roll_begins_and_ids_follow() -> None:
    people = People(seats=4).start()
    rolls = [body for name, body in people.heard[0] if name == "Würfelwurf"]
    totals = {body["Spieler"]: sum(body["Wurf"]) for body in rolls[:4]}
    first = people.room.seated[0].id
    assert totals[first] == max(totals.values())
    ids = [guest.id for guest in people.room.seated]
    assert ids == [(first - 1 + k) % 4 + 1 for k in range(4)]
    tail = [b["Spieler"] for n, b in people.heard[0] if n == "Statusupdate"][-4:]
    assert [p["Status"] for p in tail] == ["Warten"] * 3 + ["Dorf bauen"]


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


def test_the_last_player_of_a_set_up_is_announced_and_returned_as_the_winner() -> None:
    people = People(go_on=True).start()
    left = people.acting
    for line in {0, 1, 2} - {left}:
        assert people.room.winner is None
        people.leave(line)
    assert people.heard[left][-1][0] == "Spiel beendet" and people.room.is_over
    seat = [guest.line for guest in people.room.seated].index(left)
    assert people.heard[left][-1][1]["Sieger"] == people.room.seated[seat].id
    assert people.room.winner == seat and people.room.game.turn == 0


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("go_on", [False, True])
@pytest.mark.parametrize("moves", [0, 1, 3, 7, 12, 13, 14, 15, 16, 40])
def test_a_lost_connection_ends_the_game_or_the_others_continue(
    version: str, go_on: bool, moves: int
) -> None:
    for loser in range(3):
        people = People(version, go_on=go_on, max_turns=30).start()
        for _ in range(moves):
            people.act()
        people.leave(loser)
        other = (loser + 1) % 3
        assert "Verbindung verloren" in str(people.heard[other][-6:])
        if not go_on:
            assert people.room.is_over and people.room.winner is None
            ends = [body for name, body in people.heard[other] if name == "Spiel beendet"]
            assert ends == ([] if version == "0.1" else [{"Nachricht": "Spiel abgebrochen"}])
            continue
        while not people.room.is_over:
            assert people.acting != loser
            people.act()
        assert people.room.game.turn > 30 or people.room.winner is not None


def test_the_last_one_left_wins() -> None:
    people = People(go_on=True).start().act_until("MAIN")
    people.leave(0)
    people.leave(1)
    assert people.room.is_over
    assert people.heard[2][-1] == ("Spiel beendet", {"Nachricht": "P2 hat gewonnen", "Sieger": 3})


@pytest.mark.parametrize("version", VERSIONS)
def test_out_of_time_the_server_acts_and_after_three_decisions_the_seat_is_gone(
    version: str,
) -> None:
    people = People(version, timeout=60.0, go_on=True).start()
    line = people.acting
    people.wait(59)
    assert "Bauvorgang" not in names(people.heard[line])
    people.wait(1)
    assert names(people.heard[line])[-3:].count("Bauvorgang") == 1
    people.wait(60 * 100)
    assert people.room.is_over
    assert sorted(people.closed) == [0, 1, 2]
    assert [kick.reason[:8] for kick in people.room.removals] == ["it let t"] * 2


def with_cards(people: People) -> tuple[int, str, str]:
    """Play until the acting seat has a card and another one has one of another kind."""
    kinds = ("Lehm", "Getreide", "Holz", "Erz", "Wolle")
    while True:
        people.act_until("MAIN")
        game = people.room.game
        mine = [r for r in range(5) if game.hand(game.seat)[r]]
        for seat in range(game.seats):
            theirs = [r for r in range(5) if seat != game.seat and game.hand(seat)[r]]
            pairs = [(a, b) for a in mine for b in theirs if a != b]
            if pairs:
                return people.room.seated[seat].line, kinds[pairs[0][0]], kinds[pairs[0][1]]
        people.act()


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_an_offer_is_answered_by_each_and_concluded_with_one(version: str) -> None:
    people = People(version, timeout=60.0).start()
    partner, give, get = with_cards(people)
    line = people.acting
    said = people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    assert names(said) == ["OK", "Handelsangebot"] and said[1][1]["Handel id"] == 1
    other = 3 - line - partner
    accept = {"Annehmen": True} if version == "1.0" else {}
    answer = people.say(partner, "Handel annehmen", Handel_id=1, **accept)
    assert names(answer) == ["OK", "Handelsangebot angenommen"]
    assert is_refused(people.say(partner, "Handel annehmen", Handel_id=1, **accept))
    if version == "1.0":
        refused = people.say(other, "Handel annehmen", Handel_id=1, Annehmen=False)
        assert refused[1][1]["Annehmen"] is False
    else:
        refused = people.say(other, "Handel abbrechen", Handel_id=1)
        assert refused[1] == ("Handelsangebot abgebrochen", {"Spieler": other + 1, "Handel id": 1})
    assert is_refused(people.say(line, "Handel abschließen", Handel_id=1, Mitspieler=other + 1))
    done = people.say(line, "Handel abschließen", Handel_id=1, Mitspieler=partner + 1)
    assert names(done) == ["OK", "Handel ausgeführt", "Kosten", "Kosten", "Ertrag", "Ertrag"]
    events = [event.action.kind.name for event in people.room.game.events[-2:]]
    assert events == ["OFFER", "ACCEPT"]


def test_another_action_of_the_proposer_withdraws_the_offer() -> None:
    people = People(timeout=60.0).start()
    _, give, get = with_cards(people)
    people.say(people.acting, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    assert names(people.act())[:2] == ["OK", "Handelsangebot abgebrochen"]
    assert people.room.play is not None and people.room.play.offer is None


def test_a_seat_makes_a_hundred_offers_in_a_turn_at_most() -> None:
    people = People().start()
    _, give, get = with_cards(people)
    line, offer = people.acting, {"Angebot": {give: 1}, "Nachfrage": {get: 1}}
    for _ in range(100):
        assert names(people.say(line, "Handel anbieten", **offer))[0] == "OK"
    assert is_refused(people.say(line, "Handel anbieten", **offer))


def test_the_proposers_clock_is_paused_while_others_answer() -> None:
    people = People(timeout=60.0).start()
    _, give, get = with_cards(people)
    line, turn = people.acting, people.room.game.turn
    people.wait(50)
    people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    people.wait(60)
    answers = [b for n, b in people.heard[line] if n == "Handelsangebot angenommen"]
    assert [b["Annehmen"] for b in answers] == [False, False]
    people.wait(9)
    assert people.room.game.turn == turn
    people.wait(1)
    assert people.room.game.turn == turn + 1


def test_an_offer_that_replaces_another_leaves_the_proposers_time_unchanged() -> None:
    people = People(timeout=60.0).start()
    _, give, get = with_cards(people)
    line, turn = people.acting, people.room.game.turn
    offer = {"Angebot": {give: 1}, "Nachfrage": {get: 1}}
    people.wait(10)
    people.say(line, "Handel anbieten", **offer)
    people.wait(55)
    people.say(line, "Handel anbieten", **offer)
    people.wait(60)
    assert people.room.game.turn == turn
    people.wait(49)
    assert people.room.game.turn == turn
    people.wait(1)
    assert people.room.game.turn == turn + 1


@pytest.mark.parametrize("version", VERSIONS[1:])
@pytest.mark.parametrize("step", [0, 1, 2])
@pytest.mark.parametrize("is_answered", [False, True])
@pytest.mark.parametrize("go_on", [False, True])
def test_a_connection_lost_during_an_open_offer_costs_the_others_nothing(
    version: str, step: int, is_answered: bool, go_on: bool
) -> None:
    """The proposer's offer is withdrawn; unanswered seats count as refusing."""
    people = People(version, timeout=60.0, go_on=go_on).start()
    partner, give, get = with_cards(people)
    line = people.acting
    seats = [guest.line for guest in people.room.seated]
    loser = seats[(seats.index(line) + step) % 3]
    people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    if is_answered:
        accept = {"Annehmen": True} if version == "1.0" else {}
        people.say(partner, "Handel annehmen", Handel_id=1, **accept)
    people.leave(loser)
    stays = seats[(seats.index(loser) + 1) % 3]
    assert "Verbindung verloren" in str(people.heard[stays])
    assert people.room.is_over != go_on
    if go_on and step:
        assert is_refused(people.say(line, "Handel abschließen", Handel_id=1, Mitspieler=loser + 1))
        said = people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
        assert names(said)[:3] == ["OK", "Handelsangebot abgebrochen", "Handelsangebot"]
        assert names(people.say(line, "Handel abbrechen", Handel_id=2))[0] == "OK"
    for _ in range(20 if go_on else 0):
        assert names(people.act())[0] == "OK"


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


@pytest.mark.parametrize("place", [0, 1, 2])
def test_no_other_player_gets_the_id_of_a_later_agent(place: int) -> None:
    people = People()
    people.room = GermanRoom(Game(3, 1, Rules.base()), Settings("1.0"), reserved=1)
    for line in (0, 1):
        people.come(line)
        people.say(line, "Hallo", Version="x")
    people.room.reserve(2, place)
    people.come(2)
    people.say(2, "Hallo", Version="x")
    ids = [dict(people.heard[line])["Willkommen"]["id"] for line in (0, 1, 2)]
    assert len(set(ids)) == 3, ids


def mutated(line: bytes, chance: Random) -> bytes:
    """Change, remove, double or move some bytes."""
    data = bytearray(line)
    for _ in range(chance.randint(1, 3)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        kind = chance.randrange(4)
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = chance.randrange(256)
        elif kind == 1:
            del data[at : min(to, at + 4)]
        elif kind == 2:
            data[at:at] = data[at:to]
        else:
            data[at:at] = chance.choice((b'"', b"{", b"}", b"\\", b"null", b"-1", b"1e9", b"[]"))
    return bytes(data)


def offered(people: People) -> tuple[int, list[tuple[str, Any]]]:
    """Make an offer in a new turn: the proposer's line, and its immediate answers."""
    people.act_until("ROLL")
    _, give, get = with_cards(people)
    line = people.acting
    return line, people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})


def refusals(said: list[tuple[str, Any]]) -> int:
    return [body["Annehmen"] for n, body in said if n == "Handelsangebot angenommen"].count(False)


def test_a_seat_that_answers_no_offers_is_mute_and_stays() -> None:
    people = People(timeout=60.0).start()
    for _ in range(12):
        offered(people)
        people.wait(60)
    assert not people.closed and not people.room.removals and not people.room.is_over
    assert refusals(offered(people)[1]) == 2, "they are not asked any more"


def test_a_mute_seat_is_asked_again_once_it_answers() -> None:
    people = People(timeout=60.0).start()
    line, said = offered(people)
    while refusals(said) < 2:
        people.wait(60)
        line, said = offered(people)
    other = (line + 1) % 3
    late = people.say(other, "Handel annehmen", Handel_id=said[1][1]["Handel id"], Annehmen=False)
    assert names(late) == ["Serverantwort"]
    play = people.room.play
    again = said
    while people.acting != line or again is said:
        again = offered(people)[1]
    assert play is not None and play.offer is not None and refusals(again) == 1
    assert play.offer.awaited == [people.room._lobby.guests[other].seat]


@pytest.mark.parametrize("version", ["0.3", "1.0"])
def test_a_mute_seat_stays_mute_if_it_answers_another_offer_than_the_last(version: str) -> None:
    people = People(version, timeout=60.0).start()
    line, _ = offered(people)
    others = [(line + 1) % 3, (line + 2) % 3]
    _, give, get = with_cards(people)
    seats = [people.room._lobby.guests[other].seat for other in others]
    play = people.room.play
    assert play is not None and play.offer is not None
    first = play.offer.number
    for _ in range(2):
        people.wait(60)
        people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    number = play.offer.number
    assert number == first + 2 and not play.offer.awaited
    for wrong in (0, first, number + 1, 10**6):
        for other in others:
            people.say(other, "Handel annehmen", Handel_id=wrong, Annehmen=True)
            people.say(other, "Handel abbrechen", Handel_id=wrong)
    people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    assert not play.offer.awaited
    for name in ("Handel annehmen", "Handel abbrechen"):
        people.say(others[0], name, Handel_id=play.offer.number, Annehmen=True)
    people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    assert play.offer.awaited == seats[:1]


def test_an_offer_is_answered_late_only_once() -> None:
    people = People(timeout=60.0).start()
    line, said = offered(people)
    _, give, get = with_cards(people)
    other = (line + 1) % 3
    people.wait(60)
    for _ in range(2):
        people.say(other, "Handel annehmen", Handel_id=said[1][1]["Handel id"], Annehmen=False)
        people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
        people.wait(60)
    assert refusals(people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})) == 2


def test_two_offers_that_run_out_make_a_seat_mute() -> None:
    people = People(timeout=60.0).start()
    line, said = offered(people)
    _, give, get = with_cards(people)
    heard = [refusals(said)]
    for _ in range(2):
        people.wait(60)
        offer = {"Angebot": {give: 1}, "Nachfrage": {get: 1}}
        heard.append(refusals(people.say(line, "Handel anbieten", **offer)))
    assert heard == [0, 0, 2]


def test_offers_that_run_out_are_not_counted_with_decisions() -> None:
    """After two of them a seat may still be late once."""
    people = People(timeout=60.0).start()
    offered(people)
    _, give, get = with_cards(people)
    line = people.acting
    for _ in range(2):
        people.wait(60)
        people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    assert names(people.act())[0] == "OK" and people.acting != line
    people.wait(60)
    assert not people.room.removals and not people.closed
