"""A private PostgreSQL: a new cluster in a folder, in the way of Debian's packages."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`; the test is skipped without them, except in CI."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    if found or on_path:
        return (found[-1] if found else Path(str(on_path))).parent
    if os.environ.get("CI"):
        raise AssertionError("PostgreSQL is missing: apt-get install postgresql")
    pytest.skip("no PostgreSQL: apt-get install postgresql")


@contextmanager
def postgresql() -> Iterator[str]:
    """The URL of an empty database while the block runs.

    An ordinary user serves it, on a socket in a private folder that no other user can occupy.
    """
    bin_folder = programs()
    user = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as folder:
        if user is not None:
            shutil.chown(folder, user)

        def run(program: str, *words: str) -> None:
            command = [str(bin_folder / program), "--pgdata", f"{folder}/data", *words]
            subprocess.run(
                command, check=True, user=user, cwd=folder, stdout=subprocess.DEVNULL, timeout=120
            )

        run("initdb", "--username", "catan", "--auth", "trust", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        run("pg_ctl", "start", "--wait", "--silent", "--log", f"{folder}/log", "-o", options)
        try:
            yield f"postgresql+psycopg://catan@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "--mode", "immediate", "--silent")
