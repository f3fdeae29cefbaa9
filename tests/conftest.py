"""Configuration of the whole suite: random games, Hypothesis, and how to repeat a failure."""

import ctypes
import gc
import os
import shlex
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Before NumPy is loaded. Each worker computes with one thread: several would wait for each other in
# loops that keep the processors busy. Processes that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The first example may compile the engine, and a busy machine must not fail a test; the examples
# are the same in every run.
settings.register_profile(
    "catan_env", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("catan_env")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--games",
        type=int,
        default=400,
        help="random games of each property (default: %(default)s, enough for the faults that"
        " tests/properties/planted.py plants)",
    )
    parser.addoption(
        "--nightly", action="store_true", help="also run the tests that are marked as nightly"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave nightly tests to `make test-all`, unless they are named on the command line."""
    if config.getoption("--nightly") or any("::" in argument for argument in config.args):
        return
    nightly = [item for item in items if item.get_closest_marker("nightly")]
    if nightly:
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if item.get_closest_marker("nightly") is None]


def pytest_collection() -> None:
    """Import all tests without collecting garbage, which takes a fifth of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Keep the garbage collector from all that is imported by now: it finds the rest sooner."""
    gc.collect()
    gc.freeze()
    gc.enable()


GROWTH = 16_000_000
"""Bytes after which the garbage collector is worth its time, 50 ms and more."""
resident_after = 0
"""Bytes of this process when the garbage was last collected."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Free what a file's tests leave in cycles, such as batches of games and networks.

    Within a file only after a test that leaves much.
    """
    global resident_after
    yield
    is_last = nextitem is None or nextitem.path != item.path
    if resident() >= resident_after + (1 if is_last else 3) * GROWTH:
        gc.collect()
        give_back_memory()
        resident_after = resident()


def resident() -> int:
    """Bytes of memory that this process has; GROWTH more each time where it is not known."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        return resident_after + GROWTH


def give_back_memory() -> None:
    """Return freed memory to the system; training has glibc keep it, gigabytes by the end."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
        if trim is not None:
            trim(0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the command that runs each failed test again; everything random follows from seeds."""
    config = terminalreporter.config
    failed = terminalreporter.getreports("failed") + terminalreporter.getreports("error")
    for report in {report.nodeid: report for report in failed}.values():
        games = config.getoption("--games")
        terminalreporter.write_line(
            f"again: python -m pytest -n 0 --games {games} {shlex.quote(report.nodeid)}"
        )


@pytest.fixture(scope="session")
def games(pytestconfig: pytest.Config) -> int:
    """The number of random games for a property, over 2, 3 and 4 seats together."""
    return pytestconfig.getoption("--games")


@pytest.fixture(autouse=True)
def own_environment() -> Iterator[None]:
    """Undo changes to the environment, such as those of commands that run in this process."""
    before = dict(os.environ)
    yield
    if os.environ != before:
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture(scope="session")
def chromium_of_all_files() -> Iterator[Any]:
    """Chromium, started once for all the tests of a worker."""
    pytest.importorskip("selenium")
    from tests.render.browser import opened_browser

    yield from opened_browser()


@pytest.fixture(scope="module")
def chromium(chromium_of_all_files: Any) -> Iterator[Any]:
    """Chromium as it was when it started."""
    from tests.render.browser import renew

    renew(chromium_of_all_files)
    yield chromium_of_all_files
    renew(chromium_of_all_files)


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Any:
    """The same, for files that have nothing to tidy up after a test."""
    return chromium
