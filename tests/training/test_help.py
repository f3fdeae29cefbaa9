"""Help explains every argument with its default, in every program of training."""

import argparse
import re
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")
pytest.importorskip("sb3_contrib")

from catan_env.training.value_function import explained
from tests.help import unexplained

ROOT = Path(__file__).resolve().parents[2]
MAIN = re.compile(r"^def main\(", re.MULTILINE)
PROGRAMS = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for file in (ROOT / "training").rglob("*.py")
    if MAIN.search(file.read_text(encoding="utf-8"))
)


class Asked(Exception):
    """Ends a program when its parser is about to read the command line."""


@pytest.fixture
def parser_of(monkeypatch):
    """The parser of a program, by its module."""

    def stop(parser, *_):
        raise Asked(parser)

    def found(program):
        monkeypatch.setattr(argparse.ArgumentParser, "parse_args", stop)
        with pytest.raises(Asked) as asked:
            import_module(f"catan_env.{program}").main([])
        monkeypatch.undo()
        return asked.value.args[0]

    return found


@pytest.mark.parametrize("program", PROGRAMS)
def test_help_explains_every_argument_with_its_default(program, parser_of):
    assert list(unexplained(parser_of(program))) == []


def test_seats_trade_unless_no_trade_is_given(parser_of):
    parsers = [parser_of(program) for program in PROGRAMS]
    trading = [parser for parser in parsers if "--no-trade" in parser._option_string_actions]
    assert len(trading) == 5
    for parser in trading:
        words = {"set_up": ["out"], "rerank": ["out"], "explained": ["a.npz"]}
        given = words.get(parser.prog.rpartition(".")[2], ["random", "random"])
        given += ["--out", "folder"] if parser.prog.endswith("datasets") else []
        assert parser.parse_args(given).trade is True
        assert parser.parse_args([*given, "--no-trade"]).trade is False


def test_the_old_option_of_explained_gives_a_notice(parser_of, capsys):
    parser = parser_of("training.value_function.explained")
    assert "--trade" not in parser.format_help()
    with pytest.raises(SystemExit):
        explained.main(["none.npz", "--games", "1", "--trade"])
    notice, fault = capsys.readouterr().err.splitlines()
    assert notice == f"{parser.prog}: --trade is the default now"
    assert "none.npz" in fault
