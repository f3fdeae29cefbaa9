"""Tables with people and third-party robots, which undo, join, leave, and reset the board."""

from typing import Any

import pytest

from catan_env import Action, Board
from catan_env.core.constants import Phase
from catan_env.game.event import Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.protocols.jsettlers import lobby, places
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import STANDSTILL
from tests.protocols.jsettlers.board import board_message
from tests.protocols.jsettlers.line import Line
from tests.protocols.jsettlers.scripted import (
    GAME,
    ORE,
    PLACES,
    WOOL,
    Told,
    differences,
    first_legal,
    kinds,
    last,
    offer,
    playing,
    rich,
    state,
)
from tests.protocols.jsettlers.test_agent import LEAVE, client, robot


def gone(seat: int) -> lobby.LeaveGame:
    return lobby.LeaveGame(f"robot {seat}", "-", GAME)


def settle(seat: int, vertex: int) -> m.PutPiece:
    return m.PutPiece(GAME, seat, 1, places.VERTICES[vertex])


# A settlement of the set-up is taken back.


@pytest.mark.parametrize(("first", "vertex", "other"), [(5, 36, 46), (10, 46, 50)])
def test_a_settlement_taken_back_leaves_no_trace(first: int, vertex: int, other: int) -> None:
    told = Told().sit_down()
    told.place_pieces((0, 1, 2), first=5)
    seat = 3
    if first == 10:
        told.place_pieces((3,), first=5)
    told.say(m.Turn(GAME, seat, first))
    before, happened = told.view.state_bytes(), kinds(told)
    told.say(settle(seat, vertex), state(first + 1))
    assert told.view.settlements(seat)
    assert told.say(m.CancelBuild(GAME, 1), state(first)) == []
    assert told.view.state_bytes() == before and kinds(told) == happened
    told.say(settle(seat, other), state(first + 1))
    assert other in told.view.settlements(seat) and vertex not in told.view.settlements(seat)
    assert differences(told) == {}, "the view is still exact"


def test_a_settlement_taken_back_loses_its_starting_cards() -> None:
    told = Told().sit_down()
    told.place_pieces((0, 1, 2, 3), first=5)
    told.say(m.Turn(GAME, 3, 10), settle(3, 46), state(11))
    assert told.view.hand_size(3) > 0
    told.say(m.CancelBuild(GAME, 1), state(10))
    assert told.view.hand_size(3) == 0


def test_our_settlement_that_the_server_takes_back_is_placed_again() -> None:
    told = Told().sit_down()
    (first,) = told.say(m.Turn(GAME, 0, 5))
    assert isinstance(first, m.PutPiece)
    assert len(told.say(first, state(6))) == 1
    assert told.say(m.CancelBuild(GAME, 1)) == []
    (again,) = told.say(state(5))
    assert isinstance(again, m.PutPiece) and again.piece == 1
    assert told.player.refusals.lines == []


def test_a_refused_road_in_the_set_up_takes_no_settlement_back() -> None:
    told = Told().sit_down()
    (first,) = told.say(m.Turn(GAME, 0, 5))
    told.say(first, state(6))
    told.say(m.CancelBuild(GAME, 0))
    assert told.view.settlements(0)


# Vacated seats.


def test_a_vacated_seat_has_no_turn() -> None:
    told = Told().turn_of(1)
    assert told.say(gone(2)) == []
    told.begin_turn(3)
    assert told.view.turn_seat == 3 and GAME in told.line.agent.players
    assert not told.view.is_playing(2) and differences(told) == {"empty seat": 1}
    told.begin_turn(0)
    assert told.view.turn_seat == 0


def test_the_turn_of_a_vacated_seat_ends() -> None:
    told = Told().turn_of(2)
    assert told.say(gone(2), m.ClearOffer(GAME, -1)) == []
    told.begin_turn(3)
    assert (told.view.turn_seat, told.view.phase) == (3, Phase.ROLL)


def test_a_vacated_seat_yields_nothing_and_cannot_be_robbed() -> None:
    told = Told().turn_of(1)
    total, tile = next(
        (t.token, k) for k, t in enumerate(told.view.board.tiles)
        if t.token and {*told.view.settlements(2)} & {*TILE_VERTICES[k]}
        and not {*told.view.settlements(0)} & {*TILE_VERTICES[k]}
    )  # fmt: skip
    assert told.view.hand_size(2) > 0
    told.say(gone(2))
    told.begin_turn(3)
    told.say(m.DiceResult(GAME, total), state(20))
    assert told.view.hand_size(2) == 0
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, 7), state(33))
    told.policy = first_legal
    told.say(m.MoveRobber(GAME, 0, places.TILES[tile]), state(20))
    assert told.view.robber == tile and differences(told) == {"empty seat": 1}


