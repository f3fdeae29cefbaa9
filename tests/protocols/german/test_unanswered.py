"""The message that an answer of the server belongs to."""

from catan_env.protocols.catan_german.unanswered import Unanswered


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
