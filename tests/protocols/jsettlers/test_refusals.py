"""The server's refusals, and messages that cross on the way, message by message."""

from collections.abc import Callable

import pytest

from catan_env import Action
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.protocols.jsettlers import messages as m
from tests.protocols.jsettlers.scripted import (
    GAME,
    ORE,
    WOOL,
    Told,
    offer,
    playing,
    state,
    with_card,
)

REFUSALS: list[Callable[[], object]] = [
    lambda: m.DeclinedAction(GAME, 20, ("4", "no")),
    lambda: m.CancelBuild(GAME, 0),
]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_a_refused_action_is_not_tried_again_this_turn(refusal: Callable[[], object]) -> None:
    told = Told().own_turn(brick=2, lumber=2)
    told.policy = playing(Action.road(7), Action.road(7))
    told.roll()
    before = told.view.state_bytes()
    assert told.say(refusal()) == []
    assert told.say(state(20)) == [m.EndTurn(GAME)]
    assert told.view.state_bytes() == before
    assert len(told.player.refusals.lines) == 1


def test_the_turn_is_ended_a_second_after_a_refusal() -> None:
    told = Told().own_turn(brick=1, lumber=1)
    told.policy = playing(Action.road(7))
    told.roll()
    told.say(m.DeclinedAction(GAME, 20, ("4", "no")))
    assert told.line.wait(1.1) == [m.EndTurn(GAME)]


def test_a_refused_card_costs_nothing() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, -1, 4, (9,)))
    assert told.view.cards(0)[DevelopmentCard.KNIGHT] == 1
    assert told.say(m.RollPrompt(GAME, 0)) == [m.RollDice(GAME)]


@pytest.mark.parametrize(("code", "number", "count"), [(2, 52, 15), (3, 53, 5)])
def test_every_choice_of_a_card_is_made_once_while_the_server_refuses(
    code: int, number: int, count: int
) -> None:
    told = with_card(code)
    card = {2: Action.play_year_of_plenty(WOOL, ORE), 3: Action.play_monopoly(ORE)}[code]
    told.policy = playing(card)
    told.say(m.RollPrompt(GAME, 0))
    made = told.say(m.CardAction(GAME, 0, 1, (code,)), state(number))
    for _ in range(count - 1):
        assert told.say(m.DeclinedAction(GAME, 20, ("4", "no"))) == []
        made += told.line.wait(1.1)
    assert len(set(made)) == len(made) == count
    told.say(m.DeclinedAction(GAME, 20, ("4", "no")))
    assert len(told.line.wait(1.1)) == 1, "it never stops"


def test_another_victim_is_named_after_a_refusal() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, 7), state(33))
    (named,) = told.say(state(51), m.ChooseVictim(GAME, (False, True, False, True)))
    assert told.say(m.DeclinedAction(GAME, 51, ("4", "no"))) == []
    (other,) = told.line.wait(1.1)
    assert {named.seat, other.seat} == {1, 3}


def test_a_refused_robber_goes_elsewhere_after_a_second() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, 7))
    (moved,) = told.say(state(33))
    assert told.say(m.DeclinedAction(GAME, 33, ("2", "no"))) == []
    (again,) = told.line.wait(1.1)
    assert isinstance(again, m.MoveRobber) and again != moved


def test_a_refusal_with_a_repeated_state_leads_to_one_decision() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, 7), state(33))
    told.say(m.DeclinedAction(GAME, 33, ("2", "no")))
    assert len(told.say(state(33))) == 1
    assert told.line.wait(2.9) == []


def test_a_refused_card_does_not_keep_us_from_rolling() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0), m.CardAction(GAME, -1, 4, (9,)))
    assert told.line.wait(1.1) == [m.RollDice(GAME)]


@pytest.mark.parametrize(("give", "refusal"), [(4, (1,)), (4, (2,))])
def test_a_bank_trade_is_refused_without_a_seat(give: int, refusal: tuple[int]) -> None:
    told = Told().own_turn(wool=give)
    told.policy = playing(Action.bank_trade(WOOL, ORE))
    told.roll()
    assert told.say(m.RejectOffer(GAME, -1, refusal)) == []
    assert told.line.wait(1.1) == [m.EndTurn(GAME)]
    told.say(m.ClearOffer(GAME, -1))
    told.begin_turn(1)
    assert told.player.clock.forced == 0, "we ended it"


# Messages of both sides that cross on the way.


def test_a_late_answer_to_an_offer_refuses_none_of_our_actions() -> None:
    """Seat 3 ended its turn before our acceptance arrived; the roll is not refused."""
    told = Told().turn_of(3)
    told.give(ore=1)
    told.policy = playing(Action.accept())
    assert told.say(offer(3, 0)) == [m.AcceptOffer(GAME, 0, 3)]
    assert told.begin_turn(0) == [m.RollDice(GAME)]
    assert told.say(m.RejectOffer(GAME, 0, (1,))) == []
    assert told.line.wait(2.9) == [] and told.player.refusals.lines == []
    assert told.roll() == [m.EndTurn(GAME)]


def test_a_late_discard_is_not_decided_again() -> None:
    """The server chose for us while our choice was on its way."""
    told = Told().place()
    told.begin_turn(0)
    told.give(ore=4, wool=4)
    told.say(m.DiceResult(GAME, 7), state(50))
    assert len(told.say(m.DiscardRequest(GAME, 4))) == 1
    assert told.say(m.DeclinedAction(GAME, 50, ("2", "no"))) == []
    assert told.line.wait(5.0) == [] and told.view.phase == Phase.DISCARD
    told.say(m.Elements(GAME, 0, 102, (2, 2, 3, 2)))
    assert told.view.hand(0) == (0, 0, 0, 2, 2)


def test_a_request_after_our_turn_was_ended_is_lost() -> None:
    told = Told().own_turn(brick=1, lumber=1)
    told.policy = playing(Action.road(7))
    assert len(told.roll()) == 1
    told.begin_turn(1)
    before = told.view.state_bytes()
    assert told.say(m.DeclinedAction(GAME, 0, ("1", "not your turn"))) == []
    assert told.line.wait(5.0) == [] and told.view.state_bytes() == before


def test_an_offer_of_a_seat_that_is_not_on_turn_is_ignored() -> None:
    told = Told().turn_of(1)
    told.give(ore=1)
    told.say(offer(1, 0))
    told.policy = playing(Action.accept())
    assert told.say(offer(2, 0)) == []


def test_a_seat_forced_twice_is_quicker() -> None:
    """From then on the server waits half as long for it."""
    told = Told().place()
    for _ in range(2):
        for seat in range(4):
            told.begin_turn(seat)
    told.begin_turn(0)
    assert told.player.clock.forced == 2
    told.give(wool=1)
    told.policy = playing(Action.offer(2, WOOL, ORE))
    assert told.roll() == [offer(0, 2)]
    told.say(offer(0, 2))
    assert told.line.wait(1.9) == []
    assert told.line.wait(0.2) == [m.ClearOffer(GAME, 0)]
