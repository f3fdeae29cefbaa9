"""A file is written whole, under any name that its folder allows."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from catan_env.notation.files import files_of
from catan_env.notation.whole_files import replacing, write_whole


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * os.pathconf(tmp_path, "PC_NAME_MAX"))
    write_whole(path, "text")
    assert path.read_text() == "text" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["weights" * 10 + ".npz", "e." + "x" * 200, ".hidden", "none"])
def test_a_file_of_any_ending_is_replaced(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_whole(path, "old")
    write_whole(path, "new")
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


def test_numpy_writes_a_file_of_a_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("weights" * 10 + ".npz")
    with replacing(path) as file:
        np.savez(file, weights=np.ones(3))
    assert np.load(path)["weights"].sum() == 3 and list(tmp_path.iterdir()) == [path]


def test_a_record_is_not_read_before_it_is_whole(tmp_path: Path) -> None:
    with replacing(tmp_path / "game.sgn.json") as file:
        file.write_text("[")
        assert files_of(tmp_path) == []


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_replaced_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, "new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o7777 == mode


@pytest.mark.parametrize("mode", [None, 0o600, 0o666])
def test_a_private_file_is_private_while_it_is_written(mode: int | None, tmp_path: Path) -> None:
    path = tmp_path / "record"
    if mode is not None:
        path.touch()
        path.chmod(mode)
    with replacing(path, 0o600) as file:
        file.write_text("secret")
        assert file.stat().st_mode & 0o7777 == 0o600
    assert path.stat().st_mode & 0o7777 == 0o600


def test_a_new_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    write_whole(tmp_path / "page.html", "text")
    (tmp_path / "other").touch()
    assert (tmp_path / "page.html").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_still_leads_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "text"


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "text")
    with pytest.raises(OSError, match=r"nosuch/page\.html"):
        write_whole(tmp_path / "nosuch" / "page.html", "text")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


def test_processes_may_write_the_same_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.sgn.json"
    code = (
        "import sys; from pathlib import Path; "
        "from catan_env.notation.whole_files import write_whole\n"
        "for _ in range(300): write_whole(Path(sys.argv[1]), sys.argv[2] * 5000)"
    )
    command = [sys.executable, "-c", code, str(path)]
    writers = [subprocess.Popen([*command, letter]) for letter in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert path.read_text() in ("a" * 5000, "b" * 5000) and list(tmp_path.iterdir()) == [path]
