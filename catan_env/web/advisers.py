"""The advisers of a server's tables, by the name of their policy."""

from threading import Lock

from catan_env.web.late import late_judge
from catan_env.web.table import Adviser


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
