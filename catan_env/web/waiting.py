"""Lines without a table: new ones, and those whose table is still being prepared.

A new line has SITTING seconds to send a secret. With the secret of an expected table it waits for
that table; if the table cannot be made, the line receives the reason, and so do later ones.
"""

from catan_env.net.room import Close, Effect, Send
from catan_env.web.messages import Preparing, Refused
from catan_env.web.seating import Expected

SITTING = 10.0
"""Seconds in which a line must send its secret."""
MOST_FAILURES = 256
"""Secrets of tables that could not be made whose reason is remembered."""


class WaitingLines:
    """The lines without a table, and the tables that they wait for.

    >>> waiting = WaitingLines()
    >>> waiting.expect(Expected(["ann"], ["the game"]))
    >>> waiting.sit(1, "ann"), len(waiting)
    ([Send(line=1, message=Preparing(parts=['the game'], invitation=''))], 1)
    """

    def __init__(self) -> None:
        self._expected: dict[str, Expected] = {}
        """By secret."""
        self._failures: dict[str, str] = {}
        """Why a table could not be prepared, by secret."""
        self._standing: dict[int, float] = {}
        """When each new line is closed, unless it has sent a secret."""

    def __len__(self) -> int:
        return len(self._standing) + sum(len(one.lines) for one in set(self._expected.values()))

    def __contains__(self, line: int) -> bool:
        """True if the line waits for a table."""
        return any(line in expected.lines for expected in self._expected.values())

    @property
    def tables(self) -> int:
        """The number of expected tables."""
        return len(set(self._expected.values()))

    @property
    def deadline(self) -> float | None:
        """When the first line that has sent no secret is closed."""
        return min(self._standing.values(), default=None)

    def open(self, line: int, now: float) -> None:
        """Add a new line."""
        self._standing[line] = now + SITTING

    def forget(self, line: int) -> None:
        """Forget a line that is closed, or has a table."""
        self._standing.pop(line, None)
        for expected in self._expected.values():
            expected.lines.pop(line, None)

    def expire(self, now: float) -> list[Effect]:
        """Close the lines whose time has passed."""
        late = [line for line, due in self._standing.items() if due <= now]
        for line in late:
            del self._standing[line]
        refused = Refused("no secret was said")
        return [effect for line in late for effect in (Send(line, refused), Close(line))]

    def expect(self, expected: Expected) -> None:
        """Accept lines for a table that will be prepared."""
        self._expected.update(dict.fromkeys(expected.secrets, expected))

    def expects(self, secret: str) -> bool:
        """True if there will be a table with that secret."""
        return secret in self._expected

    def reason(self, secret: str) -> str:
        """Why there is no table with that secret."""
        return self._failures.get(secret, "no seat has this secret")

    def sit(self, line: int, secret: str) -> list[Effect]:
        """Let a line wait for an expected table."""
        self.forget(line)
        expected = self._expected[secret]
        expected.lines[line] = secret
        return [Send(line, Preparing(expected.parts, expected.invitation))]

    def announce(self, expected: Expected) -> list[Effect]:
        """The parts that are missing, to the lines that wait for the table."""
        message = Preparing(expected.parts, expected.invitation)
        return [Send(line, message) for line in expected.lines]

    def found(self, expected: Expected) -> None:
        """Expect a table no longer: it is ready."""
        for secret in expected.secrets:
            del self._expected[secret]

    def give_up(self, expected: Expected, reason: str) -> list[Effect]:
        """Turn away the lines of a table that will not be made, now and later."""
        for secret in expected.secrets:
            del self._expected[secret]
            self._failures[secret] = reason
        while len(self._failures) > MOST_FAILURES:
            del self._failures[next(iter(self._failures))]
        refused = Refused(reason)
        return [effect for line in expected.lines for effect in (Send(line, refused), Close(line))]
