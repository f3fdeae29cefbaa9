"""Two runs of one league play different meetings; meetings claimed by a lost run are replayed."""

import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.arena.league.places import league

pytest.importorskip("sqlalchemy")
from catan_env.arena.league.claims import LAPSE, Claims, is_live
from catan_env.arena.league.league import League
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import Meeting
from catan_env.arena.league.result import Result
from catan_env.arena.league.schema import CLAIMS

HERE = platform.node()[:64]


@pytest.fixture(params=["file", pytest.param("cluster", marks=pytest.mark.nightly)])
def place(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    url = request.getfixturevalue("cluster").url if request.param == "cluster" else None
    return league(tmp_path, "builder", "random", "lazy=random", at=url)


@pytest.fixture(autouse=True)
def no_endless_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that never gets its claim fails the test instead of trying forever."""
    claim, attempts = Claims._claim, iter(range(200))

    def counted(claims: Claims, key: str, numbers: list[int]) -> None:
        assert next(attempts, None) is not None, "too many attempts"
        claim(claims, key, numbers)

    monkeypatch.setattr(Claims, "_claim", counted)


def claimed(place: str, run: str, number: int, seen: float) -> None:
    """Let a run claim a meeting."""
    row = {"line_up": "1 2", "meeting": number, "run": run, "seen": seen}
    Ledger(place).change(CLAIMS.insert().values(row))


def rows(place: str) -> list[Any]:
    return list(Ledger(place).rows(CLAIMS.select()))


def test_two_parallel_runs_play_no_meeting_twice(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Result] = []
    keep = Ledger.keep

    def keep_and_count(ledger: Ledger, results: Sequence[Result]) -> list[Result]:
        played.extend(results)
        return keep(ledger, results)

    monkeypatch.setattr(Ledger, "keep", keep_and_count)
    runs = [League(Ledger(place)).run(24) for _ in range(2)]
    kept = list(chain.from_iterable(zip(*runs, strict=True)))
    for run in runs:
        run.close()
    meetings = [(result.meeting.key, result.meeting.number) for result in played]
    assert len(set(meetings)) == len(meetings) >= len(kept) == 48
    assert rows(place) == []


def test_a_claim_is_live_while_its_run_renews_it_and_its_process_exists() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    now = time.time()
    assert is_live(f"{HERE} {os.getpid()} a", now)
    assert not is_live(f"{HERE} {gone.pid} a", now)
    assert is_live(f"elsewhere {gone.pid} a", now)
    assert not is_live(f"elsewhere {gone.pid} a", now - LAPSE - 1)


def test_meetings_of_another_run_are_left_to_it_but_not_those_of_a_lost_run(place: str) -> None:
    claimed(place, "elsewhere 7 a", 0, time.time())
    claimed(place, "elsewhere 7 b", 1, time.time() - LAPSE - 1)
    claimed(place, "elsewhere 7 c", 3, time.time())
    assert Claims(Ledger(place)).take("1 2", [0, 1], 2, 3) == [1, 2, 4]
    assert sorted(row.meeting for row in rows(place)) == [0, 1, 2, 3, 4]


def test_the_row_of_a_lost_run_is_replaced_and_the_others_are_left(place: str) -> None:
    lapsed = time.time() - LAPSE - 1
    claimed(place, "elsewhere 7 a", 0, lapsed)
    claimed(place, "elsewhere 7 b", 5, lapsed)
    row = {"line_up": "1 3", "meeting": 0, "run": "elsewhere 7 a", "seen": lapsed}
    Ledger(place).change(CLAIMS.insert().values(row))
    claims = Claims(Ledger(place))
    assert claims.take("1 2", [0], 1, 1) == [0]
    kept = {(row.line_up, row.meeting): row.run for row in rows(place)}
    assert kept.pop(("1 2", 0)) not in ("elsewhere 7 a", "elsewhere 7 b")
    assert kept == {("1 2", 5): "elsewhere 7 b", ("1 3", 0): "elsewhere 7 a"}
    claims.close()
    assert len(rows(place)) == 2, "it gives up only its own"


def test_claims_are_renewed_released_and_given_up(place: str, monkeypatch) -> None:
    claims, now = Claims(Ledger(place)), time.time()
    claims.take("1 2", [], 0, 2)
    monkeypatch.setattr("catan_env.arena.league.claims.time.time", lambda: now + 50)
    claims.renew()
    assert now + 50 not in {row.seen for row in rows(place)}, "it is not time yet"
    monkeypatch.setattr("catan_env.arena.league.claims.time.monotonic", lambda: 1e9)
    claims.renew()
    assert {row.seen for row in rows(place)} == {now + 50}
    claims.close()
    assert rows(place) == []


def test_only_released_meetings_may_be_claimed_again(place: str) -> None:
    claims = Claims(Ledger(place))
    claims.take("1 2", [], 0, 3)
    claims.take("1 3", [], 0, 3)
    claims.release([Meeting((1, 2), 1)])
    assert Claims(Ledger(place)).take("1 2", [0, 1, 2], 3, 1) == [1]
    assert Claims(Ledger(place)).take("1 3", [0, 1, 2], 3, 1) == [3]


def test_a_run_whose_choice_was_claimed_first_chooses_again(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim, quick = Claims._claim, Claims(Ledger(place))

    def claim_later(claims: Claims, key: str, numbers: list[int]) -> None:
        if not rows(place):
            claim(quick, key, numbers)
        claim(claims, key, numbers)

    monkeypatch.setattr(Claims, "_claim", claim_later)
    assert Claims(Ledger(place)).take("1 2", [], 0, 2) == [2, 3]
    assert sorted(row.meeting for row in rows(place)) == [0, 1, 2, 3]
