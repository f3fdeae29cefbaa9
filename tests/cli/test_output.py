"""The file that a command writes: not one that it reads, and one that can be written."""

import os
from pathlib import Path
from shutil import copy

import pytest

from catan_env import Game
from catan_env.cli import main
from catan_env.cli.output import check_output
from catan_env.guests.hanabi.game import Game as Hanabi
from catan_env.guests.hanabi.record import dumps
from catan_env.notation import write_game
from catan_env.training.folder import make_folder_of

WEIGHTS = Path(__file__).resolve().parents[2] / "policies" / "weights" / "duel.npz"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a record of each game, and a weights file."""
    write_game(tmp_path, Game(2, seed=1), ["Ann", "Ben"], "catan")
    (tmp_path / "hanabi").write_text(dumps(Hanabi(2, seed=1)))
    line = "renaissance play --policy random --games 1 --record".split()
    assert main([*line, str(tmp_path / "renaissance")]) == 0
    copy(WEIGHTS, tmp_path / "duel.npz")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "input_file"),
    [
        ("replay catan.sgn.json --html", "catan.sgn.json"),
        ("replay catan.sgn.json --judge ./duel.npz --html", "duel.npz"),
        ("hanabi replay hanabi --html", "hanabi"),
        ("hanabi replay hanabi --hanab-live", "hanabi"),
        ("renaissance replay renaissance --html", "renaissance"),
        ("page ./duel.npz --seats 2 --rules duel --out", "duel.npz"),
    ],
)
def test_a_command_does_not_overwrite_its_input(
    line: str, input_file: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (folder / input_file).read_bytes()
    os.link(folder / input_file, folder / "hard")
    (folder / "soft").symlink_to(input_file)
    capsys.readouterr()
    for name in (input_file, str(folder / input_file), "hard", "soft"):
        assert main([*line.split(), name]) == 2
        assert f"{name} is the file that is read: name another one" in capsys.readouterr().err
        assert (folder / input_file).read_bytes() == before


def test_a_folder_is_not_a_file_to_write() -> None:
    with pytest.raises(IsADirectoryError):
        check_output(os.curdir)


def as_if_read_only(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Protect folders, also from a user that may write everywhere."""
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) not in folders)


def test_a_new_file_needs_a_folder_that_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_if_read_only(monkeypatch, tmp_path)
    for check in (check_output, make_folder_of):
        with pytest.raises(PermissionError):
            check(tmp_path / "new.html")
    assert main(["play", "random", "random", "--record", str(tmp_path)]) == 2
    assert f"--record {tmp_path}: Permission denied" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_device_needs_no_folder_that_may_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_read_only(monkeypatch, Path("/dev"))
    check_output(os.devnull)


def test_a_link_needs_no_folder_that_may_be_written_but_its_file_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "link").symlink_to(tmp_path / "b" / "file")
    as_if_read_only(monkeypatch, tmp_path / "a")
    check_output(tmp_path / "a" / "link")
    as_if_read_only(monkeypatch, tmp_path / "b")
    with pytest.raises(PermissionError):
        check_output(tmp_path / "a" / "link")
