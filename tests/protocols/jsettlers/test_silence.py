"""A server that does not answer: the agent repeats or changes its request, and never stops."""

from collections.abc import Callable

import pytest

from catan_env import Action
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import places
from catan_env.protocols.jsettlers.agent import Agent
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.scripted import (
    GAME,
    ONE_FOR_ONE,
    ORE,
    WOOL,
    Told,
    differences,
    first_legal,
    kinds,
    offer,
    playing,
    state,
    unhurried,
    with_card,
)


def test_an_unanswered_roll_is_requested_again() -> None:
    told = Told().place()
    assert told.begin_turn(0) == [m.RollDice(GAME)]
    assert told.line.wait(2.9) == []
    for _ in range(5):
        assert told.line.wait(3.0) == [m.RollDice(GAME)]


def test_a_late_answer_is_an_answer() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.line.wait(4.0)
    assert told.roll() == [m.EndTurn(GAME)]
    told.begin_turn(1)
    assert told.line.wait(100.0) == []


def test_a_turn_whose_prompt_is_lost_is_rolled_for() -> None:
    told = Told().place()
    assert told.say(m.Turn(GAME, 0, 15)) == []
    assert told.line.wait(3.1) == [m.RollDice(GAME)]


def test_an_unanswered_piece_counts_as_refused() -> None:
    told = Told().own_turn(brick=2, lumber=2)
    told.policy = playing(Action.road(7), Action.road(7))
    assert len(told.roll()) == 1
    before = told.view.state_bytes()
    assert told.line.wait(3.1) == [m.EndTurn(GAME)]
    assert told.view.state_bytes() == before
    assert told.player.refusals.lines == ["road: no answer"]
    assert told.line.wait(3.1) == [m.EndTurn(GAME)], "requested until the turn ends"


def test_silence_is_counted_from_the_last_message() -> None:
    told = Told().own_turn(brick=1, lumber=1)
    told.policy = playing(Action.road(7))
    told.roll()
    told.line.wait(2.5)
    told.say(m.Elements(GAME, 0, 102, (1, 1, 5, 1)))
    assert told.line.wait(2.5) == []
    assert told.line.wait(1.0) == [m.EndTurn(GAME)]


def test_an_offer_that_the_server_does_not_announce_is_not_open() -> None:
    told = Told().own_turn(wool=1)
    told.policy = playing(Action.offer(2, WOOL, ORE), Action.offer(2, WOOL, ORE))
    assert told.roll() == [offer(0, 2)]
    assert told.line.wait(3.1) == [m.EndTurn(GAME)]


def test_an_open_offer_has_its_time() -> None:
    told = Told().own_turn(wool=1)
    told.policy = playing(Action.offer(2, WOOL, ORE))
    told.roll()
    told.say(offer(0, 2))
    assert told.line.wait(3.5) == []
    assert told.line.wait(3.0) == [m.ClearOffer(GAME, 0)]
    assert told.line.wait(3.1) == [m.EndTurn(GAME)], "the withdrawal was not answered either"


@pytest.mark.parametrize(
    ("action", "code", "number", "said"),
    [
        (Action.play_year_of_plenty(WOOL, ORE), 2, 52, m.PickCards(GAME, (0, 1, 1, 0, 0))),
        (Action.play_monopoly(ORE), 3, 53, m.PickMonopoly(GAME, 2)),
    ],
)
def test_the_choice_of_a_card_is_sent_again(
    action: Action, code: int, number: int, said: object
) -> None:
    told = with_card(code)
    told.policy = playing(action)
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, code)]
    assert told.say(m.CardAction(GAME, 0, 1, (code,)), state(number)) == [said]
    assert told.line.wait(3.1) == [said]


def test_discards_are_sent_again_until_they_are_announced() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.give(ore=4, wool=4)
    told.say(m.DiceResult(GAME, 7), state(50))
    (said,) = told.say(m.DiscardRequest(GAME, 4))
    assert told.line.wait(3.1) == [said]
    told.say(m.Discarded(GAME, "p0", (*said.cards[:5], 0)), state(50))
    assert told.line.wait(100.0) == [], "the others have no time limit"


def test_an_unanswered_robber_goes_elsewhere() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, 7))
    (moved,) = told.say(state(33))
    (again,) = told.line.wait(3.1)
    assert isinstance(again, m.MoveRobber) and again != moved


def test_a_victim_is_named_again() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, 7))
    (moved,) = told.say(state(33))
    told.say(moved, state(51))
    (said,) = told.say(m.ChooseVictim(GAME, (False, True, True, False)))
    assert told.line.wait(3.1) == [said]


def test_the_turn_of_another_seat_may_be_silent() -> None:
    told = Told().turn_of(1)
    assert told.line.wait(1000.0) == []


