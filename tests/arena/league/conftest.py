"""PostgreSQL, started once for all the tests of a worker."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.league.cluster import SERVERS, Cluster


@pytest.fixture(scope="session")
def cluster_of_all_tests() -> Iterator[Cluster]:
    """A PostgreSQL server, if it is installed."""
    pytest.importorskip("psycopg")
    if not SERVERS:
        pytest.skip("PostgreSQL is not installed")
    folder = Path("/tmp") / f"pg-{os.getpid()}"  # a socket's path is limited to 107 bytes
    folder.mkdir()
    server = Cluster(folder)
    try:
        yield server
    finally:
        if server.is_up:
            server.stop()
        shutil.rmtree(folder)


@pytest.fixture
def cluster(cluster_of_all_tests: Cluster) -> Cluster:
    """The same, with an empty database."""
    cluster_of_all_tests.renew()
    return cluster_of_all_tests
