"""The error of a record: its reason and its place."""

from typing import Any

from catan_env.kernel.shown import shortened, shown

LONGEST_REASON = 230
"""Maximum length of an error without its place; with it, an error has about 300 characters."""
LONGEST_UUID = 36


class NotationError(ValueError):
    """A record that cannot be read, or a game that the notation cannot express.

    `path` is the JSON path of the place ("$[12].value.resources[0]"), `index` the number of the
    message there and `uuid` its identifier, if any.
    """

    def __init__(
        self, reason: str, path: str = "", index: int | None = None, uuid: str | None = None
    ) -> None:
        self.reason = reason = shortened(reason, LONGEST_REASON)
        self.path = path
        self.index = index
        self.uuid = uuid
        super().__init__(reason, path, index, uuid)

    def of_message(self, index: int, message: Any) -> "NotationError":
        """Return the same error with its path relative to the whole record, not one message."""
        uuid = message.get("uuid") if isinstance(message, dict) else None
        path = f"$[{index}]{self.path}"
        return NotationError(self.reason, path, index, uuid if isinstance(uuid, str) else None)

    def __str__(self) -> str:
        uuid = "" if self.uuid is None else f" (uuid {shortened(self.uuid, LONGEST_UUID)})"
        return f"{self.path}{uuid}: {self.reason}" if self.path else self.reason


def unlike(came: Any, allowed: str, path: str) -> NotationError:
    """Return the error for `came` where `allowed` was expected."""
    return NotationError(f"{shown(came)}; {allowed}", path)
