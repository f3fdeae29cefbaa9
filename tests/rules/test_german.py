"""The games of the German protocol's first versions: fewer pieces and fewer actions."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from catan_env import Action, Game, IllegalActionError, Phase, Resource, Rules
from catan_env.batch import Batch
from catan_env.notation import dumps
from tests.core.allowed import is_allowed
from tests.core.reference import Book
from tests.covering import covering
from tests.properties.settings import play_out
from tests.properties.test_reference import ALL_ACTIONS, follow
from tests.rules.drawn import CARD, CITY, along, at, hand, is_legal, legal_kinds, position, times

NO_AWARDS = replace(Rules.base(), name="no awards", awards=False)
PRESETS = ("german_0.1", "german_0.2")


def test_a_later_version_is_the_booklet() -> None:
    assert Rules.german("0.3") == Rules.german("1.0") == Rules.base()


def test_a_version_that_does_not_exist_has_no_rules() -> None:
    with pytest.raises(ValueError, match=r"version '7.7'; allowed are 0\.1, 0\.2, 0\.3, 1\.0"):
        Rules.german("7.7")


@pytest.mark.parametrize("rules", PRESETS)
def test_there_is_no_development_card_to_buy(rules: str) -> None:
    game = position(rules=rules, hands={0: CARD})
    assert game.deck_size == 0 and game.deck() == (0, 0, 0, 0, 0)
    assert legal_kinds(game) == {"END_TURN", "OFFER"} - {"OFFER" if rules == PRESETS[0] else ""}
    assert not is_legal(game, Action.buy_development_card())
    with pytest.raises(ValueError, match="there are 0"):
        position(rules=rules, cards={0: (1, 0, 0, 0, 0)})


@pytest.mark.parametrize("rules", PRESETS)
def test_the_longest_road_is_worth_nothing(rules: str) -> None:
    facts = {"roads": {0: along(1, 0, 4)}, "hands": {0: hand(brick=1, lumber=1)}}
    for agreed, points in ((rules, 1), ("base", 3)):
        game = position(rules=agreed, settlements={0: [at(1, 0)]}, **facts)
        game.play(Action.road(along(1, 4, 5)[0]))
        assert game.road_length(0) == 5
        assert game.points(0) == points
        assert game.longest_road_seat == (None if points == 1 else 0)


def test_the_largest_army_is_worth_nothing_without_awards() -> None:
    facts = {"played": {0: (2, 0, 0, 0, 0)}, "cards": {0: (1, 0, 0, 0, 0)}}
    for agreed, points in ((NO_AWARDS, 0), (Rules.base(), 2)):
        game = position(rules=agreed, **facts)
        game.play(Action.play_knight())
        assert (game.knights(0), game.points(0)) == (3, points)


def test_in_version_0_1_a_seven_ends_the_roll_only() -> None:
    game = position(rules="german_0.1", phase="roll", hands={1: hand(ore=9), 0: hand(wool=8)})
    robber = game.robber
    game.play(Action.roll(), outcome=(3, 4))
    assert (game.phase, game.seat, game.robber) == (Phase.MAIN, 0, robber)
    assert game.hand_size(1) == 9 and not any(game.owes(seat) for seat in range(4))


def test_in_version_0_2_a_seven_takes_cards_and_moves_the_robber() -> None:
    game = position(rules="german_0.2", phase="roll", hands={1: hand(ore=9)})
    game.play(Action.roll(), outcome=(3, 4))
    assert (game.phase, game.seat, game.owes(1)) == (Phase.DISCARD, 1, 4)


def test_in_version_0_1_there_is_no_trade() -> None:
    """Neither with the bank, at a harbour's rate or its own, nor with a seat."""
    board = position().board
    port = board.harbours[0].vertices[0]
    game = position(rules="german_0.1", settlements={0: [port]}, hands={0: hand(ore=9, wool=9)})
    assert legal_kinds(game) == {"END_TURN"}
    assert game.trade_rates(0) == (100,) * 5 and game.owned_rates(0, Resource.ORE) == set()
    for refused, reason in (
        (Action.bank_trade(Resource.ORE, Resource.WOOL), "no trade with the bank"),
        (Action.bank_trade(Resource.ORE, Resource.WOOL, 4), "no trade with the bank"),
        (Action.offer(1, Resource.ORE, Resource.BRICK), "no trade between seats"),
    ):
        with pytest.raises(IllegalActionError, match=reason):
            game.play(refused)


def test_a_harbour_that_is_built_at_in_version_0_1_changes_no_rate() -> None:
    board = position().board
    game = Game(seats=2, rules="german_0.1", board=board)
    game.play(Action.settlement(board.harbours[0].vertices[0]))
    assert game.trade_rates(0) == (100,) * 5


@pytest.mark.parametrize("rules", PRESETS)
def test_ten_points_win(rules: str) -> None:
    cities = [at(0, 1), at(0, 3), at(0, 5)]
    game = position(
        rules=rules,
        cities={0: cities},
        settlements={0: [at(2, 0), at(2, 2), at(2, 4)]},
        hands={0: times(1, CITY)},
    )
    assert game.points(0) == 9
    assert game.play(Action.city(at(2, 0))).winner == 0


@pytest.mark.parametrize(("seats", "rules"), covering([2, 3, 4], PRESETS))
def test_a_game_agrees_with_the_reference_after_every_event(rules: str, seats: int) -> None:
    game = Game(seats, seats, rules)
    book = Book(game)
    for step, events in enumerate(play_out(game, seats, 1500)):
        follow(book, game, events, f"{rules}, {seats} seats")
        if step % 50 == 0:
            allowed = [index for index, a in enumerate(ALL_ACTIONS) if is_allowed(book, a)]
            assert np.flatnonzero(game.action_mask).tolist() == allowed


@pytest.mark.parametrize("rules", PRESETS)
def test_a_record_contains_the_agreed_settings(rules: str) -> None:
    game = Game(3, 5, rules)
    for _ in play_out(game, 5, 400):
        pass
    read = Game.from_sgn(dumps(game.to_sgn()))
    assert read == game
    assert read.rules == Rules.named(rules)


@pytest.mark.parametrize("rules", PRESETS)
def test_a_batch_plays_as_single_games_do(rules: str) -> None:
    batch = Batch(2, seats=3, rules=rules)
    batch.reset(9)
    chance = Random(9)
    for _ in range(600):
        batch.step([chance.choice(np.flatnonzero(mask)) for mask in batch.action_masks])
        for k in range(2):
            view = batch.game(k)
            assert view.deck_size == 0 and view.longest_road_seat is None
            assert np.array_equal(view.action_mask, batch.action_masks[k])
