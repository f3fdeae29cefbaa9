"""Registered rows in our own engine: kept games replay, and a twin finds a leak."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.strength import records
from benchmarks.strength.own import replay_all
from benchmarks.strength.own_game import LeakError, play
from benchmarks.strength.report import report
from benchmarks.strength.rows import OURS, OWN_ROWS, Row
from benchmarks.strength.run import play_on
from catan_env import Game, SeatView
from catan_env.extras import BadInput

ROWS = [
    Row("test", "greedy", (OURS, "random", "builder"), 90, 6, OURS, 0.5, playouts=None, rules=rules)
    for rules in ("base", "no trade")
] + [Row("test", "greedy", (OURS, "builder"), 90, 4, OURS, 0.5, playouts=None, rules="duel")]
WATCHED, UNWATCHED = (90, 1), (91, 0)


@pytest.fixture(scope="module", params=ROWS, ids=lambda row: str(row.rules))
def played(request: pytest.FixtureRequest) -> tuple[Row, list[dict[str, Any]]]:
    kept = [play(request.param, task) for task in (WATCHED, UNWATCHED)]
    return request.param, json.loads(json.dumps(kept))


def test_kept_games_replay_to_winner_turn_points_and_hands(
    played: tuple[Row, list[dict[str, Any]]],
) -> None:
    row, games = played
    assert replay_all(row, games) == "test: 2 of 2 games replayed"
    other = {**games[0], "winner": None, "turns": 1, "points": [], "log": games[0]["log"][:-1]}
    lines = replay_all(row, [other, games[1]]).splitlines()
    assert lines[0].startswith("seed 90, place 1: winner and turn (None, ")
    assert lines[1].startswith("seed 90, place 1: points")
    assert lines[-1] == "test: 1 of 2 games replayed"


def test_the_events_that_a_seat_sees_make_the_same_decisions(
    played: tuple[Row, list[dict[str, Any]]],
) -> None:
    row, (watched, unwatched) = played
    assert watched["twin"] == watched["decisions"] > 20
    assert unwatched["twin"] == 0
    assert "the same from the seat's own events" in report(row, [watched, unwatched])


def test_a_view_that_shows_all_hands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    view_of = Game.view

    def leaking(self: Game, seat: int) -> SeatView:
        view = view_of(self, seat)
        view._array["known"] = self._array["hand"]
        return view

    monkeypatch.setattr(Game, "view", leaking)
    with pytest.raises(LeakError, match="the views of the player and its twin differ"):
        play(ROWS[0], WATCHED)


def test_a_policy_that_remembers_more_than_its_view_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    views: list[SeatView] = []

    class Restless:
        """Decides otherwise each second time that it is asked, by any of its kind."""

        def __init__(self, seed: int = 0) -> None: ...

        def act(self, view: SeatView) -> int:
            """The first or the last legal action."""
            views.append(view)
            return int(view.legal_actions.indices[-(len(views) % 2)])

    monkeypatch.setattr("benchmarks.strength.player.load_policy", lambda name, seed: Restless())
    with pytest.raises(LeakError, match="its twin"):
        play(ROWS[0], WATCHED)


def test_another_rival_does_not_continue_a_file(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl.gz"
    play_on(ROWS[2], path, play, 0, 1)
    header = records.read(path)[0]
    assert set(header) >= {"fingerprint", "fingerprint of builder"}
    path.unlink()
    records.append(path, header | {"fingerprint of builder": "00000000"})
    with pytest.raises(BadInput, match="the fingerprint of builder 00000000, this one has"):
        play_on(ROWS[2], path, play, 0, 1)


def test_the_registered_rows_are_played_in_our_engine() -> None:
    assert {row.rules for row in OWN_ROWS.values()} == {"base", "no trade", "duel"}
