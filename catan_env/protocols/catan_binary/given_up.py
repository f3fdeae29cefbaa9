"""What a follower knew when it gave up waiting, should the announcement only have been late."""

from dataclasses import dataclass, field

from catan_env.core.constants import Phase
from catan_env.game.action import Action
from catan_env.protocols.catan_binary.messages import NOTHING, Message, Trade, TradeAccept
from catan_env.protocols.catan_binary.pending import Choice, Losses, Pending
from catan_env.protocols.catan_binary.unannounced import Belief


@dataclass
class GivenUp:
    """The state before anything was assumed, and what the seat has said since.

    A server says everything in order: only its next message can be the one that was awaited.
    """

    belief: Belief
    pending: Pending
    trades: list[Trade]
    announced: bool | None
    said: list[tuple[Action, list[Message]]] = field(default_factory=list)

    def is_answered_by(self, message: Message) -> bool:
        """Whether this is what was awaited."""
        if isinstance(message, TradeAccept):
            return self._awaits(message) and not self._is_ambiguous
        return isinstance(message, Trade) and message.ask == NOTHING and self._awaits_losses

    @property
    def _awaits_losses(self) -> bool:
        """Whether seats lose cards to a seven or to a monopoly."""
        return self.belief.view.phase == Phase.DISCARD or isinstance(self.pending, Losses)

    @property
    def _is_ambiguous(self) -> bool:
        """Some servers answer no choice: then the bank accepts what was said after it."""
        was_choice = isinstance(self.pending, Choice)
        return was_choice and any(isinstance(m, Trade) for _, said in self.said for m in said)

    def _awaits(self, message: TradeAccept) -> bool:
        ids = (message.target_id, message.player_id)
        return any((trade.player_id, trade.target_id) == ids for trade in self.trades)
