"""Trading with other seats (C121-C132)."""

from typing import Any

import pytest

from catan_env import Action, ActionKind, Game, Phase, Resource
from tests.rules.drawn import EMPTY, along, at, hand, is_legal, legal_kinds, position

ORE, WOOL = Resource.ORE, Resource.WOOL
CARDS = {0: hand(ore=3, brick=1), 1: hand(wool=2), 2: hand(wool=2), 3: hand(wool=2)}


def market(**facts: Any) -> Game:
    """Seat 0 has ore and the others have wool."""
    return position(**{"hands": CARDS, **facts})


def offers(game: Game) -> list[Action]:
    """The offers that the mask allows."""
    return [action for action in game.legal_actions if action.kind == ActionKind.OFFER]


@pytest.mark.parametrize("turn_seat", range(4))
@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_seat_on_turn_trades_with_any_other(turn_seat: int, step: int) -> None:
    """C121."""
    partner = (turn_seat + step) % 4
    game = market(hands={turn_seat: hand(ore=1), partner: hand(wool=1)}, turn_seat=turn_seat)
    game.play(Action.offer(step, ORE, WOOL))
    assert (game.seat, game.turn_seat, game.phase) == (partner, turn_seat, Phase.ANSWER)
    assert game.offer[:2] == (turn_seat, partner)
    game.play(Action.accept())
    assert game.hand(turn_seat) == hand(wool=1)
    assert game.hand(partner) == hand(ore=1)
    assert (game.seat, game.phase, game.offer) == (turn_seat, Phase.MAIN, None)


def test_the_others_do_not_trade_among_themselves() -> None:
    """C121: a seat that answers or discards makes no offers."""
    asked = market(phase="answer", offer=(1, ORE, WOOL))
    discarding = market(hands={1: hand(wool=8), 2: hand(ore=8)}, phase="discard")
    for game in (asked, discarding):
        assert game.seat == 1
        assert not any(is_legal(game, Action.offer(step, WOOL, ORE)) for step in (1, 2, 3))


def test_an_offer_goes_to_one_seat() -> None:
    """C121: among three seats there is no third next seat."""
    game = market(seats=3, hands={0: hand(ore=1), 1: hand(wool=1)})
    assert {action.args[0] for action in offers(game)} == {1, 2}
    assert not is_legal(game, Action.offer(3, ORE, WOOL))
    with pytest.raises(ValueError, match="to is 0"):
        Action.offer(0, ORE, WOOL)
    game.play(Action.offer(2, ORE, WOOL))
    assert game.seat == 2


def test_seats_trade_after_the_roll() -> None:
    """C122."""
    game = market(phase="roll")
    assert not is_legal(game, Action.offer(1, ORE, WOOL))
    game.play(Action.roll(), outcome=(1, 1))
    assert is_legal(game, Action.offer(1, ORE, WOOL))


def test_no_seat_gives_cards_away() -> None:
    """C123."""
    game = market()
    assert not is_legal(game, Action.offer(1, ORE, {}))
    assert not is_legal(game, Action.offer(1, {}, WOOL))
    assert not is_legal(game, Action.offer(1, {}, {}))


def test_a_resource_is_not_offered_for_itself() -> None:
    """C124: two ore for one, or one for one."""
    game = market(hands={0: hand(ore=3), 1: hand(ore=3)})
    assert not is_legal(game, Action.offer(1, {ORE: 2}, ORE))
    assert not is_legal(game, Action.offer(1, ORE, ORE))
    assert not is_legal(game, Action.offer(1, ORE, {ORE: 2}))


def test_no_resource_is_on_both_sides() -> None:
    """C125: also not among other cards."""
    game = market(hands={0: hand(ore=3, wool=1, brick=1), 1: hand(ore=3, wool=1)})
    assert not is_legal(game, Action.offer(1, {ORE: 1, WOOL: 1}, ORE))
    assert not is_legal(game, Action.offer(1, ORE, {ORE: 1, WOOL: 1}))
    assert is_legal(game, Action.offer(1, {Resource.BRICK: 1, ORE: 1}, WOOL))


def test_nothing_but_resource_cards_is_traded() -> None:
    """C126: an offer is five counts; development cards and pieces are excluded."""
    with pytest.raises(ValueError, match="expected 5 counts"):
        Action.offer(1, (0, 0, 0, 1, 0, 1), WOOL)
    with pytest.raises(ValueError):
        Action.offer(1, {"road": 1}, WOOL)
    facts = {
        "cards": {0: (1, 1, 1, 1, 1), 1: (2, 0, 0, 0, 1)},
        "settlements": {0: [at(2, 0)], 1: [at(2, 4)]},
        "roads": {0: along(2, 0, 2), 1: along(2, 3, 4)},
    }
    game = market(**facts)
    game.play(Action.offer(1, ORE, WOOL))
    game.play(Action.accept())
    for seat in (0, 1):
        assert game.cards(seat) == facts["cards"][seat]
        assert game.settlements(seat) == tuple(facts["settlements"][seat])
        assert game.roads(seat) == tuple(sorted(facts["roads"][seat]))
        assert game.pieces(seat) == (15 - len(game.roads(seat)), 4, 4)


