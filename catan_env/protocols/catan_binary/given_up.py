"""What a follower knew when it gave up waiting, should the announcement only have been late."""

from dataclasses import dataclass, field

from catan_env.game.action import Action
from catan_env.protocols.catan_binary.account import Account
from catan_env.protocols.catan_binary.messages import NOTHING, Message, Trade, TradeAccept
from catan_env.protocols.catan_binary.pending import Choice


@dataclass
class GivenUp:
    """The account before anything was assumed, and what the seat has said since.

    A server says everything in order: only its next message can be the one that was awaited.
    """

    before: Account
    said: list[tuple[Action, list[Message]]] = field(default_factory=list)

    def is_answered_by(self, message: Message) -> bool:
        """Whether this is what was awaited."""
        if isinstance(message, TradeAccept):
            return self.before.waiting_trade(message) is not None and not self._is_ambiguous
        is_loss = isinstance(message, Trade) and message.ask == NOTHING
        return is_loss and self.before.awaits_losses

    @property
    def _is_ambiguous(self) -> bool:
        """Some servers answer no choice: then the bank accepts what was said after it."""
        was_choice = isinstance(self.before.pending, Choice)
        return was_choice and any(isinstance(m, Trade) for _, said in self.said for m in said)
