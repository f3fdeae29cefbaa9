"""Discards at a seven (1), each announced by a Kosten."""

from catan_env.core.constants import Phase, Resource
from catan_env.game.action import Action, Counts
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german.corrected_view import CorrectedView
from catan_env.protocols.catan_german.ledger import Move


class Discards:
    """The discards of all seats since the last seven."""

    def __init__(self, tracked: CorrectedView) -> None:
        self.requested: tuple[Action, ...] = ()
        """This seat's discard, until the server announces it."""
        self.has_own = False
        """True once it has been announced; some servers ask for it until the roller is done."""
        self._tracked = tracked

    def begin(self) -> None:
        """Forget what this seat discarded at an earlier seven."""
        self.requested, self.has_own = (), False

    def is_requested(self, move: Move) -> bool:
        """True if it is the discard that this seat requested, whatever phase came before."""
        is_own = move.seat == self._view.viewer and move.sign < 0
        return is_own and move.total == len(self.requested)

    def is_owed(self, move: Move) -> bool:
        """True if it is what a seat owes at the seven."""
        view = self._view
        is_due = view.phase == Phase.DISCARD and move.sign < 0
        return is_due and view.owes(move.seat) == move.total

    def kinds_of(self, move: Move) -> Counts:
        """Count a discard as announced; return its cards, which are a guess if they are hidden."""
        counts, is_own = move.counts, move.seat == self._view.viewer
        is_hidden = sum(counts) != move.total
        if is_hidden and is_own:
            counts = self._requested_counts()
        elif is_hidden:
            counts = (move.total, 0, 0, 0, 0)
            self._tracked.forget(move.seat, move.total)
        if is_own:
            self.requested, self.has_own = (), True
        return counts

    def _requested_counts(self) -> Counts:
        kinds = [action.args[0] for action in self.requested]
        a, b, c, d, e = (kinds.count(kind) for kind in Resource)
        return a, b, c, d, e

    @property
    def _view(self) -> SeatView:
        assert self._tracked.view is not None
        return self._tracked.view