def test_cards_not_in_hand_are_not_offered() -> None:
    """C127."""
    game = market()
    assert is_legal(game, Action.offer(1, {ORE: 3}, WOOL))
    assert not is_legal(game, Action.offer(1, {ORE: 4}, WOOL))
    assert not is_legal(game, Action.offer(1, Resource.GRAIN, WOOL))
    assert not is_legal(game, Action.offer(1, {ORE: 3, Resource.GRAIN: 1}, WOOL))
    assert {action.args[1] for action in offers(game)} == {
        hand(ore=1),
        hand(ore=2),
        hand(ore=3),
        hand(brick=1),
    }


def test_an_offer_may_ask_for_cards_that_are_not_there() -> None:
    """C127, C128: other hands are hidden, so the offer is legal, and is rejected."""
    game = market()
    impossible = Action.offer(1, ORE, {Resource.GRAIN: 3})
    assert is_legal(game, impossible)
    game.play(impossible)
    assert list(game.legal_actions) == [Action.reject()]


@pytest.mark.parametrize(
    ("held", "can_pay"),
    [
        (hand(wool=2, lumber=1), True),
        (hand(wool=1, lumber=1), False),
        (hand(wool=2), False),
        (hand(wool=5, brick=5, grain=5, ore=5), False),
        (EMPTY, False),
    ],
)
def test_a_seat_accepts_only_offers_it_can_pay(held: Any, can_pay: bool) -> None:
    """C128."""
    game = market(hands={0: hand(ore=1), 1: held, 2: hand(wool=5, lumber=5)})
    game.play(Action.offer(1, ORE, {WOOL: 2, Resource.LUMBER: 1}))
    assert is_legal(game, Action.accept()) == can_pay
    assert is_legal(game, Action.reject())


def test_an_offer_may_be_rejected() -> None:
    """C129: nothing moves, and the seat on turn continues, possibly with another offer."""
    game = market()
    game.play(Action.offer(1, ORE, WOOL))
    assert [game.hand(seat) for seat in range(4)] == list(CARDS.values())
    game.play(Action.reject())
    assert [game.hand(seat) for seat in range(4)] == list(CARDS.values())
    assert (game.seat, game.phase, game.offer) == (0, Phase.MAIN, None)
    assert is_legal(game, Action.offer(2, ORE, WOOL))
    assert is_legal(game, Action.end_turn())


def test_the_seat_asked_answers_yes_or_no() -> None:
    """C130: no counter-offer; it may make an offer on its own turn."""
    game = market()
    game.play(Action.offer(1, ORE, WOOL))
    assert set(game.legal_actions) == {Action.accept(), Action.reject()}
    game.play(Action.reject())
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert is_legal(game, Action.offer(3, {WOOL: 2}, ORE))


def test_any_counts_of_several_resources_may_change_hands() -> None:
    """C131."""
    game = market(hands={0: hand(ore=4, brick=2), 1: hand(wool=7, grain=1, lumber=2)})
    give, get = {ORE: 4, Resource.BRICK: 1}, {WOOL: 6, Resource.GRAIN: 1, Resource.LUMBER: 1}
    assert is_legal(game, Action.offer(1, give, get))
    game.play(Action.offer(1, give, get))
    assert game.offer == (0, 1, hand(ore=4, brick=1), hand(wool=6, grain=1, lumber=1))
    game.play(Action.accept())
    assert game.hand(0) == hand(brick=1, wool=6, grain=1, lumber=1)
    assert game.hand(1) == hand(ore=4, brick=1, wool=1, lumber=1)


@pytest.mark.parametrize("answer", [Action.accept(), Action.reject()])
def test_a_trade_between_seats_leaves_the_bank_and_the_others_alone(answer: Action) -> None:
    """C132."""
    game = market()
    bank = game.bank
    game.play(Action.offer(2, {ORE: 2}, WOOL))
    game.play(answer)
    assert game.bank == bank
    assert (game.hand(1), game.hand(3)) == (CARDS[1], CARDS[3])


def test_the_mask_allows_three_offers_a_turn_and_the_rules_any_number() -> None:
    """C129: an agent that plays by index cannot make offers forever; with an Action it can."""
    game = market()
    for _ in range(3):
        assert "OFFER" in legal_kinds(game)
        game.play(Action.offer(1, ORE, WOOL).index)
        game.play(Action.reject())
    assert "OFFER" not in legal_kinds(game)
    game.play(Action.offer(1, ORE, WOOL))
    game.play(Action.accept())
    assert game.hand(0) == hand(ore=2, brick=1, wool=1)
    for _ in range(4):
        game.play(Action.end_turn())
        game.play(Action.roll(), outcome=(1, 1))
    assert game.seat == 0
    assert "OFFER" in legal_kinds(game)
