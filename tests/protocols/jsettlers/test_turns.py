"""Turns, pieces and additional announcements, message by message."""

import pytest

from catan_env import Action, Resource
from catan_env.core.constants import Phase
from catan_env.game.action import ActionKind
from catan_env.game.event import Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.protocols.jsettlers import lobby, places
from catan_env.protocols.jsettlers import messages as m
from tests.protocols.jsettlers.scripted import (
    GAME,
    Told,
    differences,
    kinds,
    last,
    playing,
    state,
    with_card,
)


def test_the_second_settlements_cards_are_counted() -> None:
    told = Told().place()
    assert sum(told.view.hand(0)) == told.view.hand_size(0) > 0
    assert told.view.turn == 1 and told.view.phase == Phase.ROLL


def test_the_agent_rolls_when_the_server_asks_and_not_before() -> None:
    told = Told().place()
    assert told.say(m.Turn(GAME, 0, 15)) == []
    assert told.say(m.RollPrompt(GAME, 0)) == [m.RollDice(GAME)]
    assert told.say(m.DiceResult(GAME, 2)) == []
    assert told.say(state(20)) == [m.EndTurn(GAME)]


def test_a_turn_ends_when_the_next_one_begins() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.roll()
    assert told.view.turn_seat == 0
    told.begin_turn(1)
    assert (told.view.turn_seat, told.view.turn) == (1, 2)
    assert last(told).action.kind == ActionKind.END_TURN


def test_a_forced_end_of_a_turn_is_followed_in_any_state() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.begin_turn(1)
    assert last(told) == Event(0, Action.time_out())
    assert (told.view.turn_seat, differences(told)) == (1, {})
    assert told.player.clock.forced == 1


def test_turns_that_the_server_skips_pass_without_an_action() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.roll()
    assert told.begin_turn(2) == []
    assert (told.view.turn_seat, told.view.phase) == (2, Phase.ROLL)
    assert last(told) == Event(1, Action.time_out())


def test_a_skipped_set_up_placement_is_followed() -> None:
    """The server ended seat 0's first placement; its second one is still to come."""
    told = Told().sit_down()
    told.say(m.Turn(GAME, 0, 5))
    assert told.say(m.Turn(GAME, 1, 5)) == []
    assert (told.view.seat, told.view.phase) == (1, Phase.PLACE_SETTLEMENT)
    told.place_pieces((1, 2, 3), first=5)
    told.place_pieces((3, 2, 1), first=10)
    (placed,) = told.say(m.Turn(GAME, 0, 10))
    assert isinstance(placed, m.PutPiece) and placed.piece == 1


def test_a_piece_is_paid_for_when_it_is_placed() -> None:
    told = Told().turn_of(1)
    before = told.view.hand_size(1)
    told.say(m.Elements(GAME, 1, 102, (1, 1, 5, 1)), state(30))
    assert told.view.hand_size(1) == before
    told.say(m.PutPiece(GAME, 1, 0, places.EDGES[33]), state(20))
    assert kinds(told)[-1] == "ROAD"


def test_the_size_of_a_hand_that_has_paid_for_a_piece_is_counted_once_it_is_put() -> None:
    told = Told().turn_of(1)
    size = told.view.hand_size(1) - 2
    told.say(m.Elements(GAME, 1, 102, (1, 1, 5, 1)), state(30), m.HandSize(GAME, 1, size))
    told.say(m.PutPiece(GAME, 1, 0, places.EDGES[33]), state(20))
    assert told.view.hand_size(1) == size and differences(told) == {}


def test_a_requested_piece_may_be_taken_back() -> None:
    told = Told().turn_of(1)
    before = told.view.state_bytes()
    told.say(m.Elements(GAME, 1, 102, (1, 1, 5, 1)), state(30))
    told.say(m.Elements(GAME, 1, 101, (1, 1, 5, 1)), m.CancelBuild(GAME, 0), state(20))
    assert told.view.state_bytes() == before


