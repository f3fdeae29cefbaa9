"""A thousand games of 2, 3 and 4 seats end with the same bytes in every engine.

Interpreted, a thousand take minutes: `make test-native` plays them, other runs the first ones.
"""

from importlib.util import find_spec

import pytest

from tests.native.test_native import LIBRARY, bodies, run

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="make native has not been run")

GAMES, FIRST = 1000, 20


def ends(seats: int, games: int, engine: str, **variables: str) -> list[str]:
    """The lines of `tests.native.ends` from that engine."""
    words = ["-m", "tests.native.ends", str(seats), str(games)]
    done = run(words, CATAN_ENV_ENGINE=engine, **variables)
    assert done.returncode == 0, done.stderr
    mode, *lines = done.stdout.splitlines()
    assert mode == engine and len(lines) == games
    return lines


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_thousand_games_end_with_the_same_bytes_in_every_engine(seats: int, games: int) -> None:
    native, *others = (ends(seats, GAMES, "native", CATAN_ENV_NATIVE_BODY=b) for b in bodies())
    assert all(native == other for other in others)
    interpreted = GAMES if games >= 10 * GAMES else FIRST
    assert native[:interpreted] == ends(seats, interpreted, "python")
    if find_spec("numba") is not None:
        assert native == ends(seats, GAMES, "jit")
