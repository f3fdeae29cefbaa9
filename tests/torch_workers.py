"""Plugin of `make test`: one worker in four runs the tests that load torch, and no others.

torch takes 190 MB, what trains and compiles with it 250 more, and its import 2 s in each worker.
All tests of `tests/training` load torch, and those that are marked with `torch`.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import WorkStealingScheduling
from xdist.workermanage import parse_tx_spec_config

TRAINING = Path(__file__).parent / "training"
MARK = "torch"
WAS_LOADED = pytest.StashKey[bool]()
"""True once a test has failed that loads torch without the mark."""


def numbers(config: pytest.Config) -> tuple[int, int]:
    """The numbers of workers without and with torch; one or two workers run all tests."""
    workers = len(parse_tx_spec_config(config)) if config.getoption("tx") else 0
    with_torch = max(1, workers // 4) if workers > 2 else 0
    return workers - with_torch, with_torch


def share(config: pytest.Config) -> bool | None:
    """True in a worker for torch, False in another one, and None where all tests run."""
    return getattr(config, "workerinput", {}).get(MARK)


def loads_torch(item: pytest.Item) -> bool:
    return TRAINING in item.path.parents or item.get_closest_marker(MARK) is not None


def pytest_configure_node(node: Any) -> None:
    """Choose the share of a worker; one that replaces a lost worker takes over its share."""
    spec = node.gateway.spec
    _, with_torch = numbers(node.config)
    if with_torch and spec.torch is None:
        spec.torch = int(node.gateway.id.removeprefix("gw")) < with_torch
    node.workerinput[MARK] = spec.torch


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> "Shares | None":
    return Shares(config, log) if numbers(config)[1] else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore, without importing it, what contains no test of the worker's share."""
    mine = share(config)
    if mine is None:
        return None
    if collection_path == TRAINING or TRAINING in collection_path.parents:
        return None if mine else True
    if collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    has_none = f"mark.{MARK}" not in text if mine else f"pytestmark = pytest.mark.{MARK}" in text
    return True if has_none else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mine = share(config)
    if mine is not None:
        items[:] = [item for item in items if loads_torch(item) is mine]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail the first test that loads torch in a worker for tests without it."""
    yield
    stash, has_torch = item.config.stash, sys.modules.get("torch") is not None
    if share(item.config) is False and has_torch and not stash.get(WAS_LOADED, False):
        stash[WAS_LOADED] = True
        pytest.fail(f"this test or its file loads torch: mark it with pytest.mark.{MARK}")


class Shares:
    """Two schedulers that steal work, for the workers without and with torch."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        self.config = config
        self.shares = []
        for number in numbers(config):
            self.shares.append(WorkStealingScheduling(config, log))
            self.shares[-1].numnodes = number

    def of(self, node: Any) -> WorkStealingScheduling:
        return self.shares[node.workerinput[MARK]]

    @property
    def nodes(self) -> list[Any]:
        return [node for one in self.shares for node in one.nodes]

    @property
    def collection_is_completed(self) -> bool:
        return all(one.collection_is_completed for one in self.shares)

    @property
    def tests_finished(self) -> bool:
        return all(one.tests_finished for one in self.shares)

    @property
    def has_pending(self) -> bool:
        return any(one.has_pending for one in self.shares)

    def add_node(self, node: Any) -> None:
        self.of(node).add_node(node)

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        self.of(node).add_node_collection(node, collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        self.of(node).mark_test_complete(node, item_index, duration)

    def mark_test_pending(self, item: str) -> None:
        (one,) = (one for one in self.shares if item in (one.collection or ()))
        one.mark_test_pending(item)

    def remove_pending_tests_from_node(self, node: Any, indices: Sequence[int]) -> None:
        self.of(node).remove_pending_tests_from_node(node, indices)

    def remove_node(self, node: Any) -> str | None:
        return self.of(node).remove_node(node)

    def schedule(self) -> None:
        """Start both; what is shown of the progress counts the tests of both."""
        for one in self.shares:
            one.schedule()
        session = self.config.pluginmanager.getplugin("session")
        session.testscollected = sum(len(one.collection or ()) for one in self.shares)
