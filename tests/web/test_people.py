"""The people whom a server remembers: their games, results and replays."""

import stat
from pathlib import Path
from sqlite3 import connect

import pytest

from catan_env.web.messages import Enter, Join, Over, Refused, Resume, Show
from catan_env.web.people import People
from tests.web.house import House, new_table
from tests.web.tables import later


def test_a_table_that_waits_for_people_is_listed_for_those_who_are_there(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "", "random"))
    house.sit(1, ann.secret)
    (game,) = house.ask(Enter(ann.key)).games
    assert game.names == ["Ann", "a free seat", "random"]
    assert game.won is None and game.secret == ann.secret
    assert house.ask(Enter("")).games == []
    house.ask(Join("", "Ben", house.heard[1][-1].invitation))
    (game,) = house.ask(Enter(ann.key)).games
    assert game.names == ["Ann", "Ben", "random"] and game.secret == ann.secret


def test_a_replay_that_two_pages_ask_for_at_once_is_kept_once(tmp_path: Path) -> None:
    house = House(tmp_path, keep=2)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    (game,) = house.ask(Enter(ann.key)).games
    del house.pages[f"{game.path}.html"]
    house.ask(Show(ann.key, game.path))
    for line in range(2, 5):
        house.sit(line, house.ask(new_table("", "random", key=ann.key)).secret)
        house.play_table(line)
    assert all(game.won is not None for game in house.ask(Enter(ann.key)).games)


def test_a_person_finds_their_games_their_results_and_replays(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.play_table(1)
    lobby = house.ask(Enter(ann.key))
    (game,) = lobby.games
    assert lobby.name == "Ann" and game.names == ["Ann", "random"] and game.won is not None
    assert [(r.policy, r.games, r.wins) for r in lobby.results] == [("random", 1, int(game.won))]
    del house.pages[f"{game.path}.html"]
    over = house.ask(Show(ann.key, game.path))
    assert isinstance(over, Over) and over.replay in house.pages
    for key in ("", "guessed"):
        refused = house.ask(Show(key, game.path))
        assert isinstance(refused, Refused) and "not in your list" in refused.reason
        assert house.ask(Enter(key)).games == []
    assert ann.key.encode() not in (tmp_path / "people.db").read_bytes()
    assert stat.S_IMODE((tmp_path / "people.db").stat().st_mode) == 0o600


def test_a_file_of_people_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path) -> None:
    damaged, locked = tmp_path / "damaged.db", tmp_path / "locked.db"
    damaged.write_bytes(bytes(range(256)) * 16)
    with pytest.raises(ValueError, match=r"damaged\.db: file is not a database; delete it"):
        People(damaged)
    people = People(locked)
    people._file.execute("PRAGMA locking_mode = EXCLUSIVE")
    people.enter("", "Ann")
    with pytest.raises(ValueError, match=r"locked\.db: database is locked$"):
        People(locked, patience=0.0)


def test_the_last_fifty_games_of_a_person_are_listed(tmp_path: Path) -> None:
    people = People(":memory:")
    key = people.enter("", "Ann")
    for game in range(51):
        record = tmp_path / str(game)
        people.begin(f"/{game}", record, "duel", ["Ann"], [None], [people.number(key)])
    assert [game.path for game in people.games(key)] == [f"/{game}" for game in range(50, 0, -1)]


def test_a_table_whose_people_cannot_be_noted_is_not_stored(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.people._file.execute("PRAGMA busy_timeout = 0")
    waiting = later(house)
    house.open(1)
    house.say(1, new_table("", "random"))
    job, then = waiting.pop()
    house.take(then(job(), house.now))
    other = connect(tmp_path / "people.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    house.wait()
    job, _ = waiting.pop()
    with pytest.raises(OSError, match="database is locked"):
        job()
    assert [file.name for file in tmp_path.iterdir() if not file.match("people.db*")] == []


def test_a_result_is_noted_when_the_file_of_people_is_no_longer_locked(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    house.sit(1, ann.secret)
    house.people._file.execute("PRAGMA busy_timeout = 0")
    other = connect(tmp_path / "people.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    house.play_table(1)
    refused = house.heard[1][-1]
    assert isinstance(refused, Refused) and refused.reason.endswith("people.db: database is locked")
    other.execute("ROLLBACK")
    house.wait()
    assert isinstance(house.heard[1][-1], Over)
    (game,) = house.ask(Enter(ann.key)).games
    assert game.won is not None


def test_a_game_in_progress_is_listed_with_the_way_back(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    (game,) = house.ask(Enter(ann.key)).games
    assert game.won is None and game.secret == ann.secret
    house.sit(1, game.secret)
    house.play_table(1)
    (game,) = house.ask(Enter(ann.key)).games
    assert game.won is not None and game.secret == ""


def test_a_game_in_progress_shows_neither_its_cards_nor_its_chance(tmp_path: Path) -> None:
    house = House(tmp_path)
    ann = house.ask(new_table("", "random"))
    (game,) = house.ask(Enter(ann.key)).games
    pages = set(house.pages)
    refused = house.ask(Show(ann.key, game.path))
    assert isinstance(refused, Refused) and "not over" in refused.reason
    assert isinstance(house.ask(Resume(game.path, 1, 0)), Refused)
    assert set(house.pages) == pages
