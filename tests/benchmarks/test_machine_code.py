"""The comparison of the library with Numba; skipped if `make native` has not been run."""

from importlib.util import find_spec

import pytest

from tests.native.test_native import LIBRARY, bodies, run


@pytest.mark.skipif(
    LIBRARY is None or find_spec("numba") is None, reason="make native has not been run"
)
def test_the_bodies_are_compared_with_numba_in_turns() -> None:
    words = ["-m", "benchmarks.machine_code", "--turns", "1"]
    done = run(words, CATAN_ENV_ENGINE="jit")
    assert done.returncode == 0, done.stderr
    title, *rows = done.stdout.splitlines()
    assert title.split()[-len(bodies()) :] == bodies() and len(rows) == 3
    for row in rows:
        numba, *others = map(float, row.split()[-1 - len(bodies()) :])
        assert numba == 1 and all(ratio > 0 for ratio in others)
    done = run(words, CATAN_ENV_ENGINE="native")
    assert done.returncode == 1 and "CATAN_ENV_ENGINE=jit" in done.stderr
