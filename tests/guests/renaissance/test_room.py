"""The messages of a game, leaving and returning, its end, and a server that resumes it."""

from typing import Any

import pytest

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance import room as rooms
from catan_env.guests.renaissance.game import EXCHANGE_AT
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import ABSENCE, GRACE
from tests.guests.renaissance.conversation import Conversation, playing
from tests.guests.renaissance.drawn import (
    first_legal,
    market,
    shelves,
    slots,
    strongbox,
    top,
)


def test_the_example_of_the_page() -> None:
    """A stone is placed, a coin discarded, a white marble gives nothing."""
    talk = playing()
    game, table = talk.table.game, talk.table
    market(game, "CVCF SS.H .H.V", "C")
    shelf = table.ids.shelves[0][1]
    shelves(game, 0, "", "S")
    answers = talk.say(talk.line_of(0), m.ReqTakeFromMarket(False, 1, {}, {shelf: {"Stone": 1}}))
    container = m.Container(id=shelf, content={"Stone": 2}, size=2, boundedResType="Stone")
    assert answers[0] == m.UpdateResourceContainer(container)
    assert answers[1] == m.UpdateFaithPoints(False, 2, table.names[1])
    assert isinstance(answers[2], m.UpdateMarket)
    assert answers[3] == m.UpdateAction(table.names[0], "TAKE_MARKET_RESOURCES")
    assert talk.heard[talk.line_of(1)] == answers


def test_a_purchase_is_announced_in_the_order_of_the_page() -> None:
    talk = playing()
    table, game = talk.table, talk.table.game
    strongbox(top(slots(game, 0, (1, 17, 33), (2, 18, 34)), 0), 0, "HHH")
    points = game.points(0)
    answers = talk.say(
        talk.line_of(0), m.ReqBuyDevCard("Green", 1, 2, {table.ids.strongbox[0]: {"Shield": 2}})
    )
    assert [type(one).__name__ for one in answers] == [
        "UpdateResourceContainer",
        "UpdateLastRound",
        "UpdateVictoryPoints",
        "UpdateDevSlot",
        "UpdateDevCardGrid",
        "UpdateAction",
    ]
    assert answers[2] == m.UpdateVictoryPoints(table.names[0], points + 1)
    assert answers[3] == m.UpdateDevSlot(table.names[0], devSlot=2, devCards=[0])


@pytest.mark.parametrize("seats", [2, 3])
def test_a_player_leaves_on_its_turn_and_returns(seats: int) -> None:
    talk = playing(seats)
    table = talk.table
    line, name = talk.line_of(0), table.names[0]
    talk.do(talk.room.closed(line, "broken", 0.0))
    expected = [
        m.UpdatePlayerStatus(False, player=name),
        m.UpdateSetupDone(),
        m.UpdateCurrentPlayer(player=table.names[1]),
    ]
    assert all(talk.heard[talk.line_of(seat)] == expected for seat in range(1, seats))
    talk.open(77)
    answers = talk.say(77, m.ReqJoin(name))
    assert answers[0] == m.UpdatePlayerStatus(True, player=name)
    assert isinstance(answers[1], m.UpdateGame) and answers[2] == m.UpdateSetupDone()
    assert talk.heard[talk.line_of(1)] == [
        m.UpdatePlayerStatus(True, player=name),
        m.UpdateSetupDone(),
    ]


def test_the_first_to_return_when_all_were_away_is_on_turn() -> None:
    """R114."""
    talk = playing(2)
    table = talk.table
    names = table.names[:]
    for seat in (1, 0):
        talk.do(talk.room.closed(talk.line_of(seat), "broken", 0.0))
    talk.open(50)
    answers = talk.say(50, m.ReqJoin(names[1]))
    game = next(one for one in answers if isinstance(one, m.UpdateGame))
    assert game.currentPlayer == names[1]
    assert {player.nickname: player.active for player in game.players} == {
        names[0]: False,
        names[1]: True,
    }


def deserted(talk: Conversation, name: str, line: int) -> None:
    """A solo game that its player leaves in the set-up."""
    talk.open(line)
    talk.say(line, m.ReqJoin(name))
    talk.say(line, m.ReqNewGame(1))
    talk.do(talk.room.closed(line, "broken", 0.0))


def resumes(talk: Conversation, name: str, line: int) -> bool:
    talk.open(line)
    return any(isinstance(one, m.UpdateGame) for one in talk.say(line, m.ReqJoin(name)))


def test_of_games_without_a_player_the_latest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MOST_DESERTED", 3)
    talk = playing(2)
    for line in (0, 1):
        talk.do(talk.room.closed(line, "broken", 0.0))
    for line, name in enumerate("pqrs", 10):
        deserted(talk, name, line)
    assert talk.records.count() == len(talk.room.tables) == 3, "one is past its set-up"
    assert resumes(talk, "r", 20) and resumes(talk, "a", 21)
    deserted(talk, "t", 14)
    assert talk.records.count() == 4, "two have a player again"
    assert not resumes(talk, "p", 22) and not resumes(talk, "q", 23)
    new = Conversation(talk.records)
    new.do(new.room.time(GRACE))
    assert talk.records.count() == 4 and resumes(new, "s", 30)
    monkeypatch.setattr(rooms, "MOST_DESERTED", 0)
    assert len(Conversation(talk.records).room.tables) == 3, "they were present"


