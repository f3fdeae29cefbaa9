"""Which line is which seat, who is still there, and what is said to whom."""

from collections.abc import Collection

from catan_env.net.room import Close, Effect, Send
from catan_env.protocols.catan_binary.messages import Message


class Seats:
    """The agents of one game, by seat; what is to be sent is collected until `flush`.

    >>> seats = Seats(2)
    >>> seats.take(70), seats.take(71), seats.take(72)
    (True, True, False)
    >>> seats.of(71), sorted(seats.present)
    (1, [0, 1])
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._seat_of: dict[int, int] = {}
        self._line_of: dict[int, int] = {}
        self._reserved: dict[int, int] = {}
        self.present: set[int] = set()
        """Those that are sent messages."""
        self.doomed: dict[int, str] = {}
        """Those that will be kicked when the turn has ended, and why."""
        self._effects: list[Effect] = []

    @property
    def are_all_settled(self) -> bool:
        """Whether every agent has connected or will not come."""
        return len(self.present | self.doomed.keys()) == self._count

    def reserve(self, line: int, seat: int) -> None:
        """Keep `seat` for a line that will open."""
        self._reserved[line] = seat

    def take(self, line: int) -> bool:
        """Give a line the seat kept for it, or the lowest that is free; False where none is."""
        seat = self._reserved.pop(line, self._free())
        if seat is None or seat in self._line_of:
            return False
        self._seat_of[line], self._line_of[seat] = seat, line
        self.present.add(seat)
        return True

    def of(self, line: int) -> int | None:
        """The seat of a line."""
        return self._seat_of.get(line)

    def line_of(self, seat: int) -> int:
        """The line of a seat that is there."""
        return self._line_of[seat]

    def plays(self, seat: int) -> bool:
        """Whether a seat is there to stay."""
        return seat in self.present and seat not in self.doomed

    def remove(self, seat: int) -> None:
        """Close a seat's line, if it has one; nothing is sent to it any more."""
        self.doomed.pop(seat, None)
        if seat in self.present:
            self.present.discard(seat)
            self._effects.append(Close(self._line_of[seat]))

    def send(self, seat: int, message: Message) -> None:
        """Say something to one seat, if it is there."""
        if seat in self.present:
            self._effects.append(Send(self._line_of[seat], message))

    def send_all(self, message: Message, but: Collection[int] = ()) -> None:
        """Say something to everybody who is there, in order of their seats."""
        for seat in sorted(self.present):
            if seat not in but:
                self.send(seat, message)

    def close_all(self) -> None:
        """Close the lines of all who are still there."""
        self._effects += [Close(self._line_of[seat]) for seat in sorted(self.present)]

    def flush(self) -> list[Effect]:
        """What was collected, in order."""
        effects, self._effects = self._effects, []
        return effects

    def _free(self) -> int | None:
        settled = {*self._line_of, *self.doomed, *self._reserved.values()}
        return min(set(range(self._count)) - settled, default=None)
