"""Offers between seats: answers, the time that they take, and seats that answer none."""

from typing import Any

import pytest

from catan_env.protocols.catan_german.messages import VERSIONS
from tests.protocols.german.table import People, is_refused, names


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


def test_until_0_3_a_seat_refuses_an_offer_once_and_only_while_it_is_asked() -> None:
    people = People("0.3", timeout=60.0).start()
    partner, give, get = with_cards(people)
    line = people.acting
    people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
    assert names(people.say(partner, "Handel annehmen", Handel_id=1))[0] == "OK"
    assert is_refused(people.say(partner, "Handel abbrechen", Handel_id=1))
    other = 3 - line - partner
    assert not is_refused(people.say(other, "Handel abbrechen", Handel_id=1))
    assert is_refused(people.say(other, "Handel abbrechen", Handel_id=1))


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


@pytest.mark.parametrize("answers", [False, True])
def test_an_offer_that_is_withdrawn_leaves_the_proposers_time_unchanged(answers: bool) -> None:
    people = People(timeout=60.0).start()
    _, give, get = with_cards(people)
    line, turn = people.acting, people.room.game.turn
    for number, wait in enumerate((10, 20, 29), 1):
        people.wait(wait)
        people.say(line, "Handel anbieten", Angebot={give: 1}, Nachfrage={get: 1})
        for other in {0, 1, 2} - {line} if answers else ():
            people.say(other, "Handel annehmen", Handel_id=number, Annehmen=False)
        assert not is_refused(people.say(line, "Handel abbrechen", Handel_id=number))
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
