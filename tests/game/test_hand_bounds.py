"""The certain knowledge of a seat after unannounced card movements, and its mask."""

import pytest

from catan_env import Action, Board, Event, Game, IllegalActionError, Resource
from catan_env.game.hand_bounds import MOST_HANDS, HandBounds
from catan_env.game.hand_limits import HandLimits
from catan_env.game.tracked import TrackedView

UNLIMITED = HandLimits([95, 95], [[19] * 5, [19] * 5])


@pytest.mark.parametrize("hand", [(0, 0, 0, 0, 0), (1, 0, 1, 0, 0), (0, 2, 0, 3, 0)])
def test_a_view_that_is_recounted_allows_what_these_cards_pay_for(hand):
    """Like a game with exactly these cards."""
    sides = {
        "board": Board.beginner(),
        "settlements": {0: [8], 1: [35]},
        "roads": {0: [18]},
        "phase": "main",
    }
    rich = Game.from_position(seats=2, hands={0: (4, 4, 4, 4, 4), 1: hand}, **sides)
    poor = Game.from_position(seats=2, hands={0: hand, 1: hand}, **sides)
    view = rich.view(0)
    view.recount(hand, poor.bank)
    assert view.action_mask.tobytes() == poor.view(0).action_mask.tobytes()
    listener = rich.view(1)
    listener.recount(hand, poor.bank)
    assert not listener.action_mask.any()


def test_no_more_is_known_of_a_recounted_hand_than_it_holds():
    game = Game.from_position(
        seats=2, board=Board.beginner(), settlements={0: [8], 1: [35]}, hands={0: (4, 0, 0, 0, 0)},
        phase="main",
    )  # fmt: skip
    game.play(Action.bank_trade(Resource.BRICK, Resource.ORE))
    view = game.view(0)
    assert view.known(0)[Resource.ORE] == 1
    view.recount((0, 0, 0, 0, 0), game.bank)
    assert not any(view.known(0))


def test_a_single_seat_may_have_got_any_part_of_what_a_short_bank_owes_it():
    bounds = HandBounds(0, (0, 0, 0, 0, 0), (1, 9, 9, 9, 9), UNLIMITED)
    bounds._produce(0, [2, 0])
    assert {hand[0] for hand in bounds.hands} == {0, 1, 2}
    bounds = HandBounds(0, (0, 0, 0, 0, 0), (1, 9, 9, 9, 9), UNLIMITED)
    bounds._produce(0, [2, 1])
    assert {hand[0] for hand in bounds.hands} == {0, 2}


def doubting(**facts) -> tuple[Game, TrackedView]:
    """Return a game and the view of seat 0, which is unsure of one card of its own hand."""
    game = Game.from_position(
        seats=2, board=Board.beginner(), phase="robber", settlements={0: [8], 1: [35]}, **facts
    )
    tracked = TrackedView(game.view(0))
    tracked.bound_hand()
    tracked.bounds.hands = {(2, 0, 0, 0, 0), (2, 1, 0, 0, 0)}
    tracked.view.recount((2, 0, 0, 0, 0), game.bank)
    return game, tracked


def test_what_is_stolen_from_a_seat_in_doubt_was_there():
    game, tracked = doubting(turn_seat=1, hands={0: (2, 1, 0, 0, 0)})
    action = next(a for a in game.legal_actions if a.args[1] == 1)
    tracked.apply(Event(1, action, Resource.GRAIN))
    assert tracked.bounds.hands == {(2, 0, 0, 0, 0)} and tracked.view.hand(0) == (2, 0, 0, 0, 0)


def test_a_seat_in_doubt_may_steal_where_it_saw_no_card():
    game, tracked = doubting(turn_seat=0, hands={0: (2, 1, 0, 0, 0)})
    action = next(a for a in game.legal_actions if a.args[1] == 1)
    tracked.apply(Event(0, action, Resource.WOOL))
    assert tracked.bounds.hands == {(2, 0, 0, 0, 1), (2, 1, 0, 0, 1)}
    assert tracked.view.hand(0) == (2, 0, 0, 0, 1)


def test_a_seat_in_doubt_may_find_nothing_where_it_saw_cards():
    game, tracked = doubting(turn_seat=0, hands={0: (2, 1, 0, 0, 0), 1: (0, 0, 1, 0, 0)})
    action = next(a for a in game.legal_actions if a.args[1] == 1)
    with pytest.raises(IllegalActionError, match="the stolen card is missing"):
        game.view(0).apply(Event(0, action))
    tracked.apply(Event(0, action))
    assert tracked.bounds.hands == {(2, 0, 0, 0, 0), (2, 1, 0, 0, 0)}
    assert (tracked.view.hand(0), tracked.view.hand_size(1)) == ((2, 0, 0, 0, 0), 0)


