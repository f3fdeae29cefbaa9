"""Ended games: a record and a replay of each, and tables to play on from them."""

from collections import deque
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass

from catan_env.net.websocket import Page
from catan_env.notation import Record, dumps, loads, to_sgn
from catan_env.policy import load_policy
from catan_env.render.judged import judged
from catan_env.render.replay import Source, replay_html
from catan_env.web.messages import Over
from catan_env.web.page import HTML, JSON
from catan_env.web.room import Seating
from catan_env.web.secret import new_secret
from catan_env.web.table import Adviser, LiveTable, ShownTable

MOST_KEPT = 100
"""The number of games whose pages are stored; older ones are removed."""
STAND_IN = "greedy"
"""The policy of a person's seat when the person does not continue."""


@dataclass(frozen=True)
class _Kept:
    record: Record
    policies: tuple[str, ...]
    """By seat: its policy when a person continues from another seat."""


class Shelf:
    """Stores ended games among `pages`, under paths that are impossible to guess.

    `write` may store them elsewhere as well. With an adviser their replays are judged.
    """

    def __init__(
        self,
        pages: MutableMapping[str, Page],
        write: Callable[[ShownTable], None] | None = None,
        adviser: Adviser | None = None,
    ) -> None:
        self._pages = pages
        self._write = write
        self._adviser = adviser
        self._kept: dict[str, _Kept] = {}
        self._paths: deque[str] = deque()

    def seating(
        self, table: ShownTable, secrets: dict[str, int | None], policies: Sequence[str] = ()
    ) -> Seating:
        """A seating whose game is stored here; `policies` are the policies' names by seat."""
        path = f"/{new_secret()}"
        names = tuple(policies) or (STAND_IN,) * table.game.seats

        def keep(ended: ShownTable) -> Over:
            return self._keep(ended, path, names)

        def study(ended: ShownTable) -> None:
            self._study(ended, path)

        return Seating(table, secrets, keep, study if self._adviser is not None else None)

    def reopen(self, path: str, step: int, seat: int) -> tuple[str, Seating]:
        """A table at a step of a stored game, and the secret of a seat there.

        ValueError if there is no such game, step or seat.
        """
        kept = self._kept.get(path)
        if kept is None:
            raise ValueError("that game is not kept here any more")
        if not 0 <= seat < len(kept.policies) or step < 0:
            raise ValueError(f"there is no seat {seat} or no step {step}")
        policies = {
            other: load_policy(name, other)
            for other, name in enumerate(kept.policies)
            if other != seat
        }
        table = LiveTable.resumed(kept.record, step, policies, self._adviser)
        secret = new_secret()
        return secret, self.seating(table, {secret: seat, new_secret(): None}, kept.policies)

    def _keep(self, table: ShownTable, path: str, policies: tuple[str, ...]) -> Over:
        messages = to_sgn(table.game, players=table.names)
        over = Over(f"{path}.html", f"{path}.sgn.json")
        self._make_room()
        self._kept[path] = _Kept(loads(messages), policies)
        self._paths.append(path)
        self._pages[over.replay] = Page(HTML, self._replay(path, table).encode())
        self._pages[over.record] = Page(JSON, dumps(messages).encode())
        if self._write is not None:
            self._write(table)
        return over

    def _study(self, table: ShownTable, path: str) -> None:
        """Replace the plain replay by a judged one."""
        self._pages[f"{path}.html"] = Page(HTML, self._replay(path, table, True).encode())

    def _replay(self, path: str, table: ShownTable, is_judged: bool = False) -> str:
        record, judgement = self._kept[path].record, None
        if is_judged and self._adviser is not None:
            with self._adviser.lock:
                judgement = judged(record, self._adviser.judge)
        title = f"Catan: {', '.join(table.names)}"
        return replay_html(record, title, judgement, Source("game.sgn.json", path))

    def _make_room(self) -> None:
        while len(self._paths) >= MOST_KEPT:
            path = self._paths.popleft()
            del self._kept[path], self._pages[f"{path}.html"], self._pages[f"{path}.sgn.json"]
