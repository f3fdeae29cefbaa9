"""An endless bank pays everything it owes, whatever the hands contain."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from catan_env import Action, Game, Resource, Rules
from catan_env.batch import Batch
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
