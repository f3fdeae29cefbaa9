"""Data that several processes store in a ledger at once: computed results, games in progress."""

from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest

from tests.arena.league.places import league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.live import Snapshot
from catan_env.arena.league.live_games import show, shown
from catan_env.arena.league.meeting import Meeting


@pytest.fixture(params=["file", "cluster"])
def ledgers(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[list[Ledger]]:
    """One league, opened twice."""
    url = request.getfixturevalue("cluster").url if request.param == "cluster" else None
    place = league(tmp_path, "builder", at=url)
    opened = [Ledger(place) for _ in range(2)]
    yield opened
    for ledger in opened:
        ledger.close()


def test_the_result_of_most_games_is_kept(ledgers: list[Ledger]) -> None:
    one, other = ledgers
    one.keep_derived("x", 5, "five")
    other.keep_derived("x", 4, "four")
    assert one.derived("x") == (5, "five")
    other.keep_derived("x", 5, "five again")
    one.keep_derived("y", 1, "one")
    assert one.derived("x") == (5, "five again") and other.derived("y") == (1, "one")


def test_two_processes_may_store_a_result_at_the_same_time(ledgers: list[Ledger]) -> None:
    names = [f"result {number}" for number in range(40)]
    errors: list[Exception] = []
    together = Barrier(2)

    def store(ledger: Ledger, upto: int) -> None:
        for name in names:
            together.wait()
            for number in (upto, upto + 2):
                try:
                    ledger.keep_derived(name, number, [number] * 50)
                except Exception as error:
                    errors.append(error)

    threads = [Thread(target=store, args=(ledger, k)) for k, ledger in enumerate(ledgers, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert all(ledgers[0].derived(name) == (4, [4] * 50) for name in names)


def test_two_runs_may_show_the_same_game_at_the_same_time(ledgers: list[Ledger]) -> None:
    errors: list[Exception] = []
    together = Barrier(2)

    def show_games(ledger: Ledger) -> None:
        for number in range(40):
            together.wait()
            try:
                show(ledger, Snapshot(Meeting((1, 2), number), ("a", "b"), b"moves"))
            except Exception as error:
                errors.append(error)

    threads = [Thread(target=show_games, args=(ledger,)) for ledger in ledgers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert [snapshot.meeting.number for snapshot in shown(ledgers[0])] == list(range(40))
