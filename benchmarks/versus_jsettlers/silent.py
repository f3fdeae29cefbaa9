"""A policy that makes no offers."""

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.view import SeatView
from catan_env.protocols.jsettlers.agent import DecideWithin


class Silent:
    """A policy that makes no offers."""

    def __init__(self, decide: DecideWithin) -> None:
        self._decide = decide

    def __call__(self, view: SeatView, within: float) -> int:
        """The policy's choice as if its offers were used up."""
        if view.phase == Phase.MAIN:
            view = view.copy()
            correction.offer_no_more(view)
        return self._decide(view, within)
