"""Options have one name in all commands; those of version 0.2.0 are accepted with a notice."""

import pytest

from catan_env.cli.command import parser_for

LEAGUE_RUN = ("league", "run", "mine")
LEAGUE_EXPORT = ("league", "export", "mine")
REQUIRED = {"agent": ("127.0.0.1", "8880", "--policy", "builder")}
OLD_NAMES = [
    (("match",), "--jobs", "3", "--workers"),
    (LEAGUE_RUN, "--tables", "3", "--workers"),
    (LEAGUE_EXPORT, "--records", "kept", "--record"),
    (("agent",), "--records", "kept", "--record"),
    (("hanabi", "play"), "--save", "game.json", "--record"),
    (("hanabi", "serve"), "--turn-timeout", "3", "--timeout"),
]


@pytest.mark.parametrize(("command", "old", "value", "new"), OLD_NAMES)
def test_an_old_name_still_works_and_a_notice_gives_the_new_one(command, old, value, new, capsys):
    words = [*command, *REQUIRED.get(command[0], ())]
    parser = parser_for(words)
    by_new_name = parser.parse_args([*words, new, value])
    assert capsys.readouterr().err == ""
    assert parser.parse_args([*words, old, value]) == by_new_name
    program = " ".join(("catan-env", *command[:2]))
    assert capsys.readouterr().err == f"{program}: {old} is called {new} now\n"
    assert parser.parse_args(words) != by_new_name


@pytest.mark.parametrize(("command", "old", "value", "new"), OLD_NAMES)
def test_help_shows_only_the_new_name(command, old, value, new, capsys):
    with pytest.raises(SystemExit):
        parser_for(command).parse_args([*command, "--help"])
    words = capsys.readouterr().out.split()
    assert new in {word.strip("[]") for word in words}
    assert not any(word.strip("[]") == old for word in words)


@pytest.mark.parametrize(("old", "value"), [("--jobs", "0"), ("--jobs", "many")])
def test_a_wrong_value_is_refused_by_an_old_name(old, value, capsys):
    with pytest.raises(SystemExit):
        parser_for(["match"]).parse_args(["match", old, value])
    assert f"catan-env match: argument {old}: {value!r}; allowed are " in capsys.readouterr().err
