"""The tutorials run as they are printed, with fewer decisions to learn from."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tensorboard")

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
LESS = "--num-envs 8 --num-steps 32 --total-timesteps 512 --checkpoint-every 1".split()
BLOCK = re.compile(r"^```(python|toml|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(line, folder):
    """A command of a page, in the folder that has the page's files."""
    words = shlex.split(line)
    if words[0] == "catan-env":
        words[:1] = ["python", "-m", "catan_env"]
    words[0] = sys.executable
    if "catan_env.training.self_play" in words:
        words += LESS
    path = os.pathsep.join([str(folder), str(ROOT)])
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_runs(page, tmp_path):
    if page.stem == "opponent":
        pytest.importorskip("sqlalchemy")
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "sh":
            for line in text.splitlines():
                done = run(line, tmp_path)
                assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        else:
            name = text.splitlines()[0].removeprefix("# file: ")
            (tmp_path / name).write_text(text)
    (weights,) = (tmp_path / "runs").glob("*/final.npz")
    with np.load(weights) as file:
        assert all(np.isfinite(file[name]).all() for name in file if file[name].dtype.kind == "f")


def test_there_is_a_tutorial_for_each_part_that_may_be_replaced():
    assert [page.stem for page in PAGES] == ["algorithm", "network", "opponent", "reward"]
