"""An agent's own offers: the answers that count, its partner, and the end of its wait."""

from typing import Any

import msgspec
import pytest

from catan_env.game.action import Action, ActionKind
from catan_env.protocols.catan_german.messages import Offer
from catan_env.protocols.catan_german.trade import HeardOffer
from tests.protocols.german.in_memory import Policy
from tests.protocols.german.test_agent import eager_policy, line_of, status
from tests.protocols.german.test_late import PATIENCE, Withheld, withheld

ME, OTHER, PARTNER = 1, 2, 3
"""Players of the game below: its first offer is meant for the last of them."""


def wanting_to_trade(version: str = "1.0") -> Withheld:
    """A game in which the agent on line 0 has sent an offer, and its announcement is pending."""
    table = withheld(Offer, seed=1, seats=3, version=version)
    follower = table.agents[0].follower
    assert (follower.seats.me, follower.seat) == (ME, 0) and follower.others == {1, 2}
    assert follower.said[0].kind == ActionKind.OFFER and follower.said[0].args[0] == 2
    return table


def offering(version: str = "1.0") -> Withheld:
    """The same, after the server has announced the offer at 0.5; no answer is sent."""
    table = wanting_to_trade(version)
    assert table.agents[0].receive(table.held, 0.5) == b""
    return table


def answer(player: int, accepts: bool, number: int = 1) -> bytes:
    """A line of a server of 1.0."""
    body = {"Mitspieler": player, "Handel_id": number, "Annehmen": accepts}
    return line_of("Handelsangebot angenommen", **body)


def hears(table: Withheld, data: bytes, now: float = 1.0) -> list[tuple[str, Any]]:
    """The agent's answers to lines of its server: names and bodies."""
    lines = table.agents[0].receive(data, now).splitlines()
    return [next(iter(msgspec.json.decode(line).items())) for line in lines]


def always(action: Action) -> Policy:
    """A policy that always chooses one action."""
    return lambda _: int(action.index)  # type: ignore[arg-type]


CONCLUDES = [("Handel abschließen", {"Handel id": 1, "Mitspieler": PARTNER})]
WITHDRAWS = [("Handel abbrechen", {"Handel id": 1})]


@pytest.mark.parametrize("accepts, closes", [(True, CONCLUDES), (False, WITHDRAWS)])
@pytest.mark.parametrize("other_accepts", [True, False])
@pytest.mark.parametrize("is_partner_first", [True, False])
def test_an_offer_is_closed_by_the_partners_answer_once_all_have_answered(
    accepts: bool, closes: Any, other_accepts: bool, is_partner_first: bool
) -> None:
    table = offering()
    answers = [answer(PARTNER, accepts), answer(OTHER, other_accepts)]
    first, last = answers if is_partner_first else reversed(answers)
    assert hears(table, first) == []
    assert hears(table, last) == closes


@pytest.mark.parametrize("accepts, closes", [(True, CONCLUDES), (False, WITHDRAWS)])
def test_an_offer_that_is_announced_to_the_others_only_has_the_number_of_its_first_answer(
    accepts: bool, closes: Any
) -> None:
    table = wanting_to_trade()
    assert hears(table, answer(OTHER, False)) == []
    assert hears(table, answer(PARTNER, accepts)) == closes


def test_until_0_3_that_first_answer_may_be_a_refusal() -> None:
    table = wanting_to_trade("0.3")
    refusal = line_of("Handelsangebot abgebrochen", Spieler=OTHER, Handel_id=1)
    assert hears(table, refusal) == []
    accepted = line_of("Handelsangebot angenommen", Spieler=PARTNER, Handel_id=1)
    assert hears(table, accepted) == CONCLUDES


def test_a_late_answer_to_an_earlier_offer_does_not_number_the_next() -> None:
    table = wanting_to_trade()
    follower = table.agents[0].follower
    follower._offers.begin(1, OTHER, (1, 0, 0, 0, 0), (0, 0, 0, 1, 0))
    follower._offers.end()
    assert hears(table, answer(PARTNER, True)) == [] and follower.offer is None
    assert hears(table, answer(PARTNER, True, number=2)) == [] and follower.offer is not None


@pytest.mark.parametrize("accepts, closes", [(True, CONCLUDES), (False, WITHDRAWS)])
def test_two_answers_that_name_one_seat_are_two(accepts: bool, closes: Any) -> None:
    table = offering()
    assert hears(table, answer(PARTNER, accepts)) == []
    assert hears(table, answer(PARTNER, False)) == closes, "the second is another player's"


