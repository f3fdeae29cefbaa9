"""Rate limits: a token bucket that fills as time passes."""


class Allowance:
    """`rate` tokens per second, and at most `rate` in store; `now` is any steady clock's seconds.

    >>> allowance = Allowance(rate=10, now=0.0)
    >>> [allowance.spend(1, now=0.0) for _ in range(10)] == [0.0] * 10
    True
    >>> allowance.spend(5, now=0.0), allowance.spend(0, now=0.4)
    (0.5, 0.1)
    """

    def __init__(self, rate: float, now: float) -> None:
        self._rate = rate
        self._left = rate
        self._at = now

    def spend(self, count: int, now: float) -> float:
        """Take `count` tokens, into debt if need be; return the seconds until the debt is paid."""
        self._left = min(self._rate, self._left + self._rate * (now - self._at)) - count
        self._at = now
        return max(0.0, round(-self._left / self._rate, 6))
