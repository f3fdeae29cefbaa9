"""A server's places for tables: those that have ended make room, those on their way count."""

from pathlib import Path

from catan_env.net.room import Close
from catan_env.web.hall import LONG_AGO, MOST_GATHERING, TableHall
from catan_env.web.messages import Enter, Join, Preparing, Refused, Resume, Seated, Sit
from catan_env.web.room import TableRoom
from catan_env.web.seating import Expected, Seating
from catan_env.web.waiting import MOST_FAILURES, WaitingLines
from tests.web.house import House, new_table
from tests.web.tables import later, live_table


def test_no_table_is_given_up_for_another_one_that_waits_for_people(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    for _ in range(MOST_GATHERING - 1):
        assert isinstance(house.ask(new_table("", "", "random")), Seated)
    refused = house.ask(new_table("", "", "random"))
    assert refused == Refused("too many tables are waiting for people")
    assert isinstance(house.ask(new_table("", "random")), Seated)
    assert isinstance(house.heard[1][-1], Preparing) and 1 not in house.closed
    ben = house.ask(Join("", "Ben", house.heard[1][-1].invitation))
    assert isinstance(ben, Seated)
    assert isinstance(house.ask(new_table("", "", "random")), Seated)


def test_a_waiting_table_that_everyone_left_long_ago_makes_room(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann, ben, _ = (house.ask(new_table("", "", "random")) for _ in range(3))
    for _ in range(MOST_GATHERING - 3):
        house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    assert isinstance(house.room.hall, TableHall)
    for gathering in list(house.room.hall._gathering.values())[:2]:
        gathering.begun -= LONG_AGO
    assert isinstance(house.ask(new_table("", "", "random")), Seated)
    house.sit(2, ben.secret)
    assert house.heard[2] == [Refused("too many tables are waiting for people")]
    assert isinstance(house.heard[1][-1], Preparing) and 1 not in house.closed
    assert isinstance(house.ask(new_table("", "", "random")), Refused)


def test_a_person_whose_table_is_refused_is_not_stored(tmp_path: Path) -> None:
    house = House(tmp_path, most=1)
    house.ask(new_table("", "random"))
    for seats in (("", "random"), ("", "", "random")):
        assert isinstance(house.ask(new_table(*seats)), Refused)
    assert house.people._ask("SELECT COUNT(*) FROM people") == [(1,)]


def test_the_reasons_of_the_last_tables_alone_are_remembered() -> None:
    waiting = WaitingLines()
    for number in range(MOST_FAILURES + 5):
        expected = Expected([f"secret {number}"], ["the game"])
        waiting.expect(expected)
        waiting.give_up(expected, "the disk is full")
    reasons = [waiting.reason(f"secret {number}") for number in range(MOST_FAILURES + 5)]
    assert reasons.count("the disk is full") == MOST_FAILURES
    assert reasons[4] == "no seat has this secret"


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
    answers = [(job(), then) for job, then in waiting]  # each in a thread, which sees a place
    waiting.clear()
    for answer, then in answers:
        house.take(then(answer, house.now))
    while waiting or house.room.jobs.soon:
        if house.room.jobs.soon:
            house.wait()
        job, then = waiting.pop(0)
        house.take(then(job(), house.now))
    heard = [house.heard[line][-1] for line in (2, 3, 4, 5)]
    assert heard[2] == Refused("all tables of this server are in use")
    assert all(isinstance(message, Seated) for message in (*heard[:2], heard[3]))
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
    assert house.heard[3] == [Refused("no more tables can be opened here")]
    ((job, then),) = waiting
    house.take(then(ValueError("no such step"), house.now))
    house.open(4)
    house.say(4, Resume(game.path, 10, 0))
    job, then = waiting[1]
    house.take(then(job(), house.now))
    assert isinstance(house.heard[4][-1], Seated) and not house.room.make_place()
