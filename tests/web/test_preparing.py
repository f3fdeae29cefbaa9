"""Tables that are being prepared, and policies that are being loaded."""

from functools import partial
from pathlib import Path

import pytest

from catan_env.web.calls import Call, History, Look, Reply
from catan_env.web.late import LatePolicy
from catan_env.web.messages import Act, Preparing, Refused, Welcome
from catan_env.web.room import TableRoom
from catan_env.web.seating import Expected, Seating
from catan_env.web.shelf import Shelf, Storage
from tests.web.tables import SECRETS, Tables, later, live_table

ANN, BEN, WATCH = 1, 2, 3


def test_a_page_opens_before_its_table_and_receives_it_when_it_is_ready() -> None:
    tables = Tables(live_table(3))
    tables.room = TableRoom()
    tables.open(WATCH)
    waiting = later(tables)
    tables.room.prepare(
        Expected(list(SECRETS), ["the game"]), lambda: Seating(tables.table, SECRETS)
    )
    tables.open(ANN, "ann")
    assert tables.heard[ANN] == [Preparing(["the game"])]
    tables.say(ANN, Act(0, 0))
    assert isinstance(tables.heard[ANN][-1], Refused) and ANN not in tables.closed
    tables.wait()
    ((job, then),) = waiting
    tables.room.closed(WATCH, "it closed its connection", tables.now)
    tables.take(then(job(), tables.now))
    assert isinstance(tables.heard[ANN][-2], Welcome) and tables.choices(ANN) is not None
    tables.open(BEN, "ben")
    assert isinstance(tables.heard[BEN][0], Welcome)


def test_a_table_that_cannot_be_prepared_turns_its_lines_away_with_the_reason() -> None:
    tables = Tables(live_table(3))
    tables.room = TableRoom()
    waiting = later(tables)
    tables.room.prepare(Expected(["ann"], ["the game"]), lambda: None)
    tables.open(ANN, "ann")
    tables.wait()
    tables.take(waiting[0][1](ValueError("no such board"), tables.now))
    tables.open(BEN, "ann")
    for line in (ANN, BEN):
        assert tables.heard[line][-1] == Refused("no such board") and line in tables.closed


def test_the_host_reads_why_a_table_cannot_be_stored_and_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("catan_env.web.journal.os.fsync", full)
    tables = Tables(live_table(3))
    tables.room = TableRoom()
    shelf = Shelf({}, Storage(tmp_path, "127.0.0.1", 8000, 0.0))
    prepare = partial(shelf.seating, tables.table, dict(SECRETS))
    tables.room.prepare(Expected(list(SECRETS), ["the game"]), prepare)
    tables.open(ANN, "ann")
    tables.wait()
    assert tables.heard[ANN][-1] == Refused("No space left on device")
    reason = f"{tmp_path / 'game-3.sgn.json'}: No space left on device"
    assert capsys.readouterr() == ("", f"a table cannot begin: {reason}\n")


def test_a_script_may_wait_for_a_table_that_is_being_prepared() -> None:
    tables = Tables(live_table(3))
    tables.room = TableRoom()
    waiting = later(tables)
    expected = Expected(list(SECRETS), ["the game"])
    tables.room.prepare(expected, lambda: Seating(tables.table, SECRETS))
    calls = {20: Look(30), 21: Look(), 22: History(5), 23: Look(2), 24: Look(40)}
    for line, what in calls.items():
        tables.open(line)
        tables.say(line, Call("ben" if line == 24 else "ann", what))
    too_early = Reply(503, {"error": "the table is not ready yet"})
    assert [tables.heard[line] for line in calls] == [[], [too_early], [too_early], [], []]
    tables.wait()  # the job is begun
    tables.now = 3.0
    tables.take(tables.room.time(tables.now))
    assert tables.heard[23] == [too_early] and 23 in tables.closed
    ((job, then),) = waiting
    tables.take(then(job(), tables.now))
    (reply,) = tables.heard[20]
    assert reply.status == 200 and reply.body["your_turn"]
    assert tables.heard[24] == []  # it waits on, for Ben's turn, until its time has passed
    assert tables.room.deadline == 40.0
    tables.wait()
    assert tables.heard[24][0].status == 200 and not tables.heard[24][0].body["your_turn"]


def test_a_script_that_waits_for_a_table_learns_that_it_cannot_be_prepared() -> None:
    tables = Tables(live_table(3))
    tables.room = TableRoom()
    waiting = later(tables)
    tables.room.prepare(Expected(["ann"], ["the game"]), lambda: None)
    tables.open(20)
    tables.say(20, Call("ann", Look(30)))
    tables.wait()
    tables.take(waiting[0][1](ValueError("no such board"), tables.now))
    assert tables.heard[20] == [Reply(401, {"error": "no such board"})]


def test_a_policy_that_is_loading_holds_up_its_own_turns_only() -> None:
    table = live_table(3, policies=())
    table.policies = {1: LatePolicy("random", 1)}
    tables = Tables(table)
    seating = Shelf({}).seating(table, {"ann": 0, "watch": None})
    tables.room = TableRoom([seating])
    waiting = later(tables)
    tables.open(ANN, "ann")
    assert Preparing(["random"]) in tables.heard[ANN]
    tables.wait()
    ((job, then),) = waiting
    for _ in range(2):  # Ann places while the policy is being loaded
        tables.choose(ANN)
    assert tables.room.deadline is None and table.game.seat == 1
    tables.take(then(job(), tables.now))
    assert tables.heard[ANN][-1] == Preparing([])
    assert tables.room.deadline is not None
    tables.room.jobs.start = lambda job, then: then(job(), tables.now)
    tables.play_on({0: ANN})
    assert table.game.is_over


def test_a_policy_that_cannot_be_loaded_is_named_on_the_page() -> None:
    table = live_table(3, policies=())
    table.policies = {1: LatePolicy("nosuch:Policy")}
    tables = Tables(table)
    tables.room = TableRoom([Shelf({}).seating(table, {"ann": 0})])
    waiting = later(tables)
    tables.open(ANN, "ann")
    tables.wait()
    tables.take(waiting[0][1](ImportError("no module nosuch"), tables.now))
    refused = tables.heard[ANN][-1]
    assert isinstance(refused, Refused) and "nosuch:Policy cannot be loaded" in refused.reason
