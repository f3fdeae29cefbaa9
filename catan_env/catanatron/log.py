"""catanatron's actions and log in one form for all versions.

Up to 3.2 an entry of the log is an action whose value contains its random outcome, and a seat's
discards are drawn together. Since 3.3 an entry is a record, an action and its result, and a seat
chooses its discards one by one. This module uses the form of 3.3.
"""

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import catanatron
from catanatron.models.enums import ActionType

from catan_env.catanatron.entry import Entry

HAS_RECORDS = hasattr(ActionType, "DISCARD_RESOURCE")
"""True for catanatron 3.3 or later."""


def entry_of(logged: Any) -> Entry:
    """A playable action, or an entry of the log, in this form."""
    action, result = (logged.action, logged.result) if hasattr(logged, "action") else (logged, None)
    kind, value = action.action_type.name, action.value
    if kind in ("DISCARD", "DISCARD_RESOURCE"):
        return Entry(action.color, "DISCARD", None, [value] if isinstance(value, str) else value)
    if kind == "MOVE_ROBBER":
        at, victim, *card = value
        return Entry(action.color, kind, (at, victim), card[0] if card else result)
    if kind in ("ROLL", "BUY_DEVELOPMENT_CARD"):
        return Entry(action.color, kind, None, value if result is None else result)
    return Entry(action.color, kind, value)


def logged_in(state: Any) -> list[Any]:
    """The log as catanatron writes it."""
    return state.action_records if HAS_RECORDS else state.actions


def described() -> str:
    """catanatron's version and location; a clone on the path has no version of its own."""
    place = Path(catanatron.__file__).parent
    try:
        installed = distribution("catanatron")
        is_installed = Path(str(installed.locate_file("catanatron"))) == place
    except PackageNotFoundError:
        is_installed = False
    if is_installed:
        number = installed.version
    else:
        number = "from its repository, 3.3 or later" if HAS_RECORDS else "from its repository"
    return f"catanatron {number} ({place})"
