"""Who plays the seats that do not learn: an attribute that can be set at any time."""

from typing import Any, ClassVar


class OtherSeats:
    """The attribute `opponents`, of which cooperative games have their own name (`others`)."""

    others: ClassVar[str] = "opponents"

    @property
    def opponents(self) -> Any:
        """What plays the other seats; others may take their places at any time."""
        return self._given_opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self._set_opponents(opponents)
        self._given_opponents = opponents

    def _set_opponents(self, opponents: Any) -> None:
        """Seat them; an error where they cannot play."""
        raise NotImplementedError
