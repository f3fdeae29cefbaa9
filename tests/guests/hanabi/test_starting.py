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
