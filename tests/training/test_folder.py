"""Files of a run are replaced or left as they are."""

import json
import os
from pathlib import Path

import pytest

from catan_env.notation.whole_files import replacing
from catan_env.training.folder import json_in, write_json


def test_a_file_is_replaced_when_the_block_ends_without_an_error(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, [1])
    with pytest.raises(KeyError), replacing(path) as file:
        file.write_text("half")
        raise KeyError
    assert json.loads(path.read_text()) == [1]
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("letter", "xé")
def test_the_longest_name_can_be_written(letter, tmp_path):
    longest = os.pathconf(tmp_path, "PC_NAME_MAX") - len(".json")
    path = tmp_path / (letter * (longest // len(letter.encode())) + ".json")
    for number in (1, 2):
        write_json(path, [number])
        assert json.loads(path.read_text()) == [number] and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444])
def test_a_replaced_file_keeps_its_permissions(mode, tmp_path):
    path = tmp_path / "a.json"
    path.touch()
    path.chmod(mode)
    with replacing(path) as file:
        assert not file.stat().st_mode & 0o777 & ~(mode | 0o200)
        file.write_text("new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o7777 == mode


def test_what_is_not_a_number_is_null_in_json(tmp_path):
    write_json(tmp_path / "a.json", {"losses": [0.5, (float("nan"),)]})
    assert json_in(tmp_path / "a.json") == {"losses": [0.5, [None]]}


def test_a_new_file_has_the_permissions_of_any_other(tmp_path):
    write_json(tmp_path / "a.json", [1])
    (tmp_path / "other").touch()
    assert (tmp_path / "a.json").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_link_still_leads_to_the_file(tmp_path):
    (tmp_path / "link").symlink_to("file")
    write_json(tmp_path / "link", [1])
    assert (tmp_path / "link").is_symlink() and json.loads((tmp_path / "file").read_text()) == [1]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no such file")
def test_a_device_is_written_to_directly():
    write_json("/dev/null", [1])
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize("name", ["unfinished_" + "m" * 60 + ".json", "m" * 250 + ".json"])
def test_a_long_name_is_not_that_of_an_unfinished_file(tmp_path, name):
    for given in ({"n": 1}, {"n": 2}):
        write_json(tmp_path / name, given)
        assert json_in(tmp_path / name) == given
    assert [path.name for path in tmp_path.iterdir()] == [name]
