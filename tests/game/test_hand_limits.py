"""The most cards that each seat may hold, in games whose cards are not all announced."""

from random import Random

import numpy as np
import pytest

from catan_env import Action, Board, Event, Game, Resource, Rules
from catan_env.game.hand_bounds import HandBounds
from catan_env.game.hand_limits import HandLimits
from catan_env.game.tracked import TrackedView


def test_what_a_view_shows_limits_the_hands_of_others():
    game = Game.from_position(
        seats=3, board=Board.beginner(), phase="main", settlements={0: [8], 1: [35], 2: [31]},
        hands={0: (2, 0, 0, 0, 0), 1: (1, 1, 0, 0, 0), 2: (0, 3, 0, 0, 0)},
    )  # fmt: skip
    limits = HandLimits.of(game.view(0), 0)
    assert limits.sizes == [{2}, {2}, {3}]
    assert limits.most == [[2, 0, 0, 0, 0], [1, 2, 0, 0, 0], [1, 3, 0, 0, 0]]


def test_a_thief_unseen_may_have_got_any_card_if_there_was_one():
    limits = HandLimits([0, 2, 0], [[0] * 5, [2, 2, 0, 0, 0], [0] * 5])
    game = Game.from_position(
        seats=3, board=Board.beginner(), phase="robber", settlements={0: [8], 1: [35], 2: [31]},
    )  # fmt: skip
    limits.follow(game.view(0), Event(2, Action.move_robber(9, 2)))
    assert limits.sizes == [{0}, {1}, {1}]
    assert limits.most == [[0] * 5, [1, 1, 0, 0, 0], [1] * 5]


def test_a_thief_unseen_may_have_got_nothing_if_the_victim_may_hold_nothing():
    limits = HandLimits([0, 1, 0], [[0] * 5, [1, 0, 0, 0, 0], [0] * 5])
    limits.sizes[1] = {0, 1}
    game = Game.from_position(
        seats=3, board=Board.beginner(), phase="robber", settlements={0: [8], 1: [35], 2: [31]},
    )  # fmt: skip
    limits.follow(game.view(0), Event(2, Action.move_robber(9, 2)))
    assert limits.sizes == [{0}, {0}, {0, 1}]


def test_a_bank_that_may_be_short_may_have_paid_nothing():
    """Two seats are due, and a bank that has too few for both pays neither (C055)."""
    bounds = HandBounds(0, (0,) * 5, (1,) * 5, HandLimits([0, 90], [[0] * 5, [18] * 5]))
    bounds._produce(Resource.ORE, [1, 1])
    assert bounds.hands == {(0, 0, 0, 0, 0), (0, 0, 0, 1, 0)}
    assert bounds.limits.sizes == [{0, 1}, {90, 91}]


def test_two_accounts_of_a_game_allow_for_the_hands_of_both():
    one, two = (HandBounds(0, (0,) * 5, (9,) * 5, HandLimits([0, n], [[0] * 5, [n] * 5]))
                for n in (1, 3))  # fmt: skip
    one.also_may(two)
    assert one.limits.sizes == [{0}, {1, 3}] and one.limits.most[1] == [3] * 5


@pytest.mark.parametrize(
    "hand, relied_on", [((4, 5, 0, 0, 3), (2, 3, 0, 0, 2)), ((3, 4, 0, 0, 0), (0,) * 5)]
)
def test_a_seat_relies_on_most_of_a_likely_hand_that_is_larger_than_a_seven_allows(hand, relied_on):
    game = Game.from_position(
        seats=2,
        board=Board.beginner(),
        phase="main",
        settlements={0: [8], 1: [35]},
        hands={0: hand},
    )
    tracked = TrackedView(game.view(0))
    tracked.bound_hand().lose_one_kind()
    assert tracked.bounds is not None and tracked.bounds.hand == (0,) * 5
    tracked.rely_on_likely_hand()
    assert tracked.bounds.hand == relied_on
    if any(relied_on):
        assert tracked.view.hand(0) == relied_on and tracked.bounds.may_hold_more


def test_no_seat_ever_holds_more_and_the_bank_never_less():
    """Played at random; one seat is never sure of any seat's discards, its own included."""
    checked = 0
    for seed in range(6):
        game = Game(seats=3, seed=seed, rules=Rules.tournament())
        bounds = HandBounds(0, game.hand(0), game.bank, HandLimits.of(game.view(0), 0))
        chance = Random(seed)
        while not game.is_over and game.turn < 60:
            before, known = game.copy(), len(game.events)
            game.play(int(chance.choice(np.flatnonzero(game.action_mask))))
            follow(bounds, before, game.events[known:])
            check(bounds, game)
            checked += 1
    assert checked > 500


def follow(bounds: HandBounds, before: Game, events: list[Event]) -> None:
    """Take the events into account as seat 0 sees them, without the discards."""
    event = events[0].redacted(0, seats=3)
    bounds.follow(before, event)
    if event.action == Action.roll() and sum(event.outcome) == 7:
        bounds.discard_at_seven(by_rule=False)


def check(bounds: HandBounds, game: Game) -> None:
    """The truth is among what is possible."""
    assert game.hand(0) in bounds.hands or bounds.may_hold_more
    assert all(n <= m for n, m in zip(bounds.hand, game.hand(0), strict=True))
    for seat in range(3):
        hand, most = game.hand(seat), bounds.limits.most[seat]
        assert sum(hand) in bounds.limits.sizes[seat]
        assert all(hand[r] <= most[r] for r in Resource)
    assert all(game.bank[r] >= bounds.bank[r] for r in Resource)
