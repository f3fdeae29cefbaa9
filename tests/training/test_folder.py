"""Files of a run are replaced or left as they are."""

import json
from pathlib import Path

import pytest

from catan_env.training.folder import replacing, write_json


def test_a_file_is_replaced_when_the_block_ends_without_an_error(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, [1])
    with pytest.raises(KeyError), replacing(path) as file:
        file.write_text("half")
        raise KeyError
    assert json.loads(path.read_text()) == [1]
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="this system has no such file")
def test_a_device_is_written_to_directly():
    write_json("/dev/null", [1])
    assert not Path("/dev/null").is_file()
