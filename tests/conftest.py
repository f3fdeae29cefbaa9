"""What the whole suite shares: the number of random games, and how Hypothesis runs."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# The first example may compile the engine, and a busy machine is no fault of the rules; the
# examples are the same in every run.
settings.register_profile(
    "catan_env", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("catan_env")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--games",
        type=int,
        default=10_000,
        help="random games a property is looked at over (default: %(default)s)",
    )


@pytest.fixture(scope="session")
def games(pytestconfig: pytest.Config) -> int:
    """Random games a property is looked at over, those of 2, 3 and 4 seats together."""
    return pytestconfig.getoption("--games")


@pytest.fixture(autouse=True)
def own_environment() -> Iterator[None]:
    """Undo what a test changes in the environment, as commands do that run in this process."""
    before = dict(os.environ)
    yield
    if os.environ != before:
        os.environ.clear()
        os.environ.update(before)