@pytest.mark.parametrize("player", [0, ME])
def test_an_answer_for_a_seat_that_was_not_asked_counts_for_another(player: int) -> None:
    table = offering()
    assert hears(table, answer(player, True)) == []
    assert hears(table, answer(PARTNER, False)) == WITHDRAWS
    assert 0 not in table.agents[0].follower.offer.answers  # type: ignore[union-attr]


def test_answers_to_another_offer_count_for_nothing() -> None:
    table = offering()
    assert hears(table, answer(PARTNER, True, number=7) + answer(OTHER, True, number=7)) == []
    assert table.agents[0].follower.offer == HeardOffer(1, 0, (1, 0, 0, 0, 0), (0, 0, 0, 1, 0))


def test_an_offer_is_closed_once() -> None:
    table = offering()
    assert hears(table, answer(OTHER, False) + answer(PARTNER, True)) == CONCLUDES
    assert hears(table, answer(OTHER, False) + answer(PARTNER, True)) == []
    assert table.agents[0].deadline == 1.0 + PATIENCE


def test_a_refused_conclusion_withdraws_the_offer() -> None:
    table = offering()
    assert hears(table, answer(OTHER, False) + answer(PARTNER, True)) == CONCLUDES
    assert hears(table, b'{"Serverantwort":"Nein"}\n') == WITHDRAWS


def test_until_0_3_cancelling_refuses_and_an_acceptance_may_be_taken_back() -> None:
    table = offering("0.3")
    accepted = line_of("Handelsangebot angenommen", Spieler=PARTNER, Handel_id=1)
    taken_back = line_of("Handelsangebot abgebrochen", Spieler=PARTNER, Handel_id=1)
    assert hears(table, accepted) == []
    assert hears(table, taken_back) == [], "it is one seat's answer, whatever it says"
    refused = line_of("Handelsangebot abgebrochen", Spieler=OTHER, Handel_id=1)
    assert hears(table, refused) == WITHDRAWS


def test_until_0_3_a_refusal_counts_next_to_an_answer_in_a_wrong_name() -> None:
    table = offering("0.3")
    accepted = line_of("Handelsangebot angenommen", Spieler=ME, Handel_id=1)
    refused = line_of("Handelsangebot abgebrochen", Spieler=OTHER, Handel_id=1)
    assert hears(table, accepted) == []
    assert hears(table, refused) == WITHDRAWS


def test_a_seats_answer_does_not_become_a_refusal_by_another_answer_in_its_name() -> None:
    offer = HeardOffer(1, 0, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0))
    for seat, accepts in ((2, True), (2, False), (1, False), (0, True), (None, True)):
        offer.note(seat, accepts)
    assert offer.answers == {1: False, 2: True} and offer.replies == 5


# Silence.


def test_answers_are_awaited_for_three_seconds_from_the_announcement_on() -> None:
    table = offering()
    agent = table.agents[0]
    assert agent.deadline == 0.5 + PATIENCE
    assert hears(table, answer(OTHER, True), 2.0) == []
    assert agent.deadline == 0.5 + PATIENCE, "an answer does not lengthen it"
    assert agent.wait(0.4 + PATIENCE) == b""


@pytest.mark.parametrize("accepts, closes", [(True, CONCLUDES), (None, WITHDRAWS)])
def test_when_time_is_up_the_offer_is_closed_by_its_answers(
    accepts: bool | None, closes: Any
) -> None:
    table = offering()
    agent = table.agents[0]
    if accepts is not None:
        assert hears(table, answer(PARTNER, accepts)) == []
    said = msgspec.json.decode(agent.wait(0.5 + PATIENCE))
    assert list(said.items()) == closes
    assert agent.wait(0.5 + PATIENCE) == b"", "once"
    assert agent.deadline == 0.5 + 2 * PATIENCE, "now it waits for the server"


def test_without_patience_an_offer_is_open_until_all_have_answered() -> None:
    table = wanting_to_trade()
    agent = table.agents[0]
    agent._patience, agent._watchdog._patience = 0.0, 0.0
    agent.receive(table.held, 0.5)
    assert agent.deadline is None and agent.wait(1e6) == b""
    assert hears(table, answer(OTHER, False) + answer(PARTNER, False), 1e6) == WITHDRAWS


