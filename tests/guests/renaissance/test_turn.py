"""The turn, R014-R020, and when leaders and exchanges may be used, R104-R108."""

import numpy as np
import pytest

from catan_env.guests.renaissance import Action, GameOverError, IllegalActionError
from catan_env.guests.renaissance.command import EndTurn, Swap, TakeFromMarket
from tests.engines import said_by_both
from tests.guests.renaissance.drawn import (
    ACTIVATE,
    AWAY,
    BUY,
    DISCARD,
    DONE,
    END,
    GAIN,
    LINE,
    PLACE,
    PRODUCE,
    SWAP,
    buy,
    bytes_of,
    end_turns,
    faith,
    fresh,
    in_hand,
    leaders,
    legal,
    market,
    pass_turn,
    pay,
    play,
    shelves,
    shelves_of,
    slots,
    strongbox,
    take,
    top,
)

ROWS = "CCHF SSV. HV.."
MAIN_ACTIONS = set(range(LINE, LINE + 7)) | set(range(BUY, BUY + 36)) | set(range(PRODUCE, DONE))


def test_a_turn_has_exactly_one_main_action():
    """R014, R016: a second one is refused."""
    game = strongbox(top(fresh(), 0), 0, "CCSSVVHHHH")
    assert {LINE, buy(game, 0, 0), PRODUCE} <= legal(game)
    bought = play(game.copy(), buy(game, 0, 0))
    produced = play(game.copy(), PRODUCE, pay("C", 2), pay("C", 2), GAIN, DONE)
    drawn = pass_line(game.copy())
    for after in (bought, produced, drawn):
        assert after.state["main_done"] and not legal(after) & MAIN_ACTIONS
        with pytest.raises(IllegalActionError, match="allowed are"):
            after.play(LINE)


def pass_line(game):
    """Take row 0 and discard all."""
    game.play(LINE)
    while game.phase == "place":
        game.play(PLACE + AWAY)
    return game


def test_leader_actions_and_exchanges_come_before_and_after_the_main_action():
    """R015, R107."""
    game = shelves(in_hand(fresh(), 0, 0, 1), 0, "C")
    assert {DISCARD, DISCARD + 1, SWAP} <= legal(game)
    play(game, SWAP, DISCARD)
    assert shelves_of(game, 0) == ["", "C", ""]
    play(pass_line(game), SWAP, DISCARD + 1)
    assert shelves_of(game, 0) == ["C", "", ""] and game.turn_seat == 0


def test_a_turn_cannot_end_without_its_main_action():
    """R017."""
    game = fresh()
    assert END not in legal(game)
    with pytest.raises(IllegalActionError):
        game.play(END)
    assert END in legal(pass_line(game))


def test_only_the_seat_on_turn_acts():
    """R018: a view of another seat has an empty mask."""
    game = fresh(3)
    assert game.view(0).action_mask.any()
    assert not game.view(1).action_mask.any() and not game.view(2).action_mask.any()


def test_a_refused_action_changes_nothing():
    """R019."""
    game = strongbox(fresh(), 0, "CC")
    game.play(PRODUCE)
    before, marks = bytes_of(game), game.record()
    for action in range(96):
        if action not in legal(game):
            with pytest.raises(IllegalActionError):
                game.play(action)
    for other in (-1, 96, 1000):
        with pytest.raises(IllegalActionError):
            game.play(other)
    assert bytes_of(game) == before and game.record() == marks


def test_a_refused_command_changes_nothing_at_all():
    """R019."""
    game = market(fresh(), "CCHF SSV. HV..", ".")
    before, marks, events = bytes_of(game), game.record(), game.events
    three = ((0, 0, 2, 0, 0, 0), (0,) * 6, (0,) * 6, (1, 0, 0, 0, 0, 0))
    wrong = ((0, 3, 0, 0, 0, 0), *three[1:])
    with pytest.raises(IllegalActionError):
        game.play_command(TakeFromMarket(0, (), wrong))
    with pytest.raises(IllegalActionError, match="not complete"):
        game.play_command(TakeFromMarket(0, (), (three[0], *((0,) * 6,) * 3)))
    assert (bytes_of(game), game.record(), game.events) == (before, marks, events)
    event = game.play_command(TakeFromMarket(0, (), three))
    assert event.seat == 0 and shelves_of(game, 0) == ["H", "", "CC"]


def test_turns_pass_by_seat_indefinitely():
    """R020."""
    game, order = fresh(3), []
    for _ in range(7):
        order.append(game.turn_seat)
        pass_turn(game)
    assert order == [0, 1, 2, 0, 1, 2, 0]


def test_a_leader_activated_after_the_market_action_helps_from_the_next_action_on():
    """R104."""
    game = market(slots(in_hand(fresh(), 0, 8, 0), 0, (2,), (3,), (7,)), ROWS, ".")
    play(take(game, 2, 0, 1), ACTIVATE)
    assert game.goods(0) == [0, 0, 1, 1], "the whites of that action gave nothing"
    end_turns(game, 2)
    play(market(shelves(game, 0), ROWS, "."), LINE + 2)
    assert int(game.state["to_place"][2]) == 3


def test_a_white_leader_activated_before_the_market_action_counts():
    """R106."""
    game = market(slots(in_hand(fresh(), 0, 8, 0), 0, (2,), (3,), (7,)), "CCHF SSV. HV..", ".")
    play(game, ACTIVATE, LINE + 2)
    assert int(game.state["to_place"][2]) == 3, "one servant and two white marbles"


def test_a_leader_stays_active_when_its_required_goods_are_spent():
    """R105."""
    game = strongbox(top(in_hand(fresh(), 0, 7, 0), 0), 0, "HHHHH")
    play(game, ACTIVATE, buy(game, 0, 0))
    assert game.goods(0) == [0, 0, 0, 3] and game.active_leaders(0) == [7]


def test_goods_may_show_a_requirement_before_they_are_paid_but_not_after():
    """R108."""
    game = strongbox(top(in_hand(fresh(), 0, 7, 0), 0), 0, "HHHHH")
    assert ACTIVATE in legal(game)
    game.play(buy(game, 0, 0))
    assert ACTIVATE not in legal(game)


def test_a_command_equals_its_small_decisions():
    game = shelves(market(fresh(), "CCHF SSV. HV..", "."), 0, "", "CC")
    play(game, SWAP + 4, LINE + 4, PLACE + 2, PLACE, PLACE + AWAY)
    away, nothing = (0, 0, 0, 0, 0, 1), (0,) * 6
    placed = ((0, 0, 1, 0, 0, 0), (1, 0, 0, 0, 0, 0), away, nothing)
    assert [event.command for event in game.events[-2:]] == [
        Swap(1, 2),
        TakeFromMarket(4, (), placed),
    ]
    game.play(END)
    assert game.events[-1].command == EndTurn()


def test_actions_have_a_text_and_an_index():
    for index in range(96):
        assert Action.from_index(index).index == index
    (texts,) = said_by_both(
        "from catan_env.guests.renaissance import Action\n"
        "for index in range(96): print(Action.from_index(index))"
    )
    assert len(set(texts.splitlines())) == 96 and "keep dealt leaders 0 and 3" in texts
    with pytest.raises(ValueError, match=r"allowed are 0\.\.95"):
        Action.from_index(96)
    assert np.array_equal(faith(fresh()), [0, 0])


def test_no_action_is_legal_after_the_end():
    game = leaders(fresh(1), 0, 0, 1)
    game.state["cross"] = 24
    pass_turn(game)
    assert game.is_over
    with pytest.raises(GameOverError):
        game.play(END)