@pytest.mark.parametrize(("patience", "when"), [(1.0, 1.0), (7.5, 7.5)])
def test_the_patience_is_configurable(patience: float, when: float) -> None:
    told = Told()
    told.line = Line(Agent(unhurried(first_legal), "ours", cookie="key", patience=patience))
    told.line.begin()
    told.place().begin_turn(0)
    assert told.line.wait(when - 0.1) == []
    assert told.line.wait(0.2) == [m.RollDice(GAME)]


def test_without_a_limit_the_agent_waits() -> None:
    told = Told()
    told.line = Line(Agent(unhurried(first_legal), "ours", cookie="key", patience=0))
    told.line.begin()
    told.place().begin_turn(0)
    assert told.line.wait(1e6) == []


def test_silence_is_counted_from_when_the_request_was_sent() -> None:
    """Not from the start of its decision."""
    told = Told().place()

    def slow(view: object) -> int:
        told.line.now += 2.0
        return first_legal(view)  # type: ignore[arg-type]

    told.policy = slow
    told.begin_turn(0)
    assert told.line.wait(2.9) == []


OWN_HAND = {"own hand": 1}
"""The difference that setting our hand makes."""
KINDS: list[Callable[[], Action]] = [lambda: Action.road(7), Action.buy_development_card]


@pytest.mark.parametrize("action", KINDS)
def test_the_agent_never_stops_if_no_message_is_answered(
    action: Callable[[], Action],
) -> None:
    told = Told().own_turn(brick=1, lumber=1, ore=1, wool=1, grain=1)
    told.policy = playing(*[action()] * 3)
    said = told.roll() + told.line.wait(60.0)
    assert len(said) == 21 and said[-1] == m.EndTurn(GAME)
    assert told.player.refusals.lines == [f"{action().kind.name.lower()}: no answer"]


# Late answers: a request still on its way has been carried out.


def test_an_announced_roll_is_not_requested_again() -> None:
    """The dice of a seven come before the state: the view must not return to before the roll."""
    told = Told().place()
    told.begin_turn(0)
    told.give(ore=4, wool=4)
    told.say(m.DiceResult(GAME, 7))
    assert told.line.wait(10.0) == []
    (said,) = told.say(state(50), m.DiscardRequest(GAME, 4))
    told.say(m.Discarded(GAME, "p0", (*said.cards[:5], 0)), state(33))
    assert told.view.hand_size(0) == 4 and differences(told) == OWN_HAND


def test_a_refusal_of_an_older_request_does_not_undo_the_dice() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.say(m.DeclinedAction(GAME, 15, ("0", "no")), m.DiceResult(GAME, 7))
    assert told.line.wait(10.0) == []
    assert len(told.say(state(33))) == 1 and not differences(told)


def with_open_offer() -> Told:
    told = Told().own_turn(wool=1, brick=1, lumber=1)
    told.policy = playing(Action.offer(2, WOOL, ORE), Action.road(7))
    told.roll()
    told.say(offer(0, 2))
    return told


def accepted(told: Told) -> list[object]:
    """Return the agent's messages after seat 2 has accepted its offer."""
    return told.say(m.AcceptOffer(GAME, 2, 0, ONE_FOR_ONE), m.ClearOffer(GAME, -1))


def test_an_offer_whose_withdrawal_is_late_may_still_be_accepted() -> None:
    told = with_open_offer()
    told.line.wait(6.5)
    (road,) = told.line.wait(3.1)
    assert isinstance(road, m.PutPiece), "the agent continues as if its offer were refused"
    assert told.view.offer is not None, "but only the server withdraws it"
    told.say(m.HandSize(GAME, 2, 1))
    accepted(told)
    assert told.view.hand(0)[ORE] == 1 and kinds(told)[-2:] == ["OFFER", "ACCEPT"]


def test_a_piece_may_come_between_an_offer_and_its_acceptance() -> None:
    told = with_open_offer()
    told.line.wait(10.0)
    told.say(m.PutPiece(GAME, 0, 0, places.EDGES[7]), state(20))
    assert kinds(told)[-3:] == ["OFFER", "REJECT", "ROAD"] and differences(told) == OWN_HAND
    accepted(told)
    assert kinds(told)[-2:] == ["OFFER", "ACCEPT"] and told.view.hand(0)[ORE] == 1


def test_a_state_that_is_sent_again_does_not_end_an_offer() -> None:
    told = with_open_offer()
    assert told.say(m.DeclinedAction(GAME, 20, ("0", "no")), state(20)) == []
    assert told.view.offer is not None and differences(told) == OWN_HAND
    assert told.line.wait(20.0)[0] == m.ClearOffer(GAME, 0)
