"""A PostgreSQL server with a database for each test."""

import os
import shutil
import subprocess
from itertools import count
from pathlib import Path

SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class Cluster:
    """PostgreSQL in its own folder, run by an ordinary user, on a socket in that folder only."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin = folder, SERVERS[-1]
        self.as_user: list[str] = []
        if os.geteuid() == 0:  # it refuses to run as root
            shutil.chown(folder, "nobody")
            self.as_user = ["setpriv", "--reuid=nobody", "--clear-groups"]
        self._run("initdb", "-D", folder / "data", "-A", "trust", "-U", "league", "-N")
        self._databases = count()
        self.start()
        self.url = self._url("postgres")

    def _url(self, database: str) -> str:
        return f"postgresql://league@/{database}?host={self.folder}"

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self.as_user, str(self.bin / program), *map(str, arguments)]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def renew(self) -> None:
        """Let `url` be that of an empty database; a server that was stopped is started again."""
        import psycopg

        if not self.is_up:
            self.start()
        name = f"league{next(self._databases)}"
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name}")
        self.url = self._url(name)

    def start(self) -> None:
        """Wait until it can be reached."""
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        log = self.folder / "log"
        self._run("pg_ctl", "-D", self.folder / "data", "-o", options, "-l", log, "-w", "start")
        self.is_up = True

    def stop(self) -> None:
        """Stop immediately, as a lost machine does: connections break."""
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        self.is_up = False
