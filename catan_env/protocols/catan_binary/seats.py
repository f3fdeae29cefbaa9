"""The lines and seats of one game: which are present, and the messages to each."""

from collections.abc import Collection

from catan_env.net.room import Close, Effect, Send
from catan_env.protocols.catan_binary.messages import Message


class Seats:
    """The agents of one game, by seat; outgoing messages are collected until `flush`.

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
        """Seats that are sent messages."""
        self.doomed: dict[int, str] = {}
        """Seats to kick at the end of the turn, with the reasons."""
        self._effects: list[Effect] = []

    @property
    def are_all_settled(self) -> bool:
        """True if every agent has connected or will not come."""
        return len(self.present | self.doomed.keys()) == self._count

    def reserve(self, line: int, seat: int) -> None:
        """Reserve `seat` for a line that will open."""
        self._reserved[line] = seat

    def take(self, line: int) -> bool:
        """Give a line its reserved seat, or the lowest free one; False if there is none."""
        seat = self._reserved.pop(line, self._free())
        if seat is None or seat in self._line_of:
            return False
        self._seat_of[line], self._line_of[seat] = seat, line
        self.present.add(seat)
        return True

    def of(self, line: int) -> int | None:
        """Return the seat of a line."""
        return self._seat_of.get(line)

    def line_of(self, seat: int) -> int:
        """Return the line of a seat that is present."""
        return self._line_of[seat]

    def plays(self, seat: int) -> bool:
        """True if a seat is present and will not be kicked."""
        return seat in self.present and seat not in self.doomed

    def remove(self, seat: int) -> None:
        """Close a seat's line, if it has one; no more messages are sent to it."""
        self.doomed.pop(seat, None)
        if seat in self.present:
            self.present.discard(seat)
            self._effects.append(Close(self._line_of[seat]))

    def send(self, seat: int, message: Message) -> None:
        """Send a message to one seat, if it is present."""
        if seat in self.present:
            self._effects.append(Send(self._line_of[seat], message))

    def send_all(self, message: Message, but: Collection[int] = ()) -> None:
        """Send a message to all seats that are present, in order."""
        for seat in sorted(self.present):
            if seat not in but:
                self.send(seat, message)

    def close_all(self) -> None:
        """Close the lines of all seats that are still present."""
        self._effects += [Close(self._line_of[seat]) for seat in sorted(self.present)]

    def flush(self) -> list[Effect]:
        """Return the collected effects, in order."""
        effects, self._effects = self._effects, []
        return effects

    def _free(self) -> int | None:
        settled = {*self._line_of, *self.doomed, *self._reserved.values()}
        return min(set(range(self._count)) - settled, default=None)
