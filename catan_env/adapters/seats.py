"""The players of the seats that do not learn: an attribute that can be set at any time."""

from collections.abc import Callable
from inspect import signature
from typing import Any, ClassVar

from catan_env.adapters.options import Options, UnknownOptionError


class OtherSeats:
    """The attribute `opponents`; cooperative games have another name for it (`others`)."""

    kind: ClassVar[type[Options]]
    others: ClassVar[str] = "opponents"

    @property
    def opponents(self) -> Any:
        """The policies of the other seats, which may be replaced at any time."""
        return self._given_opponents

    @opponents.setter
    def opponents(self, opponents: Any) -> None:
        self._set_opponents(opponents)
        self._given_opponents = opponents

    def _options_of(self, given: dict[str, Any], constructor: Callable[..., None]) -> Any:
        """The game's options by name; the error of an unknown one has the constructor's, too."""
        try:
            return self.kind.of(given)
        except UnknownOptionError as error:
            own = [name for name in signature(constructor).parameters if name != "self"][:-1]
            own = [self.others if name == "opponents" else name for name in own]
            raise TypeError(f"{error}; the environment itself has {', '.join(own)}") from None

    def _set_opponents(self, opponents: Any) -> None:
        """Set the policies; an error if they cannot play."""
        raise NotImplementedError
