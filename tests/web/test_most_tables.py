"""A server's places for tables: those that have ended make room, those on their way count."""

from pathlib import Path

from catan_env.net.room import Close
from catan_env.web.hall import MOST_GATHERING
from catan_env.web.messages import Enter, Join, Refused, Resume, Seated, Sit
from catan_env.web.room import TableRoom
from catan_env.web.seating import Seating
from catan_env.web.waiting import MOST_FAILURES
from tests.web.house import House, new_table
from tests.web.tables import later, live_table


def test_the_table_that_waited_longest_is_given_up_for_new_ones(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    for _ in range(MOST_GATHERING):
        assert isinstance(house.ask(new_table("", "", "random")), Seated)
    refused = house.heard[1][-1]
    assert isinstance(refused, Refused) and "wait for people" in refused.reason
    house.sit(2, ann.secret)
    assert house.heard[2][-1] == refused
    expected = house.room.waiting._expected.values()
    assert len({id(one) for one in expected}) == MOST_GATHERING


def test_the_reasons_of_the_last_tables_alone_are_remembered(tmp_path: Path) -> None:
    house = House(tmp_path)
    for _ in range(MOST_GATHERING + MOST_FAILURES // 3 + 5):
        house.ask(new_table("", "", "random"))
    assert len(house.room.waiting._failures) == MOST_FAILURES


def test_tables_that_have_ended_make_room_for_others(tmp_path: Path) -> None:
    most = 4
    house = House(tmp_path, most)
    ended = house.ask(new_table("", "random"))
    house.sit(1, ended.secret)
    house.play_table(1)
    house.take(house.room.closed(1, "it closed its connection", house.now))
    opened = [house.ask(new_table("", "random")) for _ in range(most)]
    assert all(isinstance(answer, Seated) for answer in opened)
    refused = house.ask(new_table("", "random"))
    assert isinstance(refused, Refused) and "in use" in refused.reason
    house.open(2)
    house.say(2, Sit(ended.secret))
    assert isinstance(house.heard[2][-1], Refused)


def test_a_table_that_made_room_may_be_removed_again() -> None:
    seating = Seating(live_table(1), {"ann": 0})
    room = TableRoom([seating])
    room.opened(1, 0.0)
    room.received(1, Sit("ann"), 0.0)
    assert room.remove(seating) == [Close(1)]
    assert room.remove(seating) == []


def test_tables_that_wait_for_people_and_those_on_their_way_have_a_place(tmp_path: Path) -> None:
    house = House(tmp_path, most=3)
    ann = house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    waiting = later(house)
    new = [new_table("", "random") for _ in range(3)]
    for line, message in enumerate((*new, Join("", "Ben", house.heard[1][0].invitation)), 2):
        house.open(line)
        house.say(line, message)
    while waiting or house.room.jobs.soon:
        if house.room.jobs.soon:
            house.wait()
        job, then = waiting.pop(0)
        house.take(then(job(), house.now))
    answers = [house.heard[line][-1] for line in (2, 3, 4, 5)]
    assert answers[2] == Refused("all tables of this server are in use")
    assert all(isinstance(answer, Seated) for answer in (*answers[:2], answers[3]))
    assert len(house.room._seatings) == 3 and not house.room.make_place()


def test_a_table_that_is_being_laid_from_a_replay_has_a_place(tmp_path: Path) -> None:
    house = House(tmp_path, most=2)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    (game,) = house.ask(Enter(ann.key)).games
    waiting = later(house)
    for line in (2, 3):
        house.open(line)
        house.say(line, Resume(game.path, 10, 0))
    assert house.heard[3] == [Refused("no further table is laid here")]
    ((job, then),) = waiting
    house.take(then(ValueError("no such step"), house.now))
    house.open(4)
    house.say(4, Resume(game.path, 10, 0))
    job, then = waiting[1]
    house.take(then(job(), house.now))
    assert isinstance(house.heard[4][-1], Seated) and not house.room.make_place()
