"""Ended games: a record and a replay of each, and tables to play on from them."""

from collections import deque
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from catan_env.net.websocket import Page
from catan_env.notation import Record, dumps, loads, to_sgn
from catan_env.notation.files import read
from catan_env.policy import Policy, load_luck
from catan_env.render.judged import Judgement, judged
from catan_env.render.replay import Source, judged_data, replay_html
from catan_env.web import journal
from catan_env.web.advisers import Adviser, Advisers
from catan_env.web.jobs import Job
from catan_env.web.journal import Journal, TableFile
from catan_env.web.late import LatePolicy
from catan_env.web.messages import Judged, Over
from catan_env.web.page import HTML, JSON
from catan_env.web.seating import Seating
from catan_env.web.secret import new_link
from catan_env.web.shown_table import ShownTable
from catan_env.web.table import STAND_IN, LiveTable
from catan_env.web.turn_clock import TurnClock

MOST_KEPT = 100
"""The number of games whose pages are stored; older ones are removed."""


class _Kept(NamedTuple):
    record: Record
    policies: tuple[str, ...]
    """By seat: its policy when a person continues from another seat."""
    seat: int | None
    """The first seat of a person."""
    adviser: Adviser | None = None
    """The adviser of the table."""


@dataclass(frozen=True)
class Storage:
    """A folder in which live tables are stored, and the address of their links."""

    folder: Path
    host: str
    port: int
    pace: float
    timeout: float | None = None

    def begin(
        self,
        table: LiveTable,
        secrets: dict[str, int | None],
        policies: tuple[str, ...],
        path: str,
    ) -> Journal:
        """Store a table from its current position on."""
        people = [int(seat) for seat in table.people]
        ask = None if table.adviser is None else table.adviser.name
        links = TableFile(
            journal.VERSION, self.host, self.port, secrets, people, list(policies), path,
            self.pace, ask, self.timeout,
        )  # fmt: skip
        return journal.begin(self.folder, table.game, table.names, links)


def to_load_for(table: LiveTable) -> list[tuple[str, Job]]:
    """The policies, in the order in which they will act, and the adviser."""
    game = table.game
    order = [(game.seat + k) % game.seats for k in range(game.seats)]
    late = [table.policies[seat] for seat in order if seat in table.policies]
    jobs: list[tuple[str, Job]] = [
        (policy.name, policy.loaded) for policy in late if isinstance(policy, LatePolicy)
    ]
    adviser = table.adviser
    if adviser is not None and not adviser.is_ready:
        jobs.append((f"advice from {adviser.name}", lambda: adviser.judge))
    return jobs


