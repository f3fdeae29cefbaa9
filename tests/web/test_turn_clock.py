"""Turns with a time limit: what is chosen when it is over, and for which seat."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from catan_env.game.action import ActionKind
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.web.journal import stored_tables
from catan_env.web.messages import Act, Clock, Over, Refused, Undo, Welcome
from catan_env.web.room import TableRoom
from catan_env.web.turn_clock import TurnClock
from tests.web.house import House, new_table
from tests.web.positions import rich, table_of
from tests.web.tables import Tables, later
from tests.web.test_journal import shelf_at

ANN, BEN = 1, 2


def tables_with_clock(game: Game, seconds: float = 60.0, **more: Any) -> Tables:
    tables = Tables(table_of(game, **more))
    (seating,) = tables.room._seatings
    seating.clock = TurnClock(seconds)
    return tables


def clocks(tables: Tables, line: int) -> list[Clock]:
    return [message for message in tables.heard[line] if isinstance(message, Clock)]


def test_when_the_time_is_over_the_turn_is_rolled_for_and_ended() -> None:
    tables = tables_with_clock(rich(phase="roll"))
    tables.open(ANN, "ann")
    assert clocks(tables, ANN) == [Clock(0, 60.0)]
    tables.wait()
    assert tables.now == 60.0
    kinds = [event.action.kind for event in tables.table.game.events]
    assert kinds[0] is ActionKind.ROLL
    while tables.table.game.turn_seat == 0:
        tables.wait()
    assert tables.now == 60.0
    assert tables.table.game.events[-1].action.kind is ActionKind.END_TURN


def place(tables: Tables, line: int, choices: int) -> None:
    for _ in range(choices):
        choice = next(iter(tables.table.game.legal_actions))
        tables.say(line, Act(choice.index, tables.table.step))


def test_a_turn_that_was_ended_and_taken_back_has_no_more_time() -> None:
    """The last seat places twice, one turn after the other."""
    tables = tables_with_clock(Game(2, seed=1, rules="duel"), policies=())
    tables.open(ANN, "ann")
    tables.open(BEN, "ben")
    place(tables, ANN, 2)
    for _ in range(3):
        tables.now += 15
        place(tables, BEN, 2)
        for _ in range(2):
            tables.say(BEN, Undo(tables.table.step))
    assert not tables.table.game.settlements(1)
    assert clocks(tables, BEN)[-1] == Clock(1, 15.0)


def test_a_placement_that_was_taken_back_has_no_more_time() -> None:
    tables = tables_with_clock(Game(4, seed=1))
    tables.open(ANN, "ann")
    for _ in range(2):
        tables.now += 10
        place(tables, ANN, 1)
        tables.say(ANN, Undo(tables.table.step))
    assert not tables.table.game.settlements(0)
    assert clocks(tables, ANN)[-1] == Clock(0, 40.0)


def test_time_runs_only_for_people_who_have_sat_down() -> None:
    tables = tables_with_clock(rich(turn_seat=1, turn=2))
    tables.open(ANN, "ann")
    assert tables.room.deadline is None
    tables.open(BEN, "ben")
    assert tables.room.deadline == 60.0
    assert clocks(tables, BEN) == [Clock(1, 60.0)]


def test_in_the_set_up_the_stand_in_places_for_a_person() -> None:
    tables = tables_with_clock(Game(4, seed=1))
    tables.open(ANN, "ann")
    for _ in range(2):
        tables.wait()
    assert tables.now == 60.0
    assert len(tables.table.game.settlements(0)) == len(tables.table.game.roads(0)) == 1


def test_a_choice_in_time_is_the_persons_own() -> None:
    tables = tables_with_clock(rich())
    tables.open(ANN, "ann")
    choices = tables.choices(ANN)
    assert choices is not None
    tables.now = 20.0
    end = next(choice for choice in choices.actions if choice.kind == "END_TURN")
    tables.say(ANN, Act(end.index, choices.step))
    assert tables.table.game.turn_seat == 1
    assert tables.room.deadline is None  # Ben has not sat down


def test_a_game_that_is_won_while_a_choice_is_made_for_its_winner_ends() -> None:
    tables = tables_with_clock(rich(rules=replace(Rules.named("base"), points_to_win=3)))
    tables.open(ANN, "ann")
    late = later(tables)
    tables.wait()
    ((job, then),) = late
    choices = tables.choices(ANN)
    assert choices is not None
    city = next(each for each in choices.actions if each.kind == "CITY")
    tables.say(ANN, Act(city.index, choices.step))
    assert tables.table.game.is_over and len(late) == 1
    tables.take(then(job(), tables.now))
    store, kept = late[1]
    tables.take(kept(store(), tables.now))
    assert sum(isinstance(message, Over) for message in tables.heard[ANN]) == 1


def test_the_time_is_restored_with_its_table(tmp_path: Path) -> None:
    shelf_at(tmp_path).seating(table_of(rich()), {"ann": 0}, timeout=45.0)
    ((record, links, *_),) = stored_tables(tmp_path)
    seating = shelf_at(tmp_path).restored(record, links)
    assert seating.clock is not None and seating.clock.seconds == 45.0
    room = TableRoom([seating])
    room.opened(1, 0.0)
    assert room.deadline is not None


def test_a_start_page_chooses_the_time_and_a_rematch_has_it_again(tmp_path: Path) -> None:
    house = House(tmp_path)
    seated = house.ask(new_table("", "random", timeout=30.0))
    house.sit(1, seated.secret)
    assert isinstance(house.heard[1][0], Welcome)
    assert clocks(house, 1)[0].seconds == 30.0


@pytest.mark.parametrize("seconds", [0.0, 4.9, 1e9, float("nan")])
def test_a_time_that_is_too_short_or_too_long_is_refused(tmp_path: Path, seconds: float) -> None:
    refused = House(tmp_path).ask(new_table("", "random", timeout=seconds))
    assert isinstance(refused, Refused) and "seconds" in refused.reason


def test_every_visit_of_a_seat_in_the_set_up_has_the_full_time() -> None:
    clock = TurnClock(60.0)
    clock.follow(-8, 0, now=100.0)
    clock.follow(-7, 1, now=150.0)
    clock.follow(-1, 0, now=180.0)  # its second settlement
    assert clock.left(180.0) == 60.0