def test_the_agent_continues_once_its_building_is_announced() -> None:
    told = Told().own_turn(brick=1, lumber=1)
    told.policy = playing(Action.road(7))
    assert told.roll() == [m.PutPiece(GAME, 0, 0, places.EDGES[7])]
    assert 7 not in told.view.roads(0)
    assert told.say(m.Elements(GAME, 0, 102, (1, 1, 5, 1))) == []
    assert told.say(m.PutPiece(GAME, 0, 0, places.EDGES[7])) == []
    assert 7 in told.view.roads(0)
    assert told.say(state(20)) == [m.EndTurn(GAME)]


def test_the_servers_counts_of_our_hand_win() -> None:
    told = Told().own_turn(ore=3)
    assert told.view.hand(0) == (0, 0, 0, 3, 0)
    assert differences(told)["own hand"] == 1


def test_announced_production_is_computed_production() -> None:
    told = Told().place()
    total, tile = next(
        (t.token, k) for k, t in enumerate(told.view.board.tiles)
        if t.token and {*told.view.settlements(0)} & {*TILE_VERTICES[k]}
    )  # fmt: skip
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, total))
    card = told.view.board.tiles[tile].terrain
    gained = told.view.hand(0)[int(card)]
    pairs = tuple(n for r in Resource for n in (places.to_code(r), told.view.hand(0)[r]))
    sizes = [told.view.hand_size(seat) for seat in range(4)]
    told.say(m.Production(GAME, (1, 0, sizes[0], 1, places.to_code(int(card)))))
    told.say(m.Elements(GAME, 0, 100, pairs), state(20))
    assert gained >= 1 and differences(told) == {}


def test_a_reset_of_cards_played_concerns_no_single_seat() -> None:
    told = Told().turn_of(1)
    assert told.say(m.Element(GAME, -1, 100, 19, 0)) == [] and GAME in told.line.agent.players


def test_the_servers_awards_win() -> None:
    told = Told().turn_of(1)
    told.say(m.GameElements(GAME, (6, 3, 2, 20)))
    assert told.view.longest_road_seat == 3 and told.view.points(3, hidden=False) == 4
    told.say(m.GameElements(GAME, (6, -1)))
    assert told.view.longest_road_seat is None


@pytest.mark.parametrize("by", ["state", "turn"])
def test_the_winner_is_the_seat_on_turn_at_the_end(by: str) -> None:
    told = Told().turn_of(1)
    player, follower = told.player, told.player.follower
    assert follower is not None
    if by == "state":
        told.say(m.GameElements(GAME, (4, 1)), state(1000))
    else:
        told.say(m.Turn(GAME, 2, 1000))
    assert (follower.is_over, follower.winner) == (True, 1 if by == "state" else 2)
    told.say(m.CardAction(GAME, 3, 3, (6, 5)))
    stats = m.GameStats(GAME, ("3", "10", "2", "2", "true", "true", "true", "true"))
    assert told.say(stats) == [lobby.LeaveGame("ours", "", GAME)]
    assert (told.line.agent.ended[0].how, player.is_over) == ("over", True)
    assert follower.tracked.happened[-1].winner == follower.winner


@pytest.mark.parametrize(
    "message",
    [
        m.DiceResult(GAME, -1),
        m.GameStats(GAME, ("t2", "1700000000", "1", "0")),
        m.GameStats(GAME, ("0",) * 4),
    ],
)
def test_dice_that_were_not_cast_and_other_statistics_do_not_end_the_game(message: object) -> None:
    told = Told().turn_of(1)
    assert told.say(message) == []
    assert GAME in told.line.agent.players and not told.player.is_over


def test_a_knight_that_wins_still_moves_the_robber() -> None:
    told = with_card(9)
    follower = told.player.follower
    assert follower is not None
    follower.view._array["points"][0, 0] = 8
    follower.view._array["played"][0, 0, 0] = 2
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, 0, 1, (9,)), m.Element(GAME, 0, 100, 15, 3))
    assert told.view.is_over
    (moved,) = told.say(state(33))
    assert isinstance(moved, m.MoveRobber) and moved.tile != places.TILES[told.view.robber]
    told.say(moved, m.GameElements(GAME, (4, 0)), state(1000))
    assert follower.winner == 0 and set(differences(told)) == {"own hand"}
