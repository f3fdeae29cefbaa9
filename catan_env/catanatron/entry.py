"""An entry of catanatron's log, in the form of its version 3.3."""

from typing import Any, NamedTuple


class Entry(NamedTuple):
    """An action, and its result if chance or a choice was involved."""

    color: Any
    kind: str
    """The name of catanatron's ActionType; "DISCARD" in all versions."""
    value: Any
    result: Any = None
