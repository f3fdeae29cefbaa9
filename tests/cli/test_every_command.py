"""Every command and subcommand: an error in its line gives one line of text and status 2.

A new command is found by its parser; an argument that takes text needs its rows in BAD or FREE.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from catan_env import Game
from catan_env.cli import main
from catan_env.cli.command import COMMANDS
from catan_env.cli.parser import player_name
from catan_env.game.rules import PRESETS
from catan_env.guests.hanabi.game import Game as Hanabi
from catan_env.guests.hanabi.record import dumps
from catan_env.notation import write_game
from tests.cli.commands import Leaf, leaves

ROOT = Path(__file__).resolve().parents[2]
LEAVES = {leaf.name: leaf for leaf in leaves()}
POLICIES = ["nosuch", "nosuch:Policy", "nosuch.npz", "rubbish.npz", "cut.npz", "empty.npz"]
UNREADABLE = ["nosuch.json", ".", "rubbish.npz"]
UNWRITABLE = ["here.sgn.json/x"]
BAD = {
    "advice": POLICIES,
    "address": ["ftp://here/", "nonsense", "wss://127.0.0.1:1/", "ws://127.0.0.1:port/"],
    "against": POLICIES,
    "among": POLICIES,
    "agents": ["no-such-program", "'"],
    "ask": POLICIES,
    "board": ["nosuch"],
    "database": ["nosuch://x", "nonsense", "sqlite:////no/such/folder/x.db"],
    "file": UNREADABLE,
    "files": ["nosuch"],
    "folder": UNWRITABLE,
    "hanab_live": UNWRITABLE,
    "host": ["nosuch.invalid"],
    "html": UNWRITABLE,
    "json": ["nosuch/x"],
    "judge": POLICIES,
    "line": ["no-such-program", "'"],
    "log": UNWRITABLE,
    "log_dir": UNWRITABLE,
    "name": [" ", "Ada\n", "\udcff"],
    "order": ["1,two"],
    "out": UNWRITABLE,
    "page": UNWRITABLE,
    "place": ["nosuch", "nosuch://x"],
    "placement": POLICIES,
    "policies": POLICIES,
    "policy": POLICIES,
    "protocol_version": ["9"],
    "record": UNWRITABLE,
    "resume": ["nosuch"],
    "rules": ["nosuch"],
}
"""By the name of an argument that takes any text: values that cannot be valid."""
FREE = frozenset("author cookie names options ray table version".split())
"""Arguments for which any text may be valid."""
BESIDES = {
    ("league add", "files"): ["--command", "true"],
    ("league add", "line"): ["--name", "ann"],
    ("match", ""): ["--agent", "wait", "--agent", "wait"],
    ("match", "agents"): ["--agent", "wait"],
    ("replay", "judge"): ["--html", "page.html"],
    ("serve", ""): ["--agent", "wait", "--agent", "wait"],
    ("serve", "agents"): ["--agent", "wait"],
}
"""The rest of the line that is needed for that argument, or for any one, to be checked."""
INSTEAD = {
    ("check", "files"): [],  # it checks every file, and its status is 1
    ("import", "files"): [],  # likewise
    ("hanabi replay", "record"): UNREADABLE,
    ("league init", "place"): ["here.sgn.json/x", "nosuch://x"],
}
EVERYWHERE = [["--no-such-option"], ["--no-such-option=1"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A record of each game, a league over a protocol, and an invalid weights file."""
    here = tmp_path_factory.mktemp("here")
    game = Game(2, seed=1, rules="duel")
    while game.turn < 4:
        game.play(next(iter(game.legal_actions)))
    write_game(here, game, ["Ann", "Ben"], "here")
    (here / "here.json").write_text(dumps(Hanabi(2, seed=1)))
    (here / "rubbish.npz").write_bytes(b"rubbish")
    (here / "empty.npz").write_bytes(b"")
    weights = (ROOT / "policies" / "weights" / "duel.npz").read_bytes()
    (here / "cut.npz").write_bytes(weights[: len(weights) // 2])
    assert main(["league", "init", str(here / "league"), "--protocol", "binary"]) == 0
    return here


def outcomes(folder: Path, lines: list[list[str]], blocked: str = "") -> list[dict]:
    """The outcomes of the lines while nothing is compiled yet: compiling would print a line."""
    environment = {**os.environ, "BLOCKED": blocked, "CATAN_ENV_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("driver.py"))],
        cwd=folder,
        input=json.dumps(lines),
        capture_output=True,
        text=True,
        env={**environment, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def bad_lines(leaf: Leaf) -> list[list[str]]:
    """Lines that differ from a valid one in one argument."""
    lines = [[*leaf.line(), *option] for option in EVERYWHERE]
    for action in leaf.arguments:
        for value in bad_values(leaf, action):
            besides = BESIDES.get((leaf.name, action.dest), BESIDES.get((leaf.name, ""), []))
            lines.append([*leaf.line(action, value), *besides])
    return lines


def bad_values(leaf: Leaf, action: argparse.Action) -> list[str]:
    if action.nargs == 0:
        return []
    if action.choices is not None or action.type not in (None, Path, player_name):
        return ["nonsense"]
    if (leaf.name, action.dest) in INSTEAD:
        return INSTEAD[leaf.name, action.dest]
    return [] if action.dest in FREE else BAD[action.dest]


def is_one_line(done: dict) -> bool:
    return done["err"].count("\n") == 1 and done["err"].startswith("catan-env")


@pytest.fixture(scope="module")
def answers(folder: Path) -> dict[str, list[tuple[str, dict]]]:
    """By command: its bad lines and their outcomes."""
    lines = {name: bad_lines(leaf) for name, leaf in LEAVES.items()}
    found = iter(outcomes(folder, [line for of_one in lines.values() for line in of_one]))
    return {
        name: [(" ".join(line), next(found)) for line in of_one] for name, of_one in lines.items()
    }


@pytest.mark.parametrize("name", LEAVES)
def test_every_bad_argument_is_one_line_and_status_2(name: str, answers: dict) -> None:
    wrong = [
        f"{line}: {done}"
        for line, done in answers[name]
        if done["status"] != 2 or not is_one_line(done)
    ]
    assert not wrong, "\n".join(wrong)


SEEDED = [name for name, leaf in LEAVES.items() if any(a.dest == "seed" for a in leaf.arguments)]


@pytest.mark.parametrize("name", SEEDED)
def test_every_seed_is_a_whole_number_from_0_on(name: str, capsys) -> None:
    leaf = LEAVES[name]
    seed = next(action for action in leaf.arguments if action.dest == "seed")
    assert main(leaf.line(seed, "-5")) == 2
    said = capsys.readouterr().err
    assert said == f"{leaf.parser.prog}: argument --seed: '-5'; allowed are 0 or more\n"


@cache
def brought_by_extras() -> str:
    """The libraries that the base install lacks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    plain = {_name(line) for line in project["dependencies"]}
    extra = {_name(line) for lines in project["optional-dependencies"].values() for line in lines}
    names = extra - plain - {"catan-env", "pytest", "editables", "hatchling"}
    tops = packages_distributions()
    return " ".join(top for top, of in tops.items() if {_plain(name) for name in of} & names)


def _name(requirement: str) -> str:
    for sign in "[<>=;! ":
        requirement = requirement.partition(sign)[0]
    return _plain(requirement)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def test_every_command_does_without_extras_or_names_the_one_it_needs(folder: Path) -> None:
    lines = [[*leaf.words, "--help"] for leaf in LEAVES.values()]
    lines += [
        ["league", "standings", "league"],
        ["renaissance", "serve", "--port", "0"],
        ["league", "run", "league"],
        ["replay", "here.sgn.json", "--judge", "nosuch", "--html", "page.html"],
        ["renaissance", "play", "--policy", "nosuch"],
        ["renaissance", "agent", "--policy", "nosuch", "--name", "ann", "127.0.0.1", "1"],
    ]
    assert {"sqlalchemy", "tqdm", "torch", "jsonschema"} & set(brought_by_extras().split())
    found = outcomes(folder, lines, brought_by_extras())
    for line, done in zip(lines, found, strict=True):
        if done["status"] != 0:
            assert done["status"] == 2 and is_one_line(done), (line, done)
            assert "pip install '.[" in done["err"] or "nosuch" in done["err"], (line, done)
    for line, done in zip(lines, found, strict=True):
        if line[0] == "league":
            assert "needs sqlalchemy: pip install '.[league]'" in done["err"]
    assert "needs sqlalchemy: pip install '.[renaissance]'" in found[len(LEAVES) + 1]["err"]


INTERRUPTED = """
import os, signal, sys

class Finder:
    count = 0
    def find_spec(self, name, path=None, target=None):
        Finder.count += 1
        if Finder.count == at:
            os.kill(os.getpid(), signal.SIGINT)

def child(at_):
    global at
    at = at_
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(write, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.meta_path.insert(0, Finder())
        try:
            status = main()
        finally:
            if at == 0:
                os.write(write, b"%d" % Finder.count)
        os._exit(status)
    os.close(write)
    with open(read) as said:
        text = said.read()
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text

from catan_env.cli import main
import catan_env.cli.ending
signal.signal(signal.SIGINT, signal.default_int_handler)
moments, *sys.argv[1:] = sys.argv[1:]
total = int(child(0)[1].split()[-1])
print([child(1 + int(float(moment) * (total - 1))) for moment in moments.split(",")])
"""


OFTEN = ("league", "play", "table")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in OFTEN else pytest.mark.nightly) for name in COMMANDS],
)
def test_ctrl_c_while_a_command_is_loaded_is_one_line_and_status_130(name: str) -> None:
    """At the first moment and one that is drawn at random each time; a failure prints them."""
    moments = ["0", f"{random.random():.4f}"]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, ",".join(moments), name, "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{[(130, 'catan-env: interrupted' + chr(10))] * 2}\n", moments


def test_ctrl_c_is_caught_before_anything_slow_is_imported() -> None:
    """Until the handler is set, Ctrl-C prints Python's traceback."""
    code = (
        "import importlib, os, re, sys; before = set(sys.modules); import catan_env.cli; "
        "print(sorted(name for name in set(sys.modules) - before if name[:9] != 'catan_env'))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],  # re: imported by the script that pip writes
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['signal']\n"


@pytest.mark.parametrize(
    "line",
    [
        "play random nosuch:Policy",
        pytest.param("table --against nosuch:Policy", marks=pytest.mark.nightly),
    ],
)
def test_ctrl_c_while_a_command_begins_is_one_line_and_status_130(line: str) -> None:
    moments = [f"{random.random():.4f}", "1"]
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, ",".join(moments), *line.split()],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    for status, said in eval(done.stdout):
        assert status == 130 and said.endswith(": interrupted\n") and said.count("\n") == 1, moments


def test_the_bare_command_prints_its_help(capsys) -> None:
    assert main([]) == 0
    bare = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == bare and "positional arguments" in bare


@pytest.mark.parametrize("name", ["league init", "play", "table"])
def test_help_names_the_rules_that_a_command_takes(name: str) -> None:
    (rules,) = (action for action in LEAVES[name].arguments if action.dest == "rules")
    assert f"{', '.join(PRESETS)} (default: base)" in str(rules.help)


def test_examples_in_help_keep_their_lines(capsys) -> None:
    assert main(["serve", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--seats 3 --port 4000 \\\n      --agent" in shown