@pytest.mark.parametrize("held", [0, 3])
def test_a_seat_that_is_taken_again_has_its_cards(held: int) -> None:
    told = Told().turn_of(1)
    rich(told, s2=held)
    size, known = told.view.hand_size(2), told.view.known(2)
    told.say(gone(2))
    told.begin_turn(3)
    assert told.view.hand_size(2) == 0
    at = {*told.view.settlements(2)}
    tiles = [t for k, t in enumerate(told.view.board.tiles) if at & {*TILE_VERTICES[k]}]
    told.roll(next(tile.token for tile in tiles if tile.token))
    assert told.say(lobby.SitDown(GAME, "Ann", 2, False)) == []
    assert (told.view.hand_size(2), told.view.known(2)) == (size, known)
    told.begin_turn(0)
    told.roll()
    told.begin_turn(1)
    told.roll()
    told.begin_turn(2)
    assert told.view.turn_seat == 2 and told.view.is_playing(2)


def test_a_robot_that_is_replaced_by_a_person_leaves_no_trace() -> None:
    told = Told().turn_of(1)
    before = told.view.state_bytes()
    told.say(gone(2), lobby.SitDown(GAME, "Ann", 2, False), state(20))
    assert told.view.state_bytes() == before and differences(told) == {}
    assert told.player.opening.names[2] == "Ann"


def test_an_observer_who_leaves_vacates_no_seat() -> None:
    told = Told().turn_of(1)
    told.say(lobby.LeaveGame("Ann", "-", GAME), state(20))
    assert all(map(told.view.is_playing, range(4)))


def test_no_offer_is_made_to_an_empty_seat() -> None:
    told = Told().own_turn(wool=1)
    told.say(gone(2))
    told.policy = playing(Action.offer(2, WOOL, ORE))
    assert told.roll() == [m.EndTurn(GAME)]


def test_offers_to_the_remaining_seats_are_made() -> None:
    told = Told().own_turn(wool=1)
    told.say(gone(2))
    told.policy = playing(Action.offer(3, WOOL, ORE))
    assert told.roll() == [offer(0, 3)]


@pytest.mark.parametrize("leaver", [1, 2, 3])
def test_a_seat_vacated_in_the_set_up_no_longer_places(leaver: int) -> None:
    """Its settlement is taken back by the server; the others place in their order, and begin."""
    told = Told().sit_down()
    told.place_pieces(range(leaver), first=5)
    told.say(m.Turn(GAME, leaver, 5), settle(leaver, PLACES[leaver][0]), state(6))
    told.say(gone(leaver), m.CancelBuild(GAME, 1))
    assert not told.view.settlements(leaver)
    others = [seat for seat in range(4) if seat != leaver]
    told.place_pieces([seat for seat in others if seat > leaver], first=5)
    told.place_pieces(others[::-1], first=10)
    assert told.begin_turn(0) == [m.RollDice(GAME)]
    assert [len(told.view.settlements(seat)) for seat in range(4)] == [
        0 if seat == leaver else 2 for seat in range(4)
    ]
    told.roll()
    for seat in others[1:]:
        told.begin_turn(seat)
        assert told.view.turn_seat == seat
        told.roll()


def test_if_the_first_seat_is_vacated_another_begins() -> None:
    told = Told().sit_down()
    told.say(m.Turn(GAME, 1, 5))
    told.place_pieces((1, 2, 3, 0), first=5)
    told.say(gone(1))
    told.place_pieces((0, 3, 2), first=10)
    assert told.begin_turn(2) == []
    assert (told.view.turn_seat, told.view.phase, told.view.turn) == (2, Phase.ROLL, 1)
    assert "TIME_OUT" not in kinds(told)


def test_a_table_with_an_empty_seat_is_played() -> None:
    told = Told()
    told.say(lobby.AskedToJoin(GAME, 0, ()), lobby.Joined(GAME), lobby.Members(GAME, ("ours",)))
    for seat in (0, 1, 3):
        told.say(lobby.SitDown(GAME, "ours" if seat == 0 else f"robot {seat}", seat, True))
    told.say(board_message(GAME, Board.beginner(), Board.beginner().robber_start))
    told.place_pieces((3, 0, 1), first=5)
    told.place_pieces((1, 0, 3), first=10)
    told.begin_turn(3)
    told.roll()
    assert told.begin_turn(0) == [m.RollDice(GAME)]
    assert not told.view.is_playing(2)


def test_a_robot_that_leaves_before_the_start_is_not_waited_for() -> None:
    told = Told().sit_down()
    told.say(gone(3))
    told.place_pieces((0, 1, 2), first=5)
    told.place_pieces((2, 1, 0), first=10)
    assert told.begin_turn(0) == [m.RollDice(GAME)]


# Seats in games that are under way.


def asked(line: Line, turn: int, number: int = 20, encoding: int = 0) -> list[Any]:
    """Return the agent's answers to an invitation to seat 2 after the game has begun."""
    line.say(lobby.AskedToJoin(GAME, 2, ()), lobby.Joined(GAME))
    line.say(board_message(GAME, Board.beginner(), 0, encoding))
    line.say(m.GameElements(GAME, (4, turn)), state(number))
    return line.say(lobby.Members(GAME, ("ours",)))


