"""Wrong arguments are errors before anything is printed."""

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
