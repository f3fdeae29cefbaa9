"""The message that an answer of the server belongs to."""

from catan_env.protocols.catan_german.unanswered import Unanswered
from tests.protocols.german.test_agent import line_of, said, status
from tests.protocols.german.test_large_numbers import ME, heard_until


def test_an_ok_belongs_to_the_oldest_message() -> None:
    unanswered = Unanswered()
    unanswered.sent(turn=3, offer=7)
    unanswered.sent(turn=3)
    unanswered.confirmed()  # the answer to the offer
    unanswered.announced(7)
    unanswered.sent(turn=3)
    assert not unanswered.refused()  # the first request
    assert unanswered.refused()


def test_the_effect_of_a_confirmed_request_answers_no_other() -> None:
    unanswered = Unanswered()
    unanswered.sent(turn=3)
    unanswered.confirmed()
    unanswered.sent(turn=3)
    unanswered.sent(turn=3)
    unanswered.done()
    assert not unanswered.refused()
    assert unanswered.refused()


def test_a_confirmed_request_has_one_effect_and_the_next_effect_answers_another() -> None:
    unanswered = Unanswered()
    unanswered.sent(turn=3)
    unanswered.confirmed()
    unanswered.done()
    unanswered.sent(turn=3)
    unanswered.sent(turn=3)
    unanswered.done()
    assert unanswered.refused()


def test_an_answer_to_an_offer_is_confirmed_by_its_announcement_to_all() -> None:
    agent = heard_until("Handeln oder Bauen", 1)
    cards = {"Angebot": {"Holz": 25}, "Nachfrage": {"Lehm": 1}}
    offer = line_of("Handelsangebot", Spieler=1, Handel_id=99, **cards)
    assert said(agent.receive(offer, 1.0)) == ["Handel annehmen"]
    agent.receive(
        line_of("Handelsangebot angenommen", Spieler=ME, Handel_id=99, Annehmen=False), 1.0
    )
    agent.receive(line_of("Handelsangebot abgebrochen", Spieler=1, Handel_id=99), 1.0)
    assert said(agent.receive(status(ME, "Würfeln", Rohstoffe=None), 1.0)) == ["Würfeln"]
    agent.receive(b'{"Serverantwort":"Nein"}\n', 1.0)
    assert said(agent.wait(2.0)) == ["Würfeln"], "the refusal was of the roll"