@pytest.mark.parametrize("encoding", [0, 1])
def test_a_seat_in_a_game_under_way_is_declined(encoding: int) -> None:
    """The server asks another robot once the connection closes, and not before."""
    line = robot()
    line.begin()
    assert asked(line, 2, encoding=encoding) == [LEAVE]
    assert line.agent.declined == {GAME: "the game is under way"}
    assert line.agent.is_over and not line.agent.ended and not line.agent.players


def busy() -> Told:
    told = Told().place()
    told.player.game = "other"
    told.line.agent.players["other"] = told.line.agent.players.pop(GAME)
    told.line.agent._seated = {"other"}
    return told


def test_other_games_are_finished_before_the_agent_hangs_up() -> None:
    told = busy()
    assert asked(told.line, 1) == [LEAVE]
    before = told.line.agent.is_over
    told.say(lobby.StandUp("other"))
    assert (before, told.line.agent.is_over) == (False, True)


@pytest.mark.parametrize(("turn", "number"), [(2, 20), (1, 50)])
def test_a_game_waiting_for_the_seat_gets_it_and_gets_it_back(turn: int, number: int) -> None:
    """Otherwise the person at that table would have to wait until our other games are over."""
    told = busy()
    sit = lobby.SitDown(GAME, "ours", 2, True)
    assert asked(told.line, turn, number) == [sit]
    assert told.say(sit) == [LEAVE]
    assert "other" in told.line.agent.players and not told.line.agent.declined


# The end of a run.


def test_a_finishing_agent_starts_no_game_and_continues_the_others() -> None:
    told = Told().place()
    told.line.agent.finish()
    assert told.say(lobby.AskedToJoin("new", 1, ())) == []
    before = told.line.agent.is_over
    assert set(told.line.agent.declined) == {"new"}
    assert told.begin_turn(0) == [m.RollDice(GAME)]
    told.say(state(1000), m.GameStats(GAME, ("2",) * 4 + ("true",) * 4))
    assert (before, told.line.agent.is_over) == (False, True)
    assert [ended.how for ended in told.line.agent.ended] == ["over"]


def test_a_finishing_agent_abandons_a_game_that_cannot_continue() -> None:
    """In a game of robots only, the server does not end the turn of a vacated seat."""
    told = Told().turn_of(1)
    told.say(gone(1))
    assert told.line.wait(10 * STANDSTILL) == []
    told.line.agent.finish()
    told.say(lobby.LeaveGame("Ann", "-", GAME))
    assert told.line.wait(STANDSTILL - 1) == []
    assert told.line.wait(2) == [LEAVE]
    assert told.line.agent.is_over
    assert told.line.agent.ended[0].how == "stalled"


def test_a_finishing_agent_waits_for_a_person_without_a_limit() -> None:
    told = Told().turn_of(1)
    told.line.agent.finish()
    assert told.line.wait(100 * STANDSTILL) == []
    assert told.line.agent.time(told.line.now) == [], "another game's deadline"
    assert GAME in told.line.agent.players


# The board is reset.


def test_a_client_continues_after_the_board_is_reset() -> None:
    line = client(opens=True, seat=0)
    line.begin()
    line.say(lobby.Joined(GAME), lobby.Members(GAME, ("ours",)))
    line.say(*(lobby.SitDown(GAME, f"p{s}" if s else "ours", s, s > 0) for s in range(4)))
    for _ in range(2):
        line.say(board_message(GAME, Board.beginner(), 0))
        (placed,) = line.say(m.Turn(GAME, 0, 5))
        assert isinstance(placed, m.PutPiece) and placed.piece == 1
        line.say(placed, state(6))
        assert line.say(lobby.ResetTable(GAME, (-1, 1))) == []
        assert line.say(lobby.Members(GAME, ("ours",))) == []
        line.say(*(lobby.SitDown(GAME, f"q{s}" if s else "ours", s, s > 0) for s in range(4)))
    assert [ended.how for ended in line.agent.ended] == ["reset", "reset"]
    assert GAME in line.agent.players


def test_a_client_agrees_to_a_reset() -> None:
    line = client(opens=True, seat=0)
    line.begin()
    line.say(lobby.Joined(GAME), lobby.Members(GAME, ("ours",)))
    assert line.say(lobby.VoteRequest(GAME, 2)) == [lobby.Vote(GAME, 0, 1)]
    assert line.say(lobby.VoteRequest(GAME, 0)) == []


def test_the_turn_of_a_vacated_seat_that_acts_is_its_own() -> None:
    told = Told().turn_of(1)
    told.say(gone(2))
    told.begin_turn(3)
    told.roll()
    told.begin_turn(2)
    assert told.view.turn_seat == 2 and last(told) != Event(2, Action.time_out())
