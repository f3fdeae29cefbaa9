"""`catan-env replay` prints a saved game or makes its page; `catan-env check` verifies games."""

import json
import os
import sys
from importlib.resources import files
from pathlib import Path
from shutil import copy

import pytest

from catan_env import Game
from catan_env.cli import main
from catan_env.notation import dumps, read, to_sgn, write_game
from catan_env.render.words import say_cards
from tests.notation.random_games import random_game


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three games, which no test changes."""
    folder = tmp_path_factory.mktemp("written")
    for seed in range(3):
        write_game(folder, random_game(seed, 3), ["Ann", "Ben", "Cleo"])
    return folder


@pytest.fixture
def folder(tmp_path: Path, written: Path) -> Path:
    """A copy of it."""
    for file in written.iterdir():
        copy(file, tmp_path)
    return tmp_path


def test_replay_tells_the_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = random_game(0, 3)
    assert main(["replay", str(folder / "game-0.sgn.json")]) == 0
    said = capsys.readouterr().out
    assert said.startswith("players: a Ann, b Ben, c Cleo\n")
    assert said.endswith(f"{game}\n")
    assert "turn 1, " in said and f"turn {game.turn}, " in said
    assert len([line for line in said.splitlines() if line.startswith("  Ann rolls")]) > 5
    assert " places a settlement at the " in said and " and gets 1 " in said


def test_replay_stops_after_a_turn(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["replay", str(folder / "game-1.sgn.json"), "--turn", "4", "--boards"])
    said = capsys.readouterr().out
    assert "turn 4, " in said and "turn 5, " not in said
    assert said.count("harbours:") >= 4


def test_replay_writes_a_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = folder / "out.html"
    assert main(["replay", str(folder / "game-1.sgn.json"), "--html", str(page)]) == 0
    assert "<title>Catan: Ann, Ben, Cleo</title>" in page.read_text(encoding="utf-8")
    assert str(page) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--judge", "greedy"], "--judge marks moves on a page: add --html"),
        (["--html", "page.html", "--turn", "0"], "--turn is of the text, not of a page"),
        (["--html", "page.html", "--boards"], "--boards is of the text, not of a page"),
    ],
)
def test_replay_refuses_options_of_the_other_form(
    given: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(folder / "game-0.sgn.json"), *given]) == 2
    assert capsys.readouterr() == ("", f"catan-env replay: {said}\n")


def test_replay_tells_what_one_seat_saw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "seat.sgn.json"
    file.write_text(dumps(to_sgn(random_game(0, 3), viewer=1)))
    assert main(["replay", str(file)]) == 0
    assert "1 buys a development card\n" in capsys.readouterr().out


def test_check_sums_up(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(folder)]) == 0
    assert capsys.readouterr().out == "3 records: 3 complete\n"
    whole = (folder / "game-0.sgn.json").read_text()
    (folder / "cut.sgn.json").write_text(whole[: len(whole) // 2])
    (folder / "odd.sgn.json").write_text(whole.replace('"DR"', '"RD"', 1))
    for name in ("game-1", "game-2"):
        (folder / f"{name}.sgn.json").unlink()
    assert main(["check", str(folder)]) == 1
    said = capsys.readouterr()
    assert said.out == "3 records: 1 complete, 1 unfinished, 1 wrong\n"
    assert "odd.sgn.json: $[" in said.err and "(uuid " in said.err
    assert read(folder / "cut.sgn.json").is_cut


def test_check_fails_where_there_are_no_records(tmp_path: Path, capsys) -> None:
    assert main(["check", str(tmp_path)]) == 1
    assert capsys.readouterr().out == "0 records: nothing to check\n"


def test_check_names_a_file_with_an_endless_number(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a.sgn.json").write_text(f'[{{"uuid":{"9" * 5000}}}]')
    assert main(["check", str(folder)]) == 1
    said = capsys.readouterr()
    assert said.out == "4 records: 3 complete, 1 wrong\n"
    assert "a.sgn.json: no JSON in line 1, column 2: a number" in said.err


@pytest.mark.parametrize("command", ["replay", "check"])
def test_a_file_that_is_not_there_is_said(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "none.sgn.json")
    if command == "replay":
        assert main([command, missing]) == 2
    else:
        assert main([command, missing]) == 1
    said = capsys.readouterr().err
    assert f"{missing}: No such file" in said and said.count(missing) == 1


def test_check_replays_where_jsonschema_is_not_installed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    whole = (folder / "game-0.sgn.json").read_text()
    (folder / "odd.sgn.json").write_text(whole.replace('"DR"', '"RD"', 1))
    assert main(["check", str(folder)]) == 1
    said = capsys.readouterr()
    assert said.out == "4 records: 3 complete, 1 wrong\n"
    assert said.err.startswith("without jsonschema (pip install") and "odd.sgn.json: $[" in said.err


@pytest.mark.parametrize("command", ["replay", "check"])
def test_a_byte_order_mark_is_no_part_of_a_record(command: str, folder: Path) -> None:
    file = folder / "game-0.sgn.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert main([command, str(file)]) == 0


def test_a_turn_before_the_first_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(folder / "game-0.sgn.json"), "--turn", "-4"]) == 2
    said = capsys.readouterr().err
    assert said == "catan-env replay: argument --turn: '-4'; allowed are 0 or more\n"


def test_a_policy_from_a_file_is_called_by_the_files_stem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = tmp_path / "mine.npz"
    copy(files("catan_env.policies").joinpath("weights/duel.npz"), weights)
    arguments = ["--rules", "duel", "--games", "1", "--record", str(tmp_path)]
    assert main(["play", str(weights), "random", *arguments]) == 0
    assert "1 mine " in capsys.readouterr().out
    assert read(tmp_path / "game-0.sgn.json").players == ("mine", "random")


def test_play_keeps_its_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["play", "random", "random", "--rules", "duel", "--games", "2", "--record", str(tmp_path)])
    record = read(tmp_path / "game-1.sgn.json")
    assert record.players == ("random 1", "random 2")
    assert record.game.is_over and record.game.seed == 1
    assert main(["check", str(tmp_path)]) == 0
    assert "2 records: 2 complete" in capsys.readouterr().out


def test_cards_are_said_in_words() -> None:
    assert say_cards((2, 0, 0, 1, 1)) == "2 brick, 1 ore and 1 wool"
    assert say_cards((0, 0, 1, 0, 0)) == "1 lumber"
    assert say_cards((0, 0, 0, 0, 0)) == "nothing"


def test_a_notebook_shows_the_position() -> None:
    game = Game(2, seed=1)
    assert game._repr_svg_().startswith("<svg ")


def renamed(file: Path, name: str) -> None:
    """Give the player Ann of a record another name, written as JSON."""
    text = file.read_text()
    assert '"Ann"' in text
    file.write_text(text.replace('"Ann"', f'"{name}"'))


@pytest.mark.parametrize("command", ["replay", "check"])
def test_a_name_that_is_no_text_is_refused_and_a_page_stays(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = folder / "game-0.sgn.json", folder / "out.html"
    renamed(file, "a\\ud800b")
    page.write_text("a page")
    options = ["--html", str(page)] if command == "replay" else []
    assert main([command, str(file), *options]) == (2 if command == "replay" else 1)
    assert "$[1].value.player (uuid " in capsys.readouterr().err
    assert page.read_text() == "a page"


def test_a_record_that_cannot_be_read_leaves_no_empty_page(folder: Path) -> None:
    (folder / "odd.sgn.json").write_text("{}")
    page = folder / "out.html"
    assert main(["replay", str(folder / "odd.sgn.json"), "--html", str(page)]) == 2
    assert not page.exists()


def test_a_page_is_written_through_a_link_and_to_a_device(folder: Path) -> None:
    page, link, record = folder / "out.html", folder / "link.html", str(folder / "game-0.sgn.json")
    link.symlink_to(page)
    assert main(["replay", record, "--html", str(link)]) == 0
    assert link.is_symlink() and page.read_text().startswith("<!")
    assert main(["replay", record, "--html", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


def test_a_page_is_refused_before_the_work_where_it_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, said in ((folder, "Is a directory"), (folder / "none/a.html", "No such file")):
        assert main(["replay", str(folder / "game-0.sgn.json"), "--html", str(place)]) == 2
        assert f"{place}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize("sign", ["\\u001b", "\\u202e", "\\u009b"])
def test_names_and_uuids_cannot_control_the_terminal(
    sign: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "game-0.sgn.json"
    renamed(file, f"An{sign}[31mn")
    assert main(["replay", str(file)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("players: a An?[31mn, b Ben, c Cleo\n")
    assert said.replace("\n", "").isprintable()
    messages = json.loads(file.read_text())
    messages[9]["uuid"], messages[9]["event"] = f"u{json.loads(chr(34) + sign + chr(34))}", "XX"
    file.write_text(json.dumps(messages))
    assert main(["replay", str(file)]) == 2
    said = capsys.readouterr().err
    assert "(uuid u?)" in said and said.strip().isprintable()


@pytest.mark.parametrize("command", ["hanabi replay", "renaissance replay"])
@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xa5\x00", " is not UTF-8 text: "), (b'{"format"', ": a record is JSON: ")],
)
def test_a_guest_s_record_that_cannot_be_read_is_named(
    command: str, content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    assert main([*command.split(), str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"catan-env {command.split()[0]}: {path}{said}")
    assert error.count("\n") == 1
