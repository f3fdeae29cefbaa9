"""Options have one name in all commands; those of version 0.2.0 are accepted with a notice."""

import pytest

from catan_env.cli.command import parser_for
from tests.cli.commands import leaves

LEAGUE_INIT = ("league", "init", "mine")
LEAGUE_RUN = ("league", "run", "mine")
LEAGUE_EXPORT = ("league", "export", "mine")
REQUIRED = {"agent": ("127.0.0.1", "8880", "--policy", "builder")}
OLD_NAMES = [
    (("match",), "--jobs", "3", "--workers"),
    (("match",), "--version", "0.3", "--protocol-version"),
    (("serve",), "--version", "0.3", "--protocol-version"),
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


def test_the_old_flag_for_the_literal_dialect_still_works(capsys):
    parser = parser_for(LEAGUE_INIT)
    by_new_name = parser.parse_args([*LEAGUE_INIT, "--dialect", "literal"])
    assert capsys.readouterr().err == ""
    assert parser.parse_args([*LEAGUE_INIT, "--literal"]) == by_new_name
    notice = "--literal is called --dialect literal now\n"
    assert capsys.readouterr().err == f"catan-env league init: {notice}"
    assert parser.parse_args(LEAGUE_INIT) != by_new_name


@pytest.mark.parametrize("option", ["--policy", "--name"])
def test_help_shows_the_value_of_an_option_as_a_name(option):
    found = [each for leaf in leaves() for each in leaf.arguments if option in each.option_strings]
    assert len(found) > 2
    assert {each.metavar or each.dest.upper() for each in found} == {"NAME"}


@pytest.mark.parametrize("name", ["league", "hanabi", "renaissance"])
def test_usage_calls_a_subcommand_a_command(name, capsys):
    with pytest.raises(SystemExit):
        parser_for([name]).parse_args([name, "--help"])
    usage, *_ = capsys.readouterr().out.splitlines()
    assert usage == f"usage: catan-env {name} [-h] command ..."


@pytest.mark.parametrize(("old", "value"), [("--jobs", "0"), ("--jobs", "many")])
def test_a_wrong_value_is_refused_by_an_old_name(old, value, capsys):
    with pytest.raises(SystemExit):
        parser_for(["match"]).parse_args(["match", old, value])
    assert f"catan-env match: argument {old}: {value!r}; allowed are " in capsys.readouterr().err


def test_a_choice_that_there_is_not_is_refused_by_an_old_name(capsys):
    with pytest.raises(SystemExit):
        parser_for(["serve"]).parse_args(["serve", "--version", "9"])
    assert "argument --version: invalid choice: '9' (choose from" in capsys.readouterr().err
