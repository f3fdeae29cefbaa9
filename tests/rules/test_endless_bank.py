"""An endless bank pays everything it owes, until all hands together hold 127 cards (C227)."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from catan_env import Action, ActionKind, Game, Resource, Rules
from catan_env.batch import Batch
from catan_env.core.actions import END_TURN_ACTION
from catan_env.core.constants import Placement
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.notation import loads, to_sgn
from tests.core.allowed import is_allowed
from tests.core.reference import Book
from tests.properties.settings import play_out
from tests.properties.test_reference import ALL_ACTIONS, follow
from tests.rules.drawn import at, hand, is_legal, position

ENDLESS = Rules.jsettlers()
HOARDING = replace(ENDLESS, name="hoarding", robber_moves=False, points_to_win=22)
"""Hands grow: nothing is discarded."""
ALL_ORE = {1: hand(ore=10), 2: hand(ore=9)}
"""The box has no ore left."""


def test_the_preset_is_the_booklet_but_for_the_bank() -> None:
    assert Rules.named("jsettlers") == ENDLESS
    assert replace(ENDLESS, name="base", endless_bank=False) == Rules.base()


@pytest.mark.parametrize("rules", ["base", "jsettlers"])
def test_a_card_is_traded_for_though_the_box_has_none(rules: str) -> None:
    game = position(rules=rules, hands={0: hand(wool=8), **ALL_ORE})
    trade = Action.bank_trade(Resource.WOOL, Resource.ORE)
    at_four = Action.bank_trade(Resource.WOOL, Resource.ORE, 4)
    assert is_legal(game, trade) == (game.refusal(at_four) is None) == (rules == "jsettlers")
    if rules == "jsettlers":
        game.play(trade)
        game.play(at_four)
        assert game.hand(0) == hand(ore=2) and game.bank[Resource.ORE] == 0


@pytest.mark.parametrize("rules", ["base", "jsettlers"])
def test_a_year_of_plenty_takes_cards_beyond_the_box(rules: str) -> None:
    game = position(rules=rules, cards={0: (0, 0, 1, 0, 0)}, hands=ALL_ORE)
    two = Action.play_year_of_plenty(Resource.ORE, Resource.ORE)
    assert is_legal(game, two) == (rules == "jsettlers")
    if rules == "jsettlers":
        game.play(two)
        assert game.hand(0) == hand(ore=2)


@pytest.mark.parametrize(("rules", "ore"), [("base", 0), ("jsettlers", 1)])
def test_every_seat_is_paid_though_the_box_has_none(rules: str, ore: int) -> None:
    """Tile 0 produces for two seats; under the rulebook neither would get any (C055)."""
    board = position().board
    tile = next(k for k, t in enumerate(board.tiles) if t.terrain == Resource.ORE)
    ours, theirs = at(tile, 0), at(tile, 2)
    game = position(rules=rules, settlements={0: [ours], 3: [theirs]}, hands=ALL_ORE, phase="roll")
    total = board.tiles[tile].token
    first = max(1, total - 6)
    game.play(Action.roll(), outcome=(first, total - first))
    assert (game.hand(0)[Resource.ORE], game.hand(3)[Resource.ORE]) == (ore, ore)


def test_a_position_may_have_more_cards_than_the_box() -> None:
    game = position(rules=ENDLESS, hands={0: hand(ore=19), 1: hand(ore=11)})
    assert game.bank[Resource.ORE] == 0
    assert game.observe(0).min() >= 0
    with pytest.raises(ValueError, match="there are 19"):
        position(hands={0: hand(ore=19), 1: hand(ore=11)})


@pytest.mark.parametrize("rules", [ENDLESS, HOARDING], ids=lambda rules: rules.name)
def test_a_game_agrees_with_the_reference_after_every_event(rules: Rules) -> None:
    game = Game(4, 4, rules)
    book, least = Book(game), 19
    for step, events in enumerate(play_out(game, 4, 700 if MACHINE_CODE else 300)):
        follow(book, game, events, rules.name)
        least = min(least, *book.bank)
        if step % 50 == 0:
            allowed = [index for index, a in enumerate(ALL_ACTIONS) if is_allowed(book, a)]
            assert np.flatnonzero(game.action_mask).tolist() == allowed
            assert loads(to_sgn(game)).game == game
    assert least < 0 or rules != HOARDING or not MACHINE_CODE


def test_a_hand_may_hold_more_of_a_kind_than_the_box() -> None:
    """C227."""
    game = position(rules=ENDLESS, hands={0: hand(ore=127)}, known={0: hand(ore=100)})
    assert (game.hand(0), game.known(0), game.hand_size(0)) == (hand(ore=127), hand(ore=100), 127)
    for facts in ({"hands": {0: hand(ore=128)}}, {"known": {0: hand(ore=128)}}):
        with pytest.raises(ValueError, match=r"a count of 128 cards; allowed are 0\.\.127"):
            position(rules=ENDLESS, **facts)
    with pytest.raises(ValueError, match=r"a count of 20 cards; allowed are 0\.\.19"):
        position(hands={0: hand(ore=20)})


def almost_all(left: int, **more: Any) -> Game:
    """Seat 0 is on turn, and the hands have room for `left` more cards."""
    hands = {1: hand(19, 19, 19, 19, 19), 2: hand(brick=19), 3: hand(brick=13 - left)}
    return position(rules=ENDLESS, hands=hands, **more)


def test_hands_of_127_cards_in_all_are_the_most() -> None:
    """C227."""
    assert almost_all(0).bank[Resource.BRICK] == 0
    with pytest.raises(ValueError, match="the hands hold 128 cards; allowed are 127"):
        almost_all(-1)


@pytest.mark.parametrize(("left", "paid"), [(2, (1, 1)), (1, (0, 0)), (0, (0, 0))])
def test_a_roll_that_would_deal_more_is_short(left: int, paid: tuple[int, int]) -> None:
    """C227, as in C055: two seats share what is too little, so neither gets any."""
    board = position().board
    tile = next(k for k, t in enumerate(board.tiles) if t.terrain == Resource.ORE)
    ours, theirs = at(tile, 0), at(tile, 2)
    game = almost_all(left, settlements={0: [ours], 3: [theirs]}, phase="roll")
    total = board.tiles[tile].token
    first = max(1, total - 6)
    game.play(Action.roll(), outcome=(first, total - first))
    assert (game.hand(0)[Resource.ORE], game.hand(3)[Resource.ORE]) == paid


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_year_of_plenty_needs_room_for_two_cards(left: int) -> None:
    """C227."""
    game = almost_all(left, cards={0: (0, 0, 1, 0, 0)})
    for second in (Resource.ORE, Resource.WOOL):
        assert is_legal(game, Action.play_year_of_plenty(Resource.ORE, second)) == (left == 2)


def test_a_bank_that_does_not_trade_takes_no_hundred_cards() -> None:
    rules = replace(ENDLESS, bank_trade=False)
    game = position(rules=rules, turn_seat=3, phase="main")
    game._array["hand"][0, 0, Resource.ORE] = game._array["hand_size"][0, 0] = 100
    game.play(Action.end_turn())
    game.play(Action.roll(), outcome=(1, 1))
    assert game.seat == 0 and not is_legal(game, Action.bank_trade(Resource.ORE, Resource.WOOL))
    assert not any(a.kind == ActionKind.BANK_TRADE for a in game.legal_actions)


SWITCHES = {
    "robber_moves": (False, True),
    "bank_trade": (True, False),
    "player_trade": (False, True),
    "development_cards": (True, False),
    "chosen_discards": (True, False),
    "placement": (Placement.SEATS, Placement.PIPS),
    "hand_limit": (7, 60),
}


@pytest.mark.parametrize("seed", range(8))
def test_hands_are_counted_right_under_all_switches(seed: int) -> None:
    """C227: seats that hoard, or play at random, in games that last."""
    chance = Random(seed)
    for bank in (True, False):
        switches: dict[str, Any] = {name: chance.choice(of) for name, of in SWITCHES.items()}
        rules = replace(ENDLESS, points_to_win=22, endless_bank=bank, **switches)
        batch = Batch(8, seats=2 + seed % 3, rules=rules, seed=seed)
        for step in range(4000 if MACHINE_CODE else 200):
            hoards = batch.masks[:, 0] >> END_TURN_ACTION & 1 == 1
            hoards &= np.arange(8) < 6
            batch.play(np.where(hoards, END_TURN_ACTION, batch.sample_legal()))
            if step % 20 == 0:
                check_hands(batch)


def check_hands(batch: Batch) -> None:
    hands = batch.states["hand"].astype(int)
    assert (hands >= 0).all() and (hands.sum(axis=2) == batch.states["hand_size"]).all()
    assert (hands.sum(axis=1) + batch.states["bank"] == 19).all()
    assert (hands.sum(axis=(1, 2)) <= (127 if batch.rules.endless_bank else 95)).all()


def test_a_view_follows_what_the_game_shows() -> None:
    game = Game(4, 3, HOARDING)
    views = [game.view(seat) for seat in range(4)]
    for events in play_out(game, 3, 800 if MACHINE_CODE else 200):
        for event in events:
            for view in views:
                view.apply(event.redacted(view.viewer, 4))
        assert all(view == game.view(view.viewer) for view in views)


def test_a_batch_plays_the_same_games() -> None:
    batch, chance = Batch(8, seats=4, seed=5, rules=HOARDING), Random(1)
    games = [Game(4, int(seed), HOARDING) for seed in batch.seeds]
    for _ in range(600 if MACHINE_CODE else 60):
        actions = batch.sample_legal()
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            if not game.is_over:
                game.play(int(action))
    k = chance.randrange(8)
    assert batch.view(k, 0).observation.tobytes() == games[k].view(0).observation.tobytes()
