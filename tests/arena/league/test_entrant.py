"""An entrant's files: packed, with a reason for those that are not stored."""

import os

import pytest

from catan_env.arena.league import entrant
from catan_env.arena.league.entrant import packed_files, unpack


def test_equal_files_give_equal_bytes_and_come_back_as_they_were(tmp_path):
    for number in (1, 2):
        folder = tmp_path / str(number) / "inner"
        folder.mkdir(parents=True)
        (folder / "agent.py").write_text("moves = 1\n")
        (folder / "run").write_text("#!/bin/sh\n")
        (folder / "run").chmod(0o755)
    first, second = (packed_files(tmp_path / str(number)) for number in (1, 2))
    assert first == second
    unpack(first, tmp_path / "out")
    assert (tmp_path / "out/inner/agent.py").read_text() == "moves = 1\n"
    assert (tmp_path / "out/inner/run").stat().st_mode & 0o777 == 0o755


def test_a_link_is_not_followed(tmp_path):
    (tmp_path / "secret").symlink_to("/etc/passwd")
    with pytest.raises(ValueError, match="secret: neither a file nor a folder"):
        packed_files(tmp_path)


def test_a_pipe_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="pipe: neither a file nor a folder"):
        packed_files(tmp_path)


def test_files_have_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(entrant, "MOST_FILES", 1 << 20)
    (tmp_path / "half").write_bytes(bytes(1 << 19))
    (tmp_path / "rest").write_bytes(bytes((1 << 19) + 1))
    with pytest.raises(ValueError, match="more than 1 MiB"):
        packed_files(tmp_path)


def test_a_name_that_is_not_utf8_is_quoted(tmp_path):
    with open(bytes(tmp_path) + b"/\xff.py", "wb"):
        pass
    with pytest.raises(ValueError, match=r"udcff\.py': the name is not UTF-8"):
        packed_files(tmp_path)
