"""A policy's decisions at a server: one that the server does not allow is replaced by another."""

from time import perf_counter

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.view import Decide, SeatView
from catan_env.protocols.jsettlers import choices
from catan_env.protocols.jsettlers.refusals import Refusals


class Decisions:
    """The decisions of one seat in a game.

    What the server has refused in this turn is barred, and so is the robber's return to the desert
    where `desert_is_barred`.
    """

    def __init__(self, decide: Decide, refusals: Refusals, desert_is_barred: bool) -> None:
        self.seconds: list[float] = []
        """Seconds of each decision."""
        self._decide = decide
        self._refusals = refusals
        self._desert_is_barred = desert_is_barred

    def ask(self, view: SeatView) -> Action:
        """The policy's action."""
        begun = perf_counter()
        action = Action.from_index(int(self._decide(view)))
        self.seconds.append(perf_counter() - begun)
        return action

    def next_action(self, view: SeatView, may_offer: bool) -> Action:
        """The policy's action, or its substitute; offers only where there is time for an answer."""
        self._refusals.begin(view.turn)
        if view.phase == Phase.MAIN and (not may_offer or self._refusals.bars(ActionKind.OFFER)):
            view = _without_offers(view)
        action = self.ask(view)
        if action.kind == ActionKind.OFFER and _is_to_empty_seat(view, action):
            view = _without_offers(view)
            action = self.ask(view)
        if self._refusals.bars(action.kind) or self._is_barred(view, action):
            action = self._instead(view, action)
        return action

    def _is_barred(self, view: SeatView, action: Action) -> bool:
        """True if the robber would return to the desert although the options bar it."""
        if action.kind != ActionKind.MOVE_ROBBER or not self._desert_is_barred:
            return False
        return choices.is_desert(view, action.args[0])

    def _instead(self, view: SeatView, refused: Action) -> Action:
        """Return a substitute for a barred action: pass, or another action of that phase."""
        if view.phase == Phase.MAIN:
            return Action.end_turn()
        legal = [action for action in view.legal_actions if not self._is_barred(view, action)]
        others = [action for action in legal if not self._refusals.bars(action.kind)]
        untried = [action for action in legal if not self._refusals.bars_action(action)]
        return (others or untried or [refused])[0]


def _without_offers(view: SeatView) -> SeatView:
    """A copy whose action mask has no offers."""
    view = view.copy()
    correction.offer_no_more(view)
    return view


def _is_to_empty_seat(view: SeatView, offer: Action) -> bool:
    return not view.is_playing((view.viewer + offer.args[0]) % view.seats)