def test_a_seven_yields_nothing_even_with_a_token_of_seven():
    tiles = [tile._replace(token=7 if tile.token else 0) for tile in Board.beginner().tiles]
    board = Board(tuple(tiles), ())
    game = Game.from_position(seats=2, board=board, settlements={0: [8], 1: [35]}, phase="roll")
    bounds = HandBounds(0, (1, 0, 0, 0, 0), game.bank, UNLIMITED)
    bounds.follow(game.view(0), Event(0, Action.roll(), (3, 4)))
    assert bounds.hands == {(1, 0, 0, 0, 0)} and bounds.bank == list(game.bank)


def test_free_roads_cost_nothing():
    game = Game.from_position(
        seats=2, board=Board.beginner(), phase="free_road", settlements={0: [8], 1: [35]},
        roads={0: [18]}, hands={0: (1, 1, 0, 0, 0)},
    )  # fmt: skip
    bounds = HandBounds(0, (1, 1, 0, 0, 0), game.bank, UNLIMITED)
    bounds.follow(game.view(0), Event(0, next(iter(game.legal_actions))))
    assert bounds.hands == {(1, 1, 0, 0, 0)} and bounds.bank == list(game.bank)


def test_as_many_hands_are_stored_as_the_limit_and_of_more_only_their_common_cards():
    game = Game.from_position(seats=2, board=Board.beginner(), settlements={0: [8], 1: [35]})
    bounds, nothing = (
        HandBounds(0, (0, 0, 0, 0, 0), game.bank, UNLIMITED),
        Event(0, Action.end_turn()),
    )
    bounds.hands = {(1, n, 0, 0, 0) for n in range(MOST_HANDS)}
    bounds.follow(game.view(0), nothing)
    assert len(bounds.hands) == MOST_HANDS and not bounds.may_hold_more
    bounds.hands.add((1, MOST_HANDS, 0, 0, 0))
    bounds.follow(game.view(0), nothing)
    assert bounds.hands == {(1, 0, 0, 0, 0)} and bounds.may_hold_more


def test_a_seven_may_take_any_cards():
    bounds = HandBounds(0, (7, 1, 0, 0, 0), (9, 9, 9, 9, 9), UNLIMITED)
    bounds.discard_at_seven(by_rule=False)
    assert bounds.hands == {(4, 0, 0, 0, 0), (3, 1, 0, 0, 0)}
    bounds.hands = {(0, 7, 0, 0, 0), (0, 4, 4, 0, 0)}
    bounds.discard_at_seven(by_rule=False)
    assert bounds.hands == {(0, 7, 0, 0, 0)} | {(0, n, 4 - n, 0, 0) for n in range(5)}


def test_a_seven_takes_the_most_numerous_cards_by_the_rule():
    bounds = HandBounds(0, (7, 1, 0, 0, 0), (9, 9, 9, 9, 9), UNLIMITED)
    bounds.discard_at_seven(by_rule=True)
    assert bounds.hands == {(3, 1, 0, 0, 0)}


def test_the_bank_has_what_no_hand_can_hold():
    limits = HandLimits([2, 10], [[1, 1, 0, 0, 0], [5, 2, 9, 0, 0]])
    bounds = HandBounds(0, (1, 1, 0, 0, 0), (0, 0, 0, 0, 0), limits)
    bounds.discard_at_seven(by_rule=False)
    assert bounds.bank == [13, 16, 14, 19, 19]


def test_a_trade_that_may_have_been_made_adds_no_cards_to_the_bank():
    game = Game.from_position(
        seats=2, board=Board.beginner(), phase="main", settlements={0: [8], 1: [35]},
        hands={0: (4, 0, 0, 0, 0), 1: (9, 0, 9, 0, 0)},
    )  # fmt: skip
    tracked = TrackedView(game.view(0))
    tracked.bound_hand()
    tracked.may_have_happened(Event(0, Action.bank_trade(Resource.BRICK, Resource.ORE)))
    assert tracked.bounds.hands == {(4, 0, 0, 0, 0), (0, 0, 0, 1, 0)}
    assert tracked.bounds.bank == [6, 19, 10, 18, 19]
