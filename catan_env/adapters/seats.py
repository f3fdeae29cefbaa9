"""The players of the seats that do not learn: an attribute that can be set at any time."""

from typing import Any, ClassVar


class OtherSeats:
    """The attribute `opponents`; cooperative games have another name for it (`others`)."""

    others: ClassVar[str] = "opponents"

    @property
    def opponents(self) -> Any:
        """The policies of the other seats, which may be replaced at any time."""
        return self._given_opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self._set_opponents(opponents)
        self._given_opponents = opponents

    def _set_opponents(self, opponents: Any) -> None:
        """Set the policies; an error if they cannot play."""
        raise NotImplementedError
