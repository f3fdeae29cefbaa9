"""Advisers: the opinions of policies on positions, for the tables of a server."""

from threading import Lock
from typing import NamedTuple

from catan_env.game.view import SeatView
from catan_env.policy import Judge
from catan_env.web.late import Late, late_judge


class Advised(NamedTuple):
    """An adviser's opinion of a position."""

    choice: int
    moves: list[tuple[int, float]]
    """Flat indices and odds of winning, the best first."""
    outlook: tuple[float, ...]
    """Each seat's odds of winning."""


class Adviser:
    """A judge for several tables, used by one at a time; it may be loaded when first used."""

    def __init__(self, judge: Judge | Late[Judge], name: str = "") -> None:
        self._judge = judge
        self.name = name if isinstance(judge, Late) else judge.name
        """The policy's name."""
        self.lock = Lock()
        """Held while the judge is in use: its memory is for one caller at a time."""

    @property
    def is_ready(self) -> bool:
        """True if the judge can be asked without loading it first."""
        return not isinstance(self._judge, Late) or self._judge.is_made

    @property
    def judge(self) -> Judge:
        """The judge; the caller waits if it must be loaded first."""
        return self._judge() if isinstance(self._judge, Late) else self._judge

    def advise(self, view: SeatView) -> Advised:
        """The policy's move, the odds after it and after others, and every seat's odds."""
        with self.lock:
            judge = self.judge
            likely = judge.likely(view)
            return Advised(likely[0], judge.weigh(view, likely), judge.win_probabilities(view))


class Advisers:
    """Advisers that are loaded when first used; tables with the same one share it.

    >>> advisers = Advisers()
    >>> advisers.named("greedy") is advisers.named("greedy")
    True
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_name: dict[str, Adviser] = {}

    def named(self, name: str | None) -> Adviser | None:
        """The adviser of that name; None if there is no name."""
        if not name:
            return None
        with self._lock:
            if name not in self._by_name:
                self._by_name[name] = Adviser(late_judge(name), name)
            return self._by_name[name]
