"""Wrong arguments are errors before anything is printed."""

from pathlib import Path

import pytest

from catan_env.cli import main


@pytest.mark.parametrize(
    "arguments",
    [
        ["--policy", "learnt", "--players", "3"],
        ["--policy", "learnt", "--players", "3", "--games", "5"],
        ["--policy", "foo"],
        ["--policy", "nosuch.npz"],
        ["--policy", "math:Nosuch"],
    ],
)
def test_a_policy_for_another_table_is_refused_before_the_table_is_shown(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hanabi", "play", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1


@pytest.mark.parametrize(
    ("policy", "players", "message"),
    [
        ("learnt", "3", "was trained on observations of 658 bits"),
        ("network", "6", "no network for 6 players; allowed are 2..5"),
    ],
)
def test_an_agent_for_another_table_is_refused_before_it_joins(
    policy: str, players: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A player that fails once the game has begun would end it for the others."""
    nowhere = ["--start-when", players, "--wait", "0", "ws://127.0.0.1:9/"]
    assert main(["hanabi", "agent", "--policy", policy, *nowhere]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("many", [["--games", "2"], ["--games", "2", "--among", "iggi"]])
def test_a_record_of_many_games_is_refused(
    many: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.json"
    assert main(["hanabi", "play", "--policy", "iggi", *many, "--record", str(record)]) == 2
    out, error = capsys.readouterr()
    assert out == "" and "--record saves a single game" in error and not record.exists()


def test_a_file_that_cannot_be_written_is_an_error_before_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(tmp_path / "none" / "game.json")
    assert main(["hanabi", "play", "--policy", "iggi", "--record", nowhere]) == 2
    out, error = capsys.readouterr()
    assert out == "" and nowhere in error