def test_a_silent_seat_is_not_waited_for_again_in_that_turn() -> None:
    table = offering()
    agent = table.agents[0]
    assert hears(table, answer(PARTNER, False)) == []
    agent.wait(0.5 + PATIENCE)
    view = agent.follower.view
    assert view is not None
    again = next(a for a in view.legal_actions if a.kind == ActionKind.OFFER)
    agent._decide = always(again)
    withdrawn = line_of("Handelsangebot abgebrochen", Spieler=ME, Handel_id=1)
    (_, body), *more = hears(table, withdrawn, 4.0)
    assert not more and agent.follower.said == (again,)
    assert hears(table, line_of("Handelsangebot", Spieler=ME, Handel_id=2, **body), 4.0) == []
    cancels = [("Handel abbrechen", {"Handel id": 2})]
    assert hears(table, answer(PARTNER, False, number=2), 4.1) == cancels


def test_a_silent_seat_is_waited_for_again_in_the_next_turn() -> None:
    table = offering()
    agent = table.agents[0]
    (offer,) = agent.follower.said
    agent.wait(0.5 + PATIENCE)
    agent._decide = always(Action.end_turn())
    withdrawn = line_of("Handelsangebot abgebrochen", Spieler=ME, Handel_id=1)
    assert hears(table, withdrawn, 4.0) == [("Zug beenden", {})]
    agent._decide = eager_policy(Action.roll(), offer)
    turns = b"".join(status(player, "Würfeln", Rohstoffe=None) for player in (OTHER, PARTNER, ME))
    assert hears(table, turns, 5.0) == [("Würfeln", {})]
    rolled = line_of("Würfelwurf", Spieler=ME, Wurf=[1, 1])
    trading = status(ME, "Handeln oder Bauen", Rohstoffe=None)
    ((name, body),) = hears(table, rolled + trading, 5.0)
    assert name == "Handel anbieten"
    assert hears(table, line_of("Handelsangebot", Spieler=ME, Handel_id=2, **body), 6.0) == []
    assert agent.deadline == 6.0 + PATIENCE


def test_an_offer_that_no_message_closes_is_over_with_its_turn() -> None:
    table = offering()
    agent = table.agents[0]
    agent._decide = eager_policy(Action.end_turn(), Action.reject())
    withdrawn = line_of("Handelsangebot abgebrochen", Spieler=ME, Handel_id=1)
    assert hears(table, withdrawn) == [("Zug beenden", {})]
    cards = {"Angebot": {"Holz": 1}, "Nachfrage": {"Wolle": 1}}
    turn = status(OTHER, "Würfeln", Rohstoffe=None)
    hears(table, turn + line_of("Handelsangebot", Spieler=OTHER, Handel_id=2, **cards))
    assert agent.follower.offer is not None
    hears(table, status(PARTNER, "Würfeln", Rohstoffe=None))
    assert agent.follower.offer is None


def test_an_offer_that_counted_as_refused_is_withdrawn_when_it_comes_late() -> None:
    table = wanting_to_trade()
    agent = table.agents[0]
    agent._decide = always(Action.end_turn())
    assert list(msgspec.json.decode(agent.wait(PATIENCE))) == ["Zug beenden"]
    assert hears(table, table.held, 3.5) == WITHDRAWS
    assert agent.deadline == 3.5 + PATIENCE, "answers to it are not awaited"
    assert hears(table, answer(OTHER, True) + answer(PARTNER, True), 3.6) == []


def test_an_offer_of_another_is_answered_and_starts_no_clock() -> None:
    table = offering()
    agent = table.agents[0]
    agent._decide = always(Action.end_turn())
    withdrawn = line_of("Handelsangebot abgebrochen", Spieler=ME, Handel_id=1)
    assert hears(table, withdrawn) == [("Zug beenden", {})]
    agent._decide = always(Action.reject())
    cards = {"Angebot": {"Holz": 1}, "Nachfrage": {"Wolle": 1}}
    turn = line_of("Statusupdate", Spieler={"id": OTHER, "Status": "Handeln oder Bauen"})
    said = hears(table, turn + line_of("Handelsangebot", Spieler=OTHER, Handel_id=2, **cards))
    assert said == [("Handel annehmen", {"Handel id": 2, "Annehmen": False})]
    assert agent._offer_due is None
