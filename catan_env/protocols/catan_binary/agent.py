"""An agent that seats a policy at a server: messages in, the policy's decisions out."""

from collections.abc import Iterator
from typing import TextIO

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.view import Decide, SeatView
from catan_env.net.framing import Connection
from catan_env.net.present import Present
from catan_env.net.watchdog import PATIENCE
from catan_env.protocols.catan_binary.follow import Follower
from catan_env.protocols.catan_binary.messages import BinaryCodec, Message, Trade, TradeReject
from catan_env.protocols.catan_binary.pending import Awaited
from catan_env.protocols.catan_binary.speech import to_messages

GRACE = 0.5
"""Seconds to wait for an announcement while it is unknown whether this server makes any."""

DIALECT = "CATAN_ENV_DIALECT"
"""The environment variable in which our server passes its dialect to the agents it starts."""


def client_end() -> Connection[Message]:
    """Return a client's end of a connection, in the byte order that the server turns out to use."""
    return Connection(BinaryCodec(order=None))


class Agent:
    """One seat of a game; `decide` is called whenever it is this seat's decision.

    A `net.visitor.Visitor` for one game. `announced`: the server announces what a seat cannot
    compute; None detects it. Received messages are written to `log`. After `patience` seconds
    of silence on its own turn the agent continues without an answer (0: it waits without a limit).
    `is_ours`: it is known to be the server of this package, which follows docs/protocol.md.
    """

    def __init__(
        self,
        decide: Decide,
        announced: bool | None = None,
        log: TextIO | None = None,
        patience: float = PATIENCE,
        is_ours: bool = False,
    ) -> None:
        self._decide = decide
        self._patience = patience
        self._follower = Follower(announced, is_ours)
        self._log = log
        self.present = Present()
        self._quiet_since = 0.0
        """The time of the last message or decision."""

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self._follower.is_over

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self._follower.winner

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due, or None if no message is awaited."""
        return None if self._silence is None else self._quiet_since + self._silence

    @property
    def _silence(self) -> float | None:
        """Seconds of silence after which the awaited message counts as not coming.

        Another seat has a separate clock for its answer. MSG_ROLL and MSG_ROB are awaited without a
        limit: if the server is only slow, any other message would lead to a kick.
        """
        awaited, begin = self._follower.awaited, self._follower.begin
        if awaited is None:
            return None
        if awaited in (Awaited.LOSSES, Awaited.BANK) and not self._follower.account.announced:
            return GRACE
        others = begin.timeout_secs if begin is not None and awaited is Awaited.PARTNER else 0
        return others + self._patience if self._patience else None

    @property
    def follower(self) -> Follower:
        """The agent's knowledge of the game."""
        return self._follower

    def shown(self, view: SeatView) -> SeatView:
        """Return `view` as the policy sees it, where this server may refuse some of its cards."""
        held = view.cards(view.viewer)
        held_back = [kind for kind in self._follower.account.held_back if held[kind]]
        if not held_back or view.turn_seat != view.viewer:
            return view
        shown = view.copy()
        correction.hold_back(shown, held_back)
        return shown

    def opened(self, now: float) -> list[Message]:
        """Return nothing: the server begins."""
        return []

    def received(self, message: Message, now: float) -> Iterator[Message]:
        """Follow a message of the server, and decide as long as it is this seat's decision."""
        self.present.begin(now)
        if self._log is not None:
            print(message, file=self._log, flush=True)
        self._follower.hear(message)
        if isinstance(message, Trade) and self._follower.has_to_refuse(message):
            yield TradeReject(message.target_id, message.player_id)
        yield from self._play()

    def time(self, now: float) -> Iterator[Message]:
        """Continue without the message that was awaited until `deadline`."""
        self.present.begin(now)
        if self.deadline is not None and now >= self.deadline:
            self._follower.hear_nothing()
            yield from self._play()

    def closed(self, now: float) -> None:
        """Do nothing: a game whose connection ends is lost."""

    def _play(self) -> Iterator[Message]:
        while self._follower.is_asked:
            view = self._follower.view
            action = self._decided(view)
            messages = to_messages(view, action)
            self._follower.say(action, messages)
            yield from messages
        self._quiet_since = self.present.now

    def _decided(self, view: SeatView) -> Action:
        """Return the policy's action, unless a pending one could be confused with it."""
        account = self._follower.account
        if account.has_to_pass and view.phase == Phase.MAIN:
            return Action.end_turn()
        action = Action.from_index(int(self._decide(self.shown(view))))
        if action.kind == ActionKind.OFFER and account.has_open_offer:
            return Action.end_turn()
        if action.kind == ActionKind.BANK_TRADE and account.is_refused_by_bank:
            return Action.end_turn()
        return action
