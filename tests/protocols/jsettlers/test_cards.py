"""Development cards, message by message."""

import pytest

from catan_env import Action, Resource
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game.event import HIDDEN, Event
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import places
from tests.protocols.jsettlers.scripted import (
    BRICK,
    GAME,
    ORE,
    WOOL,
    Told,
    buy,
    differences,
    kinds,
    last,
    playing,
    state,
    with_card,
)


def test_only_its_owner_sees_a_bought_card() -> None:
    told = Told().own_turn(ore=1, wool=1, grain=1)
    told.policy = playing(Action.buy_development_card())
    assert told.roll() == [m.BuyCard(GAME)]
    buy(told, 0, 9)
    assert told.view.cards(0)[DevelopmentCard.KNIGHT] == 1 and told.view.hand(0) == (0,) * 5
    told.say(state(20))
    told.begin_turn(1)
    told.roll()
    buy(told, 1, 0)
    assert told.view.card_count(1) == 1 and last(told).outcome is HIDDEN


def test_a_knight_is_played_before_the_robber_moves() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight(), Action.move_robber(3))
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, 9)]
    told.say(m.CardAction(GAME, 0, 1, (9,)), m.Element(GAME, 0, 100, 19, 1))
    assert told.say(m.Element(GAME, 0, 100, 15, 1)) == []
    (moved,) = told.say(state(33))
    assert isinstance(moved, m.MoveRobber)
    told.say(moved)
    assert told.say(state(15)) == [] and kinds(told)[-1] == "MOVE_ROBBER"
    assert told.say(m.RollPrompt(GAME, 0)) == [m.RollDice(GAME)]


@pytest.mark.parametrize(
    ("card", "action", "state_asked", "said"),
    [
        (2, Action.play_year_of_plenty(BRICK, ORE), 52, m.PickCards(GAME, (1, 1, 0, 0, 0))),
        (3, Action.play_monopoly(WOOL), 53, m.PickMonopoly(GAME, 3)),
    ],
)
def test_the_choice_of_a_card_is_sent_when_the_server_asks(
    card: int, action: Action, state_asked: int, said: object
) -> None:
    told = with_card(card)
    told.policy = playing(action)
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, card)]
    assert told.say(m.CardAction(GAME, 0, 1, (card,))) == []
    assert told.say(state(state_asked)) == [said]
    assert told.view.cards(0)[DevelopmentCard(card % 3 + 2 if card == 3 else 2)] >= 0


def test_a_year_of_plenty_brings_its_cards() -> None:
    told = Told().turn_of(1)
    size = told.view.hand_size(1)
    buy(told, 1, 0)
    told.say(m.CardAction(GAME, 1, 1, (2,)), state(52), m.PickCards(GAME, (0, 2, 0, 0, 0, 1, 2)))
    assert last(told) == Event(1, Action.play_year_of_plenty(ORE, ORE))
    assert told.view.hand_size(1) == size - 3 + 2


def test_a_monopolys_takings_are_the_old_size_less_the_announced_one() -> None:
    told = Told().turn_of(1)
    sizes = [told.view.hand_size(seat) for seat in range(4)]
    own = told.view.hand(0)
    kind = next(r for r in Resource if own[r])
    told.say(m.CardAction(GAME, 1, 1, (3,)), state(53))
    told.say(m.Element(GAME, 2, 100, places.to_code(kind), 0), m.HandSize(GAME, 2, sizes[2] - 1))
    told.say(m.Element(GAME, 0, 100, places.to_code(kind), 0))
    told.say(m.HandSize(GAME, 0, sizes[0] - own[kind]))
    total = own[kind] + 1
    told.say(m.Element(GAME, 1, 101, places.to_code(kind), total))
    told.say(m.SimpleAction(GAME, 1, 3, (total, places.to_code(kind))), state(20))
    assert last(told).outcome == (own[kind], 0, 1, 0)
    assert told.view.hand(0)[kind] == 0 and told.view.hand_size(1) == sizes[1] + total


def test_the_second_free_road_may_be_omitted() -> None:
    told = Told().turn_of(1)
    told.say(m.CardAction(GAME, 1, 1, (1,)), state(40))
    told.say(m.PutPiece(GAME, 1, 0, places.EDGES[33]), state(41), state(20))
    assert (told.view.phase, told.view.free_roads) == (Phase.MAIN, 0)
    assert differences(told)["free roads"] == 1


def test_a_free_road_without_a_place_is_declined() -> None:
    told = with_card(1)
    follower = told.player.follower
    assert follower is not None
    follower.view._array["pieces"][0, 0, 0] = 1
    told.policy = playing(Action.play_road_building(), Action.road(7))
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, 1)]
    told.say(m.CardAction(GAME, 0, 1, (1,)))
    (road,) = told.say(state(40))
    told.say(road)
    assert told.say(state(41)) == [m.CancelBuild(GAME, 0)]


def test_a_played_card_may_be_taken_back() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, 0, 1, (9,)), state(33))
    told.say(m.CardAction(GAME, 0, 3, (9,)), m.Element(GAME, 0, 100, 15, 0))
    told.begin_turn(1)
    assert told.view.knights(0) == 0
    assert told.view.cards(0)[DevelopmentCard.KNIGHT] == 1
    assert "card taken back" in differences(told)


def test_a_card_that_another_seat_takes_back_is_not_that_of_the_seat_on_turn() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, 0, 1, (9,)), state(33))
    told.say(m.CardAction(GAME, 1, 3, (9,)))
    assert told.view.knights(0) == 1
    assert "card taken back" not in differences(told)