class Shelf:
    """Stores ended games among `pages`, under paths that are impossible to guess.

    Games are judged after their end by their table's adviser; those with people and no adviser, by
    `judge`. With `storage` live tables are on disk from their first move, and can be restored.
    `report` is called with each game that has ended there: its table, and the path of its replay.
    The pages of the last `most` games are stored.
    """

    def __init__(
        self,
        pages: MutableMapping[str, Page],
        storage: Storage | None = None,
        report: Callable[[LiveTable, str], object] = lambda table, path: None,
        judge: Adviser | None = None,
        advisers: Advisers | None = None,
        most: int = MOST_KEPT,
    ) -> None:
        self._pages = pages
        self._judge = judge
        self._advisers = advisers or Advisers()
        self._most = most
        self._storage = storage
        self._report = report
        self._lock = Lock()
        """Held while a game is added: jobs add them in several threads."""
        self._kept: dict[str, _Kept] = {}
        self._paths: deque[str] = deque()

    def seating(
        self,
        table: ShownTable,
        secrets: dict[str, int | None],
        policies: Sequence[str] = (),
        path: str = "",
        pace: float | None = None,
        timeout: float | None = None,
    ) -> Seating:
        """A seating whose game is stored here; `policies` are the policies' names by seat.

        `timeout` limits people's turns, in seconds. OSError if the table cannot be stored.
        """
        path = path or f"/{new_link()}"
        names = tuple(policies) or (STAND_IN,) * table.game.seats
        seating = self._seating(table, secrets, path, names)
        seating.pace = pace
        seating.clock = None if timeout is None else TurnClock(timeout)
        if self._storage is not None and isinstance(table, LiveTable):
            storage = replace(self._storage, timeout=timeout)
            storage = storage if pace is None else replace(storage, pace=pace)
            table.journal = storage.begin(table, secrets, names, path)
        return seating

    def shown(self, record: Record, path: str) -> Over:
        """The pages of an ended game that was read from its record."""
        over = Over(f"{path}.html", f"{path}.sgn.json")
        if over.replay not in self._pages:
            policies = (STAND_IN,) * len(record.players)
            self._put(path, _Kept(record, policies, None), dumps(record.messages))
        return over

    def restored(self, record: Path, links: TableFile) -> Seating:
        """The table of a record and its links, as it was when its server stopped.

        ValueError or OSError if it cannot be read.
        """
        policies: dict[int, Policy] = {
            seat: LatePolicy(name, seat)
            for seat, name in enumerate(links.policies)
            if seat not in links.people
        }
        adviser = self._advisers.named(links.ask)
        table = LiveTable.restored(read(record), policies, adviser)
        table.journal = Journal(record, table.names)
        if not table.game.is_over:
            table.journal.rewrite(table.game)
        seating = self._seating(table, links.secrets, links.path, tuple(links.policies))
        seating.pace = links.pace
        seating.clock = None if links.timeout is None else TurnClock(links.timeout)
        return seating

    def _seating(
        self,
        table: ShownTable,
        secrets: dict[str, int | None],
        path: str,
        policies: tuple[str, ...],
    ) -> Seating:
        keep = partial(self._keep, path=path, policies=policies)
        judge = self._judge if table.people else None
        if isinstance(table, LiveTable) and table.adviser is not None:
            judge = table.adviser
        study = None if judge is None else partial(self._study, path=path, judge=judge)
        to_load = to_load_for(table) if isinstance(table, LiveTable) else []
        return Seating(table, secrets, keep, study, to_load=to_load, path=path, policies=policies)

    def reopen(self, path: str, step: int, seat: int) -> tuple[str, Seating]:
        """A table at a step of a stored game, and the secret of a seat there.

        ValueError if there is no such game, step or seat.
        """
        kept = self._kept.get(path)
        if kept is None:
            raise ValueError("that game is no longer kept here")
        if not 0 <= seat < len(kept.policies) or step < 0:
            raise ValueError(f"there is no seat {seat} or no step {step}")
        policies: dict[int, Policy] = {
            other: LatePolicy(name, other)
            for other, name in enumerate(kept.policies)
            if other != seat
        }
        table = LiveTable.resumed(kept.record, step, policies, kept.adviser)
        secret = new_link()
        return secret, self.seating(table, {secret: seat, new_link(): None}, kept.policies)

    def _keep(self, table: ShownTable, path: str, policies: tuple[str, ...]) -> Over:
        messages = to_sgn(table.game, players=table.names)
        seat = min(table.people, default=None)
        adviser = table.adviser if isinstance(table, LiveTable) else None
        kept = _Kept(loads(messages), policies, seat, adviser)
        if not isinstance(table, LiveTable) or table.journal is None:
            return self._put(path, kept, dumps(messages))
        table.journal.finish(table.game)  # before the pages, which take longer: it may fail
        over = self._put(path, kept, dumps(messages))
        self._report(table, path)
        return over

    def _put(self, path: str, kept: _Kept, text: str) -> Over:
        over = Over(f"{path}.html", f"{path}.sgn.json")
        replay = Page(HTML, _replay(path, kept).encode())
        with self._lock:
            if path not in self._kept:
                self._make_room()
                self._paths.append(path)
            self._kept[path] = kept
            self._pages[over.replay] = replay
            self._pages[over.record] = Page(JSON, text.encode())
        return over

    def _study(self, table: ShownTable, path: str, judge: Adviser) -> Judged:
        """Judge the game, and replace its plain replay by a judged one."""
        kept = self._kept[path]
        with judge.lock:
            judgement = judged(kept.record, judge.judge, load_luck())
        replay = Page(HTML, _replay(path, kept, judgement).encode())
        with self._lock:
            if path in self._kept:
                self._pages[f"{path}.html"] = replay
        return Judged(judged_data(judgement, table.step, table.game.board, table.names))

    def _make_room(self) -> None:
        while len(self._paths) >= self._most:
            path = self._paths.popleft()
            del self._kept[path], self._pages[f"{path}.html"], self._pages[f"{path}.sgn.json"]


def _replay(path: str, kept: _Kept, judgement: Judgement | None = None) -> str:
    title = f"Catan: {', '.join(kept.record.players)}"
    return replay_html(kept.record, title, judgement, Source("game.sgn.json", path, kept.seat))
