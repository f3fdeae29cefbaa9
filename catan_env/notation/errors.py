"""What is wrong with a record, and where."""

from typing import Any


class NotationError(ValueError):
    """A record that cannot be read, or a game that the notation cannot say.

    `path` is the JSON path of the place ("$[12].value.resources[0]"), `index` the number of the
    message there and `uuid` its identifier, as far as there is one.
    """

    def __init__(
        self, reason: str, path: str = "", index: int | None = None, uuid: str | None = None
    ) -> None:
        self.reason = reason
        self.path = path
        self.index = index
        self.uuid = uuid
        super().__init__(reason, path, index, uuid)

    def of_message(self, index: int, message: Any) -> "NotationError":
        """The same error, its path counted from the whole record instead of one message."""
        uuid = message.get("uuid") if isinstance(message, dict) else None
        path = f"$[{index}]{self.path}"
        return NotationError(self.reason, path, index, uuid if isinstance(uuid, str) else None)

    def __str__(self) -> str:
        uuid = f" (uuid {self.uuid})" if self.uuid is not None else ""
        return f"{self.path}{uuid}: {self.reason}" if self.path else self.reason


def unlike(came: Any, allowed: str, path: str) -> NotationError:
    """The error that says what came and what was allowed."""
    said = repr(came)
    return NotationError(f"{said if len(said) <= 80 else said[:77] + '...'}; {allowed}", path)
