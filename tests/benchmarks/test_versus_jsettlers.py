"""The benchmark's statistics of games on a JSettlers server."""

import json
from dataclasses import asdict, replace
from math import inf
from pathlib import Path

import pytest

from benchmarks.versus_jsettlers.__main__ import main
from benchmarks.versus_jsettlers.contest import Contest, Server
from benchmarks.versus_jsettlers.games import Games
from benchmarks.versus_jsettlers.report import rate, text
from benchmarks.versus_jsettlers.result import Result, load_results, result_of
from benchmarks.versus_jsettlers.silent import Silent
from catan_env.arena import jsettlers
from catan_env.core.actions import OFFER_START
from catan_env.protocols.jsettlers import lobby
from tests.net.test_connect import bound
from tests.protocols.jsettlers.scripted import Told, first_legal, unhurried
from tests.protocols.jsettlers.test_games import played
from tests.protocols.jsettlers.test_sockets import hang_up, play_out, refuse, serve

lazy = unhurried(first_legal)
GAME = Result("g", 1, 0, 1, "over", 80, 30, 100, 0.5, 0.1, 0, 3, 1, [], {})


def test_a_game_that_was_played_is_counted() -> None:
    server = played(5)
    result = result_of(server.line.agent.ended[0])
    assert result is not None and result.how == "over"
    assert result.won == (server.game.winner == server.seat)
    assert (result.first_seat, result.winner) == (server.game.first_seat, server.game.winner)
    assert result.decisions > 0 and not result.refusals and not result.differences


def test_a_game_that_never_started_has_no_result() -> None:
    told = Told().sit_down()
    told.line.agent.closed(0.0)
    assert result_of(told.line.agent.ended[0]) is None


def test_a_game_lost_by_the_connection_is_a_lost_game() -> None:
    told = Told().place()
    told.line.agent.closed(0.0)
    result = result_of(told.line.agent.ended[0])
    assert result is not None and not result.won
    assert "closed: the connection was closed 1" in text("best", [result, GAME])
    assert rate([result, GAME]).startswith("1 of 2: 50.0 %")


@pytest.mark.parametrize(
    "lost", [lobby.StandUp("t"), lobby.ResetTable("t", ()), lobby.DeleteGame("t")]
)
def test_a_game_without_a_loser_is_not_counted(lost: object) -> None:
    told = Told().place()
    told.say(lost)
    assert result_of(told.line.agent.ended[0]) is None


def test_an_agent_reconnects_until_enough_games_are_played(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    port, thread = serve([hang_up, play_out])
    games = Games(file, 1)
    Contest(Server("127.0.0.1", port, "key"), ["ours"], lazy, games).play()
    thread.join(30)
    assert [result.how for result in games.results] == ["over"] and load_results(file)


def test_a_refusal_of_a_name_that_was_admitted_before_is_waited_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server may still hold the connection that broke, and with it the name."""
    monkeypatch.setattr(jsettlers, "WAITS", (1,))
    port, thread = serve([hang_up, refuse, refuse, play_out])
    games = Games(tmp_path / "games.jsonl", 1)
    Contest(Server("127.0.0.1", port, "key"), ["ours"], lazy, games).play()
    thread.join(30)
    assert [result.how for result in games.results] == ["over"]
    assert capsys.readouterr().err.count("no such cookie; again in 1 s\n") == 2


def test_an_agent_that_waits_holds_up_no_game_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsettlers, "WAITS", (3600,))
    port, thread = serve([hang_up, hang_up, refuse, play_out])
    games = Games(tmp_path / "games.jsonl", 1)
    Contest(Server("127.0.0.1", port, "key"), ["ours", "ours"], lazy, games).play()
    thread.join(30)
    assert [result.how for result in games.results] == ["over"]


def ended(port: int, *options: str, monkeypatch: pytest.MonkeyPatch) -> object:
    """The status of a command that plays one game at the server with that port."""
    line = ["versus", "--policy", "random", "--games", "2", *options, "--cookie", "key"]
    monkeypatch.setattr("sys.argv", [*line, "127.0.0.1", str(port)])
    monkeypatch.setattr("benchmarks.versus_jsettlers.contest.WAITS", ())
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code


@pytest.mark.parametrize("is_there", [False, True])
def test_a_run_without_games_is_one_line_on_standard_error(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with bound() as closed:
        port = serve([refuse])[0] if is_there else closed.getsockname()[1]
        assert ended(port, "--json", str(tmp_path / "g"), monkeypatch=monkeypatch) == 2
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1
    assert ("no such cookie" if is_there else f"no server at 127.0.0.1 {port}: ") in err


def test_a_run_that_fails_reports_the_games_of_earlier_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(asdict(GAME)) + "\n")
    with bound() as closed:
        port = closed.getsockname()[1]
        assert ended(port, "--json", str(file), monkeypatch=monkeypatch) == 2
    out, err = capsys.readouterr()
    assert "won 1 of 1" in out and "no server" in err


@pytest.mark.parametrize("option", ["--seconds", "--playouts"])
def test_only_a_search_takes_a_limit(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(1, option, "3", monkeypatch=monkeypatch) == 2
    line = f"versus_jsettlers: {option}: 'random' does not search\n"
    assert capsys.readouterr().err == line


def test_text_that_no_message_can_contain_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["versus", "--cookie", "x,y", "127.0.0.1", "1"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_run_resumes_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "games.jsonl"
    assert load_results(path) == []
    lines = [json.dumps(asdict(replace(GAME, game=name))) for name in "ab"]
    path.write_text("\n".join(lines) + "\n")
    assert [result.game for result in load_results(path)] == ["a", "b"]


@pytest.mark.parametrize(("minutes", "is_enough"), [(inf, False), (60.0, False), (0.0, True)])
def test_no_game_begins_after_the_time(minutes: float, is_enough: bool, tmp_path: Path) -> None:
    assert Games(tmp_path / "games.jsonl", 5, minutes).is_enough is is_enough


def test_a_result_has_the_turns_that_the_server_ended_and_where_the_view_differed() -> None:
    """In turn 1 the server announces cards that the view did not have, and ends the turn."""
    told = Told().own_turn(wool=2)
    told.begin_turn(1)
    told.line.agent.closed(0.0)
    result = result_of(told.line.agent.ended[0])
    assert result is not None
    assert (result.forced, result.exact_until, result.turns) == (1, 1, 2)
    assert "turns that the server ended: 1 in 1 games" in text("best", [result])


def test_the_place_in_the_order_is_counted_from_the_first_player() -> None:
    """Seats 3 and 0 place before seat 1."""
    assert "3. to place: 1 of 1" in text("best", [replace(GAME, first_seat=3)])
    assert "2. to place: 1 of 1" in text("best", [GAME])
    assert "corrected by the server: none" in text("best", [])


@pytest.mark.parametrize(("turns", "median"), [([0], 0), ([None], 80), ([None, 0, 30], 30)])
def test_only_a_view_that_never_differed_is_exact_until_the_last_turn(
    turns: list[int | None], median: int
) -> None:
    summary = text("best", [replace(GAME, exact_until=turn) for turn in turns])
    assert f"exact until turn {median} in the median" in summary


def test_a_silent_policy_sees_no_offers() -> None:
    shown = []
    told = Told().own_turn(wool=2)
    silent = Silent(lambda view, within: shown.append(view) or first_legal(view))  # type: ignore[func-returns-value]
    told.policy = lambda view: silent(view, 1.0)
    told.roll()
    assert shown and not any(view.action_mask[OFFER_START:].any() for view in shown)
