"""Tables that people open on the start page, their invitations, rematches and lists of games."""

import stat
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import Select

from catan_env.game.board import Board
from catan_env.game.board_code import EXAMPLE, to_code
from catan_env.net.room import Close
from catan_env.policy import decide, load_policy
from catan_env.web.advisers import Advisers
from catan_env.web.hall import LONGEST_NAME, MOST_GATHERING, MOST_SEED, TableHall
from catan_env.web.journal import stored_tables
from catan_env.web.messages import (
    Act,
    Advice,
    Ask,
    Choices,
    Enter,
    Join,
    Lobby,
    Open,
    Over,
    Preparing,
    Refused,
    Rematch,
    Resume,
    Seated,
    Show,
    Sit,
    Welcome,
)
from catan_env.web.page import start_page, table_page
from catan_env.web.people import People
from catan_env.web.room import MOST_TABLES, TableRoom
from catan_env.web.seating import Seating
from catan_env.web.shelf import MOST_KEPT, Shelf, Storage
from catan_env.web.table import LiveTable
from catan_env.web.waiting import MOST_FAILURES
from tests.render.browser import leave_pages
from tests.web.browser import served_room
from tests.web.tables import Tables, later, live_table
from tests.web.test_page import severe, wait


class House(Tables):
    """A room that opens tables, in memory; people play as the greedy policy would."""

    def __init__(self, folder: Path, most: int = MOST_TABLES, keep: int = MOST_KEPT) -> None:
        super().__init__(live_table(1))
        self.people = People(folder / "people.db")
        self.pages: dict[str, Any] = {"/": table_page(), "/start": start_page()}
        storage = Storage(folder, "127.0.0.1", 8000, 0.0)
        shelf = Shelf(
            self.pages, storage,
            lambda table, path: self.people.end(path, table.game.winner, table.game.turn),
            most=keep,
        )  # fmt: skip
        self.room = TableRoom(reopen=shelf.reopen, most=most)
        self.room.hall = TableHall(self.room, shelf, self.people, folder, Advisers())
        self._next = 100

    def ask(self, message: Any) -> Any:
        """The answer to a start page's message."""
        self._next += 1
        self.open(self._next)
        self.say(self._next, message)
        while self.room.jobs.soon:
            self.wait()
        return self.heard[self._next][-1]

    def sit(self, line: int, secret: str) -> None:
        self.open(line, secret)
        while self.room.jobs.soon:
            self.wait()

    def play_table(self, *lines: int) -> None:
        """Play the table of these lines to its end."""
        guide = load_policy("greedy")
        table: Any = self.room._at[lines[0]].table
        for _ in range(20_000):
            if table.game.is_over:
                break
            if table.waits_for_policy:
                self.wait()
            else:
                seat = table.game.seat
                line = next(one for one in lines if self.room._at[one].lines[one] == seat)
                index = decide(guide, table.game.view(seat))
                self.say(line, Act(index, table.step))


def new_table(*seats: str, key: str = "", name: str = "Ann", **more: Any) -> Open:
    rules = "duel" if len(seats) == 2 else "base"  # a duel is over soon
    return Open(**{
        "key": key, "name": name, "seats": list(seats), "rules": rules, "board": "spiral",
        "pace": 0.0, **more,
    })  # fmt: skip


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
    with pytest.raises(ValueError, match=r"damaged\.db: file is not a database; without"):
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


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (new_table(""), "2, 3 and 4"),
        (new_table("", *["random"] * 4), "2, 3 and 4"),
        (new_table("", "random", "random", rules="duel"), "2 seats"),
        (new_table("", *["random"] * 3, rules="small"), "2 or 3 seats"),
        (new_table("", "random", rules="small", board=EXAMPLE), "the rules 'small'"),
        (new_table("random", "random"), "yours"),
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


