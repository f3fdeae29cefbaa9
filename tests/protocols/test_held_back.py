"""A year of plenty and a monopoly at servers that may not take the choice after MSG_PLAY.

The text has no message for the choice, and allows no MSG_TRADE before the roll.
"""

import numpy as np
import pytest

from catan_env import Action, DevelopmentCard, Phase
from catan_env.protocols.catan_binary.agent import Agent
from catan_env.protocols.catan_binary.choices import is_choice
from catan_env.protocols.catan_binary.messages import (
    NOTHING,
    Card,
    DevCard,
    Play,
    RollResult,
    Trade,
    TradeAccept,
    TradeSide,
)
from catan_env.protocols.catan_binary.room import CatanRoom
from tests.protocols.in_memory import Played, builder_policy, tournament
from tests.protocols.rules.table import BRICK, KNIGHT, MONOPOLY, PLENTY, before_roll, open_turn
from tests.protocols.test_literal import eager

CARDS = {0: {PLENTY: 1, MONOPOLY: 1, KNIGHT: 1}}
CHOICES = [Action.play_monopoly(r).index for r in range(5)]
CHOICES += [Action.play_year_of_plenty(a, b).index for b in range(5) for a in range(b + 1)]
BRICK_4 = TradeSide(Card.BRICK, 4)
SHOWN_BY = {
    "a-discard": [RollResult(7), Trade(2, 2, BRICK_4, NOTHING), TradeAccept(2, 2)],
    "a-choice": [Play(1, DevCard.YEAR_OF_PLENTY), Trade(1, 1, NOTHING, TradeSide(Card.ORE, 2))],
}


class Watching:
    """An agent of seat 0, and the views that its policy gets."""

    def __init__(self, table, **server) -> None:
        self.table = table
        self.views: list = []
        self.agent = Agent(self.decide, **server)
        self.agent.present.clock = lambda: 0.0
        self.agent.follower.watch(table.game.view(0))

    def decide(self, view) -> int:
        self.views.append(view)
        return int(view.legal_actions.indices[0])

    @property
    def is_free_to_choose(self) -> bool:
        """True if the policy may play all that the environment lets it play; else all but these."""
        truth = self.table.game.view(0)
        shown = self.agent.shown(self.agent.follower.view)
        missing = set(np.flatnonzero(truth.action_mask > shown.action_mask))
        assert not (shown.action_mask > truth.action_mask).any()
        assert missing in (set(), set(CHOICES))
        return not missing


def test_where_nothing_shows_that_choices_are_known_their_cards_are_not_played():
    watching = Watching(open_turn(cards=CARDS))
    assert not watching.is_free_to_choose
    list(watching.agent._play())
    assert not watching.views[0].action_mask[CHOICES].any()
    assert watching.views[0].cards(0) == watching.table.game.view(0).cards(0)
    assert watching.agent.follower.view.cards(0)[PLENTY] == 1


@pytest.mark.parametrize("announced", [True, False])
def test_the_dialect_given_shows_that_choices_are_known(announced):
    assert Watching(open_turn(cards=CARDS), announced=announced).is_free_to_choose
    assert not Watching(before_roll(cards=CARDS), announced=announced).is_free_to_choose


@pytest.mark.parametrize("announced", [True, False, None])
def test_at_our_servers_all_is_played_that_the_environment_allows(announced):
    for table in (open_turn(cards=CARDS), before_roll(cards=CARDS)):
        watching = Watching(table, announced=announced, is_ours=True)
        assert watching.is_free_to_choose
        assert watching.agent.shown(watching.agent.follower.view) is watching.agent.follower.view


@pytest.mark.parametrize("messages", SHOWN_BY.values(), ids=SHOWN_BY)
def test_what_other_seats_do_shows_that_choices_are_known(messages):
    table = before_roll(turn_seat=1, cards=CARDS, hands={1: {BRICK: 4}, 2: {BRICK: 8}})
    account = Watching(table).agent.follower.account
    assert not account.knows_choices
    for message in messages:
        account.hear(message)
    assert account.knows_choices and account.copy().knows_choices


def test_a_server_that_only_announces_nothing_has_shown_nothing():
    watching = Watching(open_turn(cards=CARDS))
    watching.agent.follower.account.announced = False
    assert not watching.is_free_to_choose


def test_a_knight_is_played_at_any_server():
    for table in (open_turn(cards=CARDS), before_roll(cards=CARDS)):
        watching = Watching(table)
        shown = watching.agent.shown(watching.agent.follower.view)
        assert shown.action_mask[Action.play_knight().index]


class Strict(CatanRoom):
    """A server that takes a choice after the roll only; it counts them."""

    choices = 0

    def received(self, line, message, now):
        if is_choice(message):
            assert self.game.phase == Phase.MAIN, "it would be a kick"
            self.choices += 1
        return super().received(line, message, now)


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "literal"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_at_a_server_that_takes_choices_after_the_roll_only(seats, announced):
    """In the literal dialect it is given: seats that have to guess their hands may be kicked."""
    knows = None if announced else False
    choices = 0
    for seed in range(2):
        game = tournament(seats, 60 + seed, announced=announced, max_turns=300)
        room = Strict(game.game, game.settings)
        policies = [eager(builder_policy(seat)) for seat in range(seats)]
        Played(room, policies, announced=knows, is_ours=False).play()
        assert room.is_over and not room.removals
        choices += room.choices
    assert choices


class Ignorant(CatanRoom):
    """A server that knows no choice and answers no trade with the bank."""

    def received(self, line, message, now):
        assert not is_choice(message), "it would be a kick"
        effects = super().received(line, message, now)
        return [effect for effect in effects if not is_of_bank(getattr(effect, "message", None))]


def is_of_bank(message) -> bool:
    return isinstance(message, TradeAccept) and message.player_id == message.target_id


def test_games_at_a_server_that_knows_no_choices():
    bought = 0
    for seed in range(3):
        game = tournament(3, 60 + seed, announced=False, max_turns=300)
        room = Ignorant(game.game, game.settings)
        policies = [eager(builder_policy(seat)) for seat in range(3)]
        Played(room, policies, is_ours=False).play()
        assert room.is_over and not room.removals
        chosen = (DevelopmentCard.YEAR_OF_PLENTY, DevelopmentCard.MONOPOLY)
        bought += sum(room.game.cards(seat)[card] for seat in range(3) for card in chosen)
    assert bought
