"""What the whole suite shares: the number of random games, and how Hypothesis runs."""

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
