"""A thousand games of 2, 3 and 4 seats have the same bytes in every engine.

Interpreted, a thousand take minutes: `make test-native` plays them, other runs the first ones.
"""

from importlib.util import find_spec

import pytest

from tests.native.lockstep import WIDTH
from tests.native.test_native import LIBRARY, bodies, run

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="make native has not been run")

GAMES, FIRST = 1000, 25


def lines_of(program: str, seats: int, games: int, engine: str, **variables: str) -> list[str]:
    """The lines of a program of this folder with an engine, about that many games."""
    words = ["-m", f"tests.native.{program}", str(seats), str(games)]
    done = run(words, CATAN_ENV_ENGINE=engine, **variables)
    assert done.returncode == 0, done.stderr
    mode, *lines = done.stdout.splitlines()
    assert mode == engine and lines
    return lines


def agree(program: str, seats: int, interpreted: int) -> list[str]:
    """The lines of every engine, which are equal, of the interpreted one the first."""
    native, *others = (
        lines_of(program, seats, GAMES, "native", CATAN_ENV_NATIVE_BODY=body) for body in bodies()
    )
    if find_spec("numba") is not None:
        others.append(lines_of(program, seats, GAMES, "jit"))
    assert all(native == other for other in others)
    first = lines_of(program, seats, interpreted, "python")
    assert native[: len(first)] == first
    return native


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_thousand_games_end_with_the_same_bytes_in_every_engine(seats: int, games: int) -> None:
    assert len(agree("ends", seats, GAMES if games >= 10 * GAMES else FIRST)) == GAMES


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_thousand_games_in_lockstep_show_the_same_bytes_in_every_engine(
    seats: int, games: int
) -> None:
    assert len(agree("lockstep", seats, GAMES if games >= 10 * GAMES else WIDTH)) == GAMES // WIDTH
