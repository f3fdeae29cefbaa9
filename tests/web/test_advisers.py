"""A table's adviser: chosen when the table is opened, asked by one page of a seat at a time."""

from pathlib import Path

from catan_env.web.journal import stored_tables
from catan_env.web.messages import Act, Advice, Ask, Choices, Refused, Rematch
from catan_env.web.shelf import Shelf
from catan_env.web.table import LiveTable
from tests.web.house import House, new_table
from tests.web.tables import later


def test_the_adviser_of_a_table_is_chosen_when_it_is_opened(tmp_path: Path) -> None:
    house = House(tmp_path)
    for k, ask in enumerate(("", "greedy")):
        house.sit(k, house.ask(new_table("", "random", ask=ask)).secret)
        choices = next(m for m in house.heard[k] if isinstance(m, Choices))
        assert choices.may_ask is bool(ask)
    house.say(1, Ask(choices.step))
    (advice,) = [m for m in house.heard[1] if isinstance(m, Advice)]
    assert advice.policy == "greedy" and advice.moves
    house.play_table(1)
    house.say(1, Rematch(0))
    house.sit(2, house.heard[1][-1].secret)
    house.wait()
    again = next(m for m in house.heard[2] if isinstance(m, Choices))
    assert again.may_ask


def test_a_seat_has_one_open_request_for_advice(tmp_path: Path) -> None:
    house = House(tmp_path)
    waiting = later(house, "start_advice")
    for line in (1, 2):
        house.sit(line, house.ask(new_table("", "random", ask="greedy")).secret)
    choices = next(m for m in house.heard[1] if isinstance(m, Choices))
    house.open(3, next(iter(house.room._at[1].secrets)))  # a second tab
    for line in (1, 3, 1, 2):
        house.say(line, Ask(choices.step))
    assert len(waiting) == 2, "one for each table"
    refused = Refused("the last request for advice is not answered yet")
    assert [house.heard[line][-1] for line in (1, 3)] == [refused, refused]
    for job, then in waiting:
        house.take(then(job(), house.now))
    assert all(isinstance(house.heard[line][-1], Advice) for line in (1, 2))
    house.say(3, Ask(choices.step))
    house.say(2, Act(choices.actions[0].index, choices.step))  # it moves on meanwhile
    house.take(waiting[2][1](ValueError("no memory"), house.now))
    assert house.heard[3][-1] == Refused("no advice: no memory")
    house.say(1, Ask(choices.step))
    assert len(waiting) == 4


def test_a_restored_table_has_its_adviser(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.ask(new_table("", "random", ask="greedy"))
    ((record, links, *_),) = stored_tables(tmp_path)
    table = Shelf({}).restored(record, links).table
    assert isinstance(table, LiveTable) and table.adviser is not None
    assert table.adviser.name == "greedy"
