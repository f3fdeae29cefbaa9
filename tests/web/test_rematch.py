"""Rematches: the next table of the same players."""

from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from catan_env.game.board import Board
from catan_env.game.board_code import to_code
from catan_env.web.messages import Enter, Join, Refused, Rematch, Welcome
from tests.web.house import House, new_table


def test_a_rematch_seats_everyone_one_further(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    ben = house.ask(Join("", "Ben", house.heard[1][0].invitation))
    house.sit(2, ben.secret)
    house.say(1, Rematch(0))
    assert house.heard[1][-1] == Refused("no rematch is possible here")
    house.play_table(1, 2)
    assert house.heard[1][-1].again
    house.say(2, Rematch(0))
    again = house.heard[1][-1], house.heard[2][-1]
    house.say(1, Rematch(0))
    assert house.heard[1][-1] == again[0]
    house.sit(11, again[0].secret)
    house.sit(12, again[1].secret)
    assert house.heard[11][-1] is not None
    seats = [next(m for m in house.heard[k] if isinstance(m, Welcome)).seat for k in (11, 12)]
    assert seats == [1, 2]
    welcome = next(m for m in house.heard[11] if isinstance(m, Welcome))
    assert welcome.data["players"] == ["random", "Ann", "Ben"]
    assert len(house.ask(Enter(ann.key)).games) == 2


def test_a_rematch_that_could_not_be_laid_is_laid_when_it_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(tmp_path)
    house.sit(1, house.ask(new_table("", "random")).secret)
    house.play_table(1)

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    def rematch(line: int) -> Any:
        """The messages to a page that follows the link to the rematch."""
        house.say(1, Rematch(0))
        house.sit(line, house.heard[1][-1].secret)
        return house.heard[line]

    with monkeypatch.context() as disk:
        disk.setattr("catan_env.web.journal.os.fsync", full)
        for line in (2, 3):
            assert "No space left" in rematch(line)[-1].reason
    people = connect(tmp_path / "people.db", isolation_level=None)
    people.execute("PRAGMA locking_mode = EXCLUSIVE")
    people.execute("BEGIN EXCLUSIVE")
    house.people._file.execute("PRAGMA busy_timeout = 0")
    assert "database is locked" in rematch(4)[-1].reason
    people.close()
    assert any(isinstance(message, Welcome) for message in rematch(5))
    rematch(6)
    assert house.room._at[5] is house.room._at[6]


def test_a_table_is_laid_on_the_board_of_a_code_and_so_is_its_rematch(tmp_path: Path) -> None:
    house = House(tmp_path)
    code = to_code(Board.random_tokens(8))
    ann = house.ask(new_table("", "random", board=code))
    house.sit(1, ann.secret)
    house.play_table(1)
    house.say(1, Rematch(0))
    house.sit(2, house.heard[1][-1].secret)
    for line in (1, 2):
        welcome = next(m for m in house.heard[line] if isinstance(m, Welcome))
        assert welcome.data["code"] == code
