"""Partners for the trade benchmark: `greedy` in everything but its answers to offers."""

from catan_env import Phase, SeatView
from catan_env.core.actions import ACCEPT_ACTION, REJECT_ACTION
from catan_env.policies.greedy import Greedy


class Generous:
    """Accepts every offer that it can pay."""

    def __init__(self, seed: int = 0) -> None:
        self._greedy = Greedy(seed)

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        if view.phase == Phase.ANSWER and view.in_mask(ACCEPT_ACTION):
            return ACCEPT_ACTION
        return self._greedy.act(view)


class Haggler:
    """Accepts what greedy accepts, but only for more cards than it gives."""

    def __init__(self, seed: int = 0) -> None:
        self._greedy = Greedy(seed)

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        offer = view.offer
        if offer is not None and view.phase == Phase.ANSWER and gains(offer.give, offer.get) <= 0:
            return REJECT_ACTION
        return self._greedy.act(view)


def gains(get: tuple[int, ...], give: tuple[int, ...]) -> int:
    """The cards that a trade brings.

    >>> gains((0, 2, 0, 0, 0), (1, 0, 0, 0, 0))
    1
    """
    return sum(get) - sum(give)
