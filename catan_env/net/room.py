"""A room: where messages meet. Messages in, effects out; no sockets, and time is an argument."""

from collections.abc import Collection
from typing import Any, NamedTuple, Protocol


class Send(NamedTuple):
    """Say `message` to one seat; telling everybody is one Send a seat."""

    seat: int
    message: Any


class Close(NamedTuple):
    """Close a seat's connection once it has been sent what it was sent."""

    seat: int


Effect = Send | Close


class Kicked(NamedTuple):
    """A seat that was removed: in which turn, and why."""

    seat: int
    turn: int
    reason: str


class Room(Protocol):
    """What a server needs of a protocol's room; `now` is in seconds of any steady clock."""

    kicks: list[Kicked]
    decision_times: list[list[float]]
    """By seat: how many seconds each awaited message took."""

    @property
    def deadline(self) -> float | None:
        """When `timeout` is due; None while nobody's clock runs."""

    @property
    def is_over(self) -> bool:
        """Whether the conversation has ended."""

    def hears(self, seat: int) -> bool:
        """Whether what `seat` sends can still matter."""

    def join(self, seat: int) -> None:
        """The agent of `seat` has connected."""

    def begin(self, now: float) -> list[Effect]:
        """Everybody who is coming is there."""

    def receive(self, seat: int, message: Any, now: float) -> list[Effect]:
        """`seat` has sent a message."""

    def leave(self, seat: int, reason: str, now: float) -> list[Effect]:
        """`seat` cannot play on: its connection, its process or its messages are broken."""

    def timeout(self, now: float, amid_message: Collection[int] = ()) -> list[Effect]:
        """Time has passed; `amid_message` are seats that have sent half a message."""
