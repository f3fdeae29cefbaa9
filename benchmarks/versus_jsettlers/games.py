"""The games of a run: counted, and written to a file as they end."""

import json
import math
import time
from dataclasses import asdict
from pathlib import Path

from benchmarks.versus_jsettlers.result import load_results, result_of
from catan_env.cli.progress import Progress
from catan_env.protocols.jsettlers.agent import Ended
from catan_env.protocols.jsettlers.record import write_record


class Games:
    """The games in a file, until there are `wanted`; progress is shown on a terminal.

    No game is wanted after `minutes`. Records are saved in the folder `records`.
    """

    def __init__(
        self, file: Path, wanted: int, minutes: float = math.inf, records: Path | None = None
    ) -> None:
        self.results = load_results(file)
        self._file, self._wanted, self._records = file, wanted, records
        self._until = time.monotonic() + 60 * minutes
        self._progress = Progress(wanted, "game")
        for _ in self.results:
            self._progress.advance()

    @property
    def is_enough(self) -> bool:
        """True if all games have been played, or the time is up."""
        return len(self.results) >= self._wanted or time.monotonic() > self._until

    def add(self, ended: Ended) -> None:
        """Count and save a game, unless it has no result."""
        result = result_of(ended)
        if result is None:
            return
        self.results.append(result)
        self._progress.advance()
        with open(self._file, "a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")
        if self._records is not None:
            write_record(self._records, ended)

    def close(self) -> None:
        """End the display of progress."""
        self._progress.__exit__()
