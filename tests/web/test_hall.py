"""Tables that people open on the start page, and those that they are invited to."""

from pathlib import Path
from typing import Any

import pytest

from catan_env.game.board_code import EXAMPLE
from catan_env.web.hall import LONGEST_NAME
from catan_env.web.journal import stored_tables
from catan_env.web.messages import (
    Choices,
    Enter,
    Join,
    Lobby,
    Preparing,
    Refused,
    Resume,
    Seated,
    Welcome,
)
from tests.web.house import House, new_table
from tests.web.tables import later


def test_a_table_with_policies_is_laid_when_it_is_opened(tmp_path: Path) -> None:
    house = House(tmp_path)
    seated = house.ask(new_table("random", "", "random"))
    assert isinstance(seated, Seated) and seated.key
    house.sit(1, seated.secret)
    welcome = house.heard[1][0]
    assert isinstance(welcome, Welcome) and welcome.seat == 1
    assert welcome.data["players"] == ["random 1", "Ann", "random 3"]


def test_a_table_waits_for_the_people_who_are_invited(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    (preparing,) = house.heard[1]
    assert isinstance(preparing, Preparing) and preparing.parts == ["1 more person"]
    lobby = house.ask(Enter("", preparing.invitation))
    assert isinstance(lobby, Lobby) and lobby.invited == ["Ann", "", "random"]
    ben = house.ask(Join("", "Ben", preparing.invitation))
    assert isinstance(ben, Seated) and ben.key != ann.key
    house.sit(2, ben.secret)
    assert house.heard[2][0].seat == 1
    assert any(isinstance(message, Choices) for message in house.heard[1])
    for late in (Join("", "Cleo", preparing.invitation), Enter("", preparing.invitation)):
        refused = house.ask(late)
        assert isinstance(refused, Refused) and "no free seat" in refused.reason


def test_a_person_who_joins_again_has_the_same_seat(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", ""))
    house.sit(1, ann.secret)
    invitation = house.heard[1][-1].invitation
    ben = house.ask(Join("", "Ben", invitation))
    assert house.ask(Join(ben.key, "Benno", invitation)) == ben
    assert house.ask(Join(ann.key, "Ann", invitation)) == ann
    assert house.heard[1][-1].parts == ["1 more person"]
    assert house.ask(Enter("", invitation)).invited == ["Ann", "Benno", ""]
    cleo = house.ask(Join("", "Cleo", invitation))
    assert cleo.secret not in (ann.secret, ben.secret)


def test_two_people_who_join_at_once_sit_at_one_table(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", ""))
    house.sit(1, ann.secret)
    invitation = house.heard[1][-1].invitation
    assert house.room.hall is not None
    answers = [house.room.hall.answer(Join("", name, invitation)) for name in ("Ben", "Cleo")]
    for answer in answers:
        assert answer.change is not None
        house.take(answer.change())
    for line, answer in enumerate(answers, 2):
        assert isinstance(answer.message, Seated)
        house.sit(line, answer.message.secret)
    welcomes = [m for k in (1, 2, 3) for m in house.heard[k] if isinstance(m, Welcome)]
    assert sorted(welcome.seat for welcome in welcomes) == [0, 1, 2]
    assert len(stored_tables(tmp_path)) == 1


def test_a_line_of_a_start_page_has_one_answer(tmp_path: Path) -> None:
    house = House(tmp_path)
    waiting = later(house)
    requests = [new_table("", "random"), Enter(""), Resume("/path", 1, 0)]
    for line, first in enumerate(requests, 1):
        house.open(line)
        for message in (first, *requests):
            house.say(line, message)
    assert len(waiting) == 3
    for job, then in waiting[:2]:
        house.take(then(job(), house.now))
    house.take(waiting[2][1](ValueError("no such game"), house.now))
    answers = [house.heard[line] for line in (1, 2, 3)]
    assert [[type(message) for message in one] for one in answers] == [[Seated], [Lobby], [Refused]]
    assert house.closed == [1, 2, 3]


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (new_table(""), "2, 3 and 4"),
        (new_table("", *["random"] * 4), "2, 3 and 4"),
        (new_table("", "random", "random", rules="duel"), "2 seats"),
        (new_table("", *["random"] * 3, rules="small"), "2 or 3 seats"),
        (new_table("", "random", rules="small", board=EXAMPLE), "the rules 'small'"),
        (new_table("random", "random"), "one seat must be left"),
        (new_table("", "os:system"), "no policy 'os:system'"),
        (new_table("", "../weights.npz"), "no policy"),
        (new_table("", "random", name="  "), "letters"),
        (new_table("", "random", name="x" * (LONGEST_NAME + 1)), "letters"),
        (new_table("", "random", name="\u202eAnn"), "letters"),
        (new_table("", "random", rules="chess"), "chess"),
        (new_table("", "random", board="flat"), "flat"),
        (new_table("", "random", ask="os:system"), "no policy 'os:system'"),
        (new_table("", "random", pace=1e9), "seconds"),
        (new_table("", "random", seed=-1), "seed"),
        (new_table("", "random", seed=1 << 62), "from 0 to 4611686018427387903"),
        (Join("", "Ben", "join=guessed"), "no free seat"),
    ],
)
def test_what_no_table_can_be_is_refused(message: Any, why: str, tmp_path: Path) -> None:
    refused = House(tmp_path).ask(message)
    assert isinstance(refused, Refused) and why in refused.reason
