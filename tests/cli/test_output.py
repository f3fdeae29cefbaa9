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


def test_a_new_file_needs_a_folder_that_may_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("this user may write everywhere")
    with pytest.raises(PermissionError):
        check_output(tmp_path / "new.html")
