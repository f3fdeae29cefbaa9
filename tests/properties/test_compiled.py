"""The compiled and the interpreted engine play the same games."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from catan_env.kernel.jit import MACHINE_CODE
from tests.properties.digests import digests
from tests.properties.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(find_spec("numba") is None, reason="there is no Numba to compile with")
def test_compiled_and_interpreted_rules_give_the_same_bytes(games: int) -> None:
    most, other = str(max(len(SETTINGS), games // 400)), "python" if MACHINE_CODE else "jit"
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.digests", most],
        env=os.environ | {"CATAN_ENV_ENGINE": other},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    way, *lines = done.stdout.splitlines()
    assert way == other
    assert lines == digests(int(most))