def test_a_resumed_game_to_which_no_player_returns_is_kept_as_one_without_a_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rooms, "MOST_DESERTED", 0)
    talk = Conversation(playing(2).records)
    talk.do(talk.room.time(ABSENCE - 1))
    assert talk.records.count() == len(talk.room.tables) == 1, "they may still return"
    talk.do(talk.room.time(ABSENCE))
    assert not talk.records.count() and not talk.room.tables
    assert not resumes(talk, "a", 30)


def test_a_game_ends_and_leaves_nothing_behind() -> None:
    talk = playing(2)
    table, game = talk.table, talk.table.game
    game.state["last_round"] = 1
    for seat in (0, 1):
        line = talk.line_of(seat)
        talk.say(line, m.ReqTakeFromMarket(True, 2))
        answers = talk.say(line, m.ReqEndTurn())
    kinds = [type(one).__name__ for one in answers]
    assert kinds == ["UpdateVictoryPoints"] * 2 + ["UpdateGameEnd", "UpdateAction"]
    assert answers[2] == m.UpdateGameEnd(table.names[game.winner])
    assert not talk.room.tables
    assert talk.say(0, m.ReqEndTurn()) == [m.ErrAction("GAME_ENDED")]
    for line in (0, 1):
        assert talk.records.count(), "not every player has left"
        talk.say(line, m.ReqQuit())
        talk.say(line, m.ReqGoodbye())
    assert not talk.records.count()
    assert not talk.room._guests and not talk.room._seats_of
    talk.join(*table.names)
    assert talk.heard[1] == [m.UpdateBookedSeats(2, table.names[0])], "the names are free"


def test_a_command_does_not_copy_the_commands_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise each takes longer than the one before it."""
    talk = playing()
    for name in ("copy", "record"):
        monkeypatch.setattr(Game, name, None)
    line = talk.line_of(0)
    assert talk.say(line, m.ReqTakeFromMarket(True, 2))[-1].action == "TAKE_MARKET_RESOURCES"
    assert talk.say(line, m.ReqEndTurn())[-1].action == "END_TURN"
    talk.do(talk.room.closed(line, "broken", 0.0))
    talk.open(5)
    assert isinstance(talk.say(5, m.ReqJoin(talk.table.names[0]))[1], m.UpdateGame)


def test_a_new_server_resumes_the_games_of_a_killed_one() -> None:
    talk = playing(3)
    del talk
    records = Records()
    old = Conversation(records)
    old.join("a", "b", "c")
    old.say(0, m.ReqNewGame(3))
    table = old.table
    for seat in range(3):
        hand = table.game.state["dealt"][seat, :2].tolist()
        old.say(old.line_of(seat), m.ReqChooseLeaders(hand))
        owed = (0, 1, 1)[seat]
        if owed:
            shelf = table.ids.shelves[seat][0]
            old.say(old.line_of(seat), m.ReqChooseResources({shelf: {"Coin": 1}}))
    old.say(old.line_of(0), m.ReqTakeFromMarket(True, 0))
    new = Conversation(records)
    assert new.table.game == table.game and new.table.names == table.names
    new.open(10, 11)
    answers = new.say(10, m.ReqJoin(table.names[2]))
    game = next(one for one in answers if isinstance(one, m.UpdateGame))
    assert game.currentPlayer == table.names[0] and game.isMandatoryActionDone
    assert new.room.deadline == GRACE
    new.say(11, m.ReqJoin(table.names[0]))
    assert new.say(11, m.ReqEndTurn())[-1].action == "END_TURN"
    assert new.table.game.turn_seat == 1, "who was there still counts as there"
    new.do(new.room.time(GRACE))
    assert new.table.game.turn_seat == 2
    assert m.UpdatePlayerStatus(False, player=table.names[1]) in new.heard[10]


def test_a_game_stored_with_exchanges_that_change_nothing_is_resumed() -> None:
    """Earlier versions stored them."""
    records, game = Records(), Game(1, seed=7)
    while not game.is_playing:
        game.play(first_legal(game))
    marks = game.record()["marks"] + [EXCHANGE_AT] * 100
    records.add(records.begin(game, ["ann"]), 0, marks)
    talk = Conversation(records)
    talk.open(0)
    talk.say(0, m.ReqJoin("ann"))
    assert talk.say(0, m.ReqTakeFromMarket(True, 0))[-1].action == "TAKE_MARKET_RESOURCES"
    (kept,) = records.games()
    assert kept.game == talk.table.game and kept.game.record()["marks"][: len(marks)] == marks


def test_players_that_return_after_a_kill_at_the_end_receive_the_end() -> None:
    records = Records()
    old = ended(records)
    names = old.names
    new = Conversation(records)
    new.open(10)
    answers = new.say(10, m.ReqJoin(names[1]))
    game = next(one for one in answers if isinstance(one, m.UpdateGame))
    assert game.ended and game.winnerPlayer == names[old.game.winner]
    assert m.UpdateGameEnd(names[old.game.winner]) in answers
    new.do(new.room.time(GRACE))
    assert list(records.games()), "one player is still there"
    new.say(10, m.ReqQuit())
    assert not list(records.games()) and not new.room.tables and not new.room._seats_of


def test_a_saved_game_that_has_ended_is_deleted_if_no_player_returns() -> None:
    records = Records()
    ended(records)
    new = Conversation(records)
    assert new.room.deadline == GRACE
    new.do(new.room.time(GRACE))
    assert not list(records.games()) and not new.room.tables and not new.room._seats_of


def ended(records: Records) -> Any:
    """The table of a game of two that has just ended."""
    talk = Conversation(records)
    talk.join("a", "b")
    talk.say(0, m.ReqNewGame(2))
    table = talk.table
    while not table.game.is_over:
        table.game.play(first_legal(table.game))
    table._keep()
    return table