def test_two_people_meet_at_a_table_by_a_link(chromium: webdriver.Chrome, tmp_path: Path) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        chromium.find_element("id", "name").send_keys("Ann")
        for rules, others in (("duel", 1), ("small", 2), ("base", 3)):
            Select(chromium.find_element("id", "rules")).select_by_value(rules)
            seats = chromium.find_elements("css selector", "#seats select")
            assert sum(seat.is_displayed() for seat in seats) == others
        for seat, choice in ((1, "random"), (2, ""), (3, "none")):
            Select(chromium.find_element("id", f"seat-{seat}")).select_by_value(choice)
        Select(chromium.find_element("id", "layout")).select_by_value("code")
        chromium.find_element("id", "code").send_keys(EXAMPLE)
        assert "legal move" in chromium.find_element("id", "seat-1-about").text
        chromium.find_element("css selector", "#new button").click()
        wait(chromium, "document.querySelector('#waiting code')")
        assert "1 more person" in chromium.find_element("id", "waiting").text
        link = chromium.find_element("css selector", "#waiting code").text
        ann = chromium.current_window_handle
        chromium.execute_script("localStorage.clear()")  # as in another person's browser
        chromium.switch_to.new_window("tab")
        chromium.get(link)
        wait(chromium, "!document.getElementById('invited').hidden")
        assert "Ann" in chromium.find_element("id", "who").text
        name = chromium.find_element("id", "join-name")
        name.clear()
        name.send_keys("Ben")
        chromium.find_element("css selector", "#join button").click()
        wait(chromium, "window.replay && replay.data.viewer === 2")
        chromium.switch_to.window(ann)
        wait(chromium, "window.replay && document.querySelectorAll('.choice').length === 54")
        assert chromium.execute_script("return replay.data.players") == ["Ann", "random", "Ben"]
        assert EXAMPLE in chromium.find_element("id", "board-code").text
        assert severe(chromium) == []
        leave_pages(chromium)


def open_table(chromium: webdriver.Chrome, address: str, seed: str) -> None:
    """Ask for a duel with that seed on the start page."""
    chromium.get(f"{address}start")
    wait(chromium, "document.querySelectorAll('#seats select').length === 3")
    chromium.find_element("id", "name").send_keys("Ann")
    Select(chromium.find_element("id", "rules")).select_by_value("duel")
    chromium.find_element("id", "seed").send_keys(seed)
    chromium.find_element("css selector", "#new button").click()


@pytest.mark.parametrize("seed", [0, 7, (1 << 53) + 1, MOST_SEED])
def test_the_start_page_sends_every_digit_of_a_seed(
    chromium: webdriver.Chrome, tmp_path: Path, seed: int
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        open_table(chromium, address, str(seed))
        wait(chromium, "window.replay")
        (seating,) = house.room._seatings
        assert seating.table.game.seed == seed
        leave_pages(chromium)


@pytest.mark.parametrize("seed", ["1e30", "-1", "2.5", "9" * 20])
def test_the_start_page_names_the_limit_of_a_seed(
    chromium: webdriver.Chrome, tmp_path: Path, seed: str
) -> None:
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        open_table(chromium, address, seed)
        field = chromium.find_element("id", "seed")
        assert not chromium.execute_script("return arguments[0].checkValidity()", field)
        assert str(MOST_SEED) in (field.get_attribute("title") or "")
        assert not house.room._seatings
        Select(chromium.find_element("id", "rules")).select_by_value("base")
        field.clear()
        field.send_keys("9" * 19)
        chromium.find_element("css selector", "#new button").click()
        wait(chromium, "document.querySelectorAll('.problem')[1].textContent !== ''")
        said = chromium.find_elements("css selector", ".problem")[1].text
        assert said == f"a seed is a whole number from 0 to {MOST_SEED}"


def test_the_choices_of_the_start_page_are_the_usual_ones_after_the_way_back(
    chromium: webdriver.Chrome, tmp_path: Path
) -> None:
    """Browsers restore controls by their order, and those of the seats are not there at first."""
    house = House(tmp_path)
    with served_room(house.room, house.pages) as address:
        chromium.get(f"{address}start")
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        Select(chromium.find_element("id", "pace")).select_by_value("1.5")
        chromium.execute_script("addEventListener('unload', () => {})")  # no page is kept whole
        chromium.get(f"{address}?#elsewhere")
        chromium.back()
        wait(chromium, "document.querySelectorAll('#seats select').length === 3")
        choices = ("seat-1", "pace", "timeout", "rules", "layout")
        values = [chromium.find_element("id", name).get_attribute("value") for name in choices]
        assert values == ["greedy", "0.6", "", "base", "spiral"]
        leave_pages(chromium)
