"""The bridge that seats a policy at a server of the German protocol: bytes in, bytes out.

Nothing here waits: what is due when nothing is heard says `deadline`, and `time` does it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TextIO

from catan_env.core.constants import Phase
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.net.framing import Connection
from catan_env.net.room import Garbled
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.follow import Follower
from catan_env.protocols.catan_german.messages import (
    Answer,
    CancelOffer,
    ClientHello,
    Conclude,
    Failure,
    Hello,
    Introduce,
    Message,
    Offered,
    StartGame,
    said_by_server,
)
from catan_env.protocols.catan_german.opening import SOFTWARE

Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""

PATIENCE = 1.0
"""Seconds to wait for an answer in the lobby, or for cards, that some servers do not give."""
OFFER_PATIENCE = 3.0
"""Seconds to wait for a partner where a protocol has no refusal (11)."""
NO_REFUSALS = ("0.2", "0.3")

SAFE = {Phase.ROLL: Action.roll(), Phase.MAIN: Action.end_turn()}
"""What can always be done."""


@dataclass
class Proposal:
    """The own offer on the table, meant for one seat."""

    partner: int
    is_closing: bool = False
    """Whether it has been concluded or withdrawn, and the server has yet to say so."""


class Agent:
    """One seat of a game; `decide` is asked whenever it is this seat's decision.

    `receive` and `time` give the bytes to send; `now` is in seconds of any steady clock. What is
    heard is written to `log`. Both raise RemoteProtocolError.
    """

    def __init__(
        self,
        decide: Decide,
        name: str = "catan_env",
        colour: str | None = None,
        log: TextIO | None = None,
    ) -> None:
        self.follower = Follower()
        self._deadline: float | None = None
        self._cards_due: float | None = None
        """Until when cards are awaited that the server has yet to name."""
        self._decide = decide
        self._name = name
        self._colours = [colour] if colour else []
        self._log = log
        self._connection: Connection[Any] = Connection(GermanCodec(said_by_server()))
        self._out: list[Message] = []
        self._has_introduced = self._has_asked_to_start = False
        self._proposal: Proposal | None = None
        self._refused: set[ActionKind] = set()
        """Kinds of actions that the server refused in this turn."""
        self._refused_actions: set[Action] = set()
        self._refused_in = -1
        self._has_to_roll_first = False
        """Whether the server refuses cards before the roll."""
        self._unconfirmed: list[int] = []
        """Offers whose answers by this seat the server has yet to confirm, by their numbers."""
        self._refusal_due: float | None = None
        """When a refusal that seemed to be of such an answer was one of what was said last."""

    @property
    def deadline(self) -> float | None:
        """When `time` is due; None while there is nothing to wait for but the server."""
        dues = (self._deadline, self._cards_due, self._refusal_due)
        return min((due for due in dues if due is not None), default=None)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.follower.is_over

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self.follower.winner

    def receive(self, data: bytes, now: float) -> bytes:
        """Hear what the server sent; what to say."""
        for message in self._connection.receive(data):
            if self._log is not None:
                print(message, file=self._log, flush=True)
            if not isinstance(message, Garbled):
                self._hear(message, now)
        return self._flush()

    def time(self, now: float) -> bytes:
        """Nothing came that was waited for."""
        if self._deadline is not None and now >= self._deadline:
            self._deadline = None
            if not self.follower.has_started:
                self._go_on_in_lobby(now)
            elif self._proposal is not None and not self._proposal.is_closing:
                self._withdraw()
        if self._cards_due is not None and now >= self._cards_due:
            self.follower.give_up()
            self._decide_all(now)
        if self._refusal_due is not None and now >= self._refusal_due:
            self._be_refused_in_game()
            self._decide_all(now)
        return self._flush()

    def hear_end(self) -> None:
        """The server has closed the connection: in 0.1 that is how a game ends (13)."""
        if self.follower.has_started and self.follower.version == "0.1":
            self.follower.is_over = True

    def _flush(self) -> bytes:
        out, self._out = self._out, []
        return b"".join(map(self._connection.send, out))

    def _hear(self, message: Message, now: float) -> None:
        self.follower.hear(message)
        if isinstance(message, Hello):
            self._out.append(ClientHello(f"{SOFTWARE} (catan_env) (KI)"))
        elif self.follower.has_started:
            self._play(message, now)
        elif self.follower.seats.me is not None:
            self._find_a_place(message, now)

    # In the lobby (2).

    def _find_a_place(self, message: Message, now: float) -> None:
        if self.follower.status == words.READY:
            self._deadline = None
        elif is_colour_refusal(message):
            self._be_refused(now)
        elif not self._has_introduced and self.follower.status is None:
            self._deadline = now + PATIENCE if self._deadline is None else self._deadline
        elif not self._has_introduced:
            self._introduce(now)
        elif isinstance(message, Answer) and not self._has_asked_to_start:
            self._ask_to_start(now)

    def _be_refused(self, now: float) -> None:
        """Said once or twice; another colour, once."""
        if self._has_asked_to_start:
            self._has_asked_to_start = False
            self._introduce(now)

    def _go_on_in_lobby(self, now: float) -> None:
        if not self._has_introduced:
            self._introduce(now)
        elif self.follower.status != words.READY:
            self._ask_to_start(now)

    def _introduce(self, now: float) -> None:
        colour = self._next_colour()
        self._colours.append(colour)
        self._has_introduced = True
        self._out.append(Introduce(self._name, colour))  # type: ignore[arg-type]
        self._deadline = now + PATIENCE

    def _next_colour(self) -> str:
        """The wished one first; then one that nobody has been seen with, nor we refused."""
        if len(self._colours) == 1 and not self._has_introduced:
            return self._colours.pop()
        seats = self.follower.seats
        others = [player for player in seats.players.values() if player.id != seats.me]
        seen = {player.colour for player in others}
        free = [colour for colour in words.COLOURS if colour not in seen]
        fresh = [colour for colour in free if colour not in self._colours]
        return (fresh or free or list(words.COLOURS))[0]

    def _ask_to_start(self, now: float) -> None:
        self._has_asked_to_start = True
        self._out.append(StartGame())
        self._deadline = now + PATIENCE

    # In the game.

    def _play(self, message: Message, now: float) -> None:
        if isinstance(message, Answer | Failure):
            self._be_answered(message, now)
        elif isinstance(message, Offered):
            self._follow_own_offer(now)
        self._see_to_unconfirmed()
        self._see_to_proposal()
        self._decide_all(now)

    def _decide_all(self, now: float) -> None:
        """All that is this seat's to decide; if cards must be named first, wait a while."""
        while self.follower.is_asked_for_answer:
            self._answer_offer()
        while self.follower.is_asked:
            self._act()
        self._cards_due = now + PATIENCE if self.follower.awaits_cards else None

    def _be_answered(self, message: Answer | Failure, now: float) -> None:
        """OK changes nothing, deeds do; after a refusal the view is as before (16).

        What was said first is answered first: an answer to an offer that was gone when it came.
        """
        if message.text == words.OK:
            del self._unconfirmed[:1]
            self._refusal_due = None
        elif self._unconfirmed:
            del self._unconfirmed[:1]
            self._refusal_due = now + PATIENCE if self.follower.said else None
        else:
            self._be_refused_in_game()

    def _see_to_unconfirmed(self) -> None:
        """Some servers confirm an answer by saying it to all, some do not confirm it at all."""
        offer, follower = self.follower.offer, self.follower
        if offer is not None and follower.view is not None and follower.seat in offer.answers:
            self._unconfirmed = [number for number in self._unconfirmed if number != offer.number]
        if not follower.said:
            self._refusal_due = None

    def _be_refused_in_game(self) -> None:
        said, self._refusal_due = self.follower.said, None
        if not said:
            return
        if self._proposal is not None and self._proposal.is_closing:
            self._withdraw_after_refusal()
            return
        self._proposal = None
        self._note_refusal(said)
        self.follower.refused()

    def _withdraw_after_refusal(self) -> None:
        """The partner is no longer there; or the offer is not."""
        offer, self._proposal = self.follower.offer, None
        if offer is not None:
            self._out.append(CancelOffer(offer.number))
        else:
            self.follower.refused()

    def _note_refusal(self, said: tuple[Action, ...]) -> None:
        self._forget_refusals()
        view, kind = self.follower.view, said[0].kind
        if view is not None and view.phase == Phase.ROLL and kind != ActionKind.ROLL:
            self._has_to_roll_first = True
            return
        self._refused.add(kind)
        self._refused_actions.update(said)

    def _forget_refusals(self) -> None:
        """They count in one turn only."""
        assert self.follower.view is not None
        turn = self.follower.view.turn
        if turn != self._refused_in:
            self._refused_in = turn
            self._refused.clear()
            self._refused_actions.clear()

    def _act(self) -> None:
        """Ask the policy, as often as one message has decisions."""
        view = self.follower.view
        assert view is not None
        actions = self._decided(view)
        self.follower.say(actions)
        if actions[0].kind == ActionKind.OFFER:
            self._proposal = Proposal((view.viewer + actions[0].args[0]) % view.seats)
        self._out.append(self.follower.speech.request(view, actions))

    def _decided(self, view: SeatView) -> tuple[Action, ...]:
        self._forget_refusals()
        first = Action.from_index(int(self._decide(view)))
        if first.kind in self._refused or (self._refused and view.phase == Phase.MAIN):
            first = self._safe(view)
        elif self._has_to_roll_first and view.phase == Phase.ROLL:
            first = Action.roll()
        return (first, *self._decided_after(view, first))

    def _safe(self, view: SeatView) -> Action:
        safe = SAFE.get(view.phase)
        if safe is not None:
            return safe
        legal = list(view.legal_actions)
        untried = [action for action in legal if action not in self._refused_actions]
        return (untried or legal)[0]

    def _decided_after(self, view: SeatView, first: Action) -> list[Action]:
        """What else the message says, decided step by step on a copy of the view."""
        phase = _GO_ON.get(first.kind)
        if phase is None:
            return []
        trial, more = view.copy(), []
        trial.apply(Event(view.viewer, first))
        while trial.phase == phase and trial.seat == view.viewer:
            more.append(Action.from_index(int(self._decide(trial))))
            if phase == Phase.ROBBER:
                break
            trial.apply(Event(view.viewer, more[-1]))
        return more

    # Trade (11).

    def _follow_own_offer(self, now: float) -> None:
        follower = self.follower
        is_own = follower.view is not None and follower.offer is not None
        if is_own and follower.offer.seat == follower.seat:  # type: ignore[union-attr]
            self._deadline = now + OFFER_PATIENCE if follower.version in NO_REFUSALS else None

    def _see_to_proposal(self) -> None:
        """Conclude with the seat that was meant, or withdraw."""
        proposal, offer = self._proposal, self.follower.offer
        if proposal is None:
            return
        if not self.follower.said:
            self._proposal = self._deadline = None
        elif offer is not None and offer.seat == self.follower.seat and not proposal.is_closing:
            answer = offer.answers.get(proposal.partner)
            if answer is not None:
                self._conclude(offer.number, proposal) if answer else self._withdraw()

    def _conclude(self, number: int, proposal: Proposal) -> None:
        proposal.is_closing, self._deadline = True, None
        partner = self.follower.speech.ids[proposal.partner]
        self._out.append(Conclude(number, partner))

    def _withdraw(self) -> None:
        offer = self.follower.offer
        assert self._proposal is not None
        self._proposal.is_closing, self._deadline = True, None
        if offer is not None:
            self._out.append(CancelOffer(offer.number))

    def _answer_offer(self) -> None:
        """Decide as if the offer had been made to this seat alone."""
        follower = self.follower
        view, offer = follower.view, follower.offer
        assert view is not None and offer is not None
        trial = view.copy()
        step = (view.viewer - offer.seat) % view.seats
        try:
            trial.apply(Event(offer.seat, Action.offer(step, offer.give, offer.get)))
            action = Action.from_index(int(self._decide(trial)))
        except IllegalActionError:  # no offer by our rules
            action = Action.reject()
        follower.say([action])
        self._unconfirmed.append(offer.number)
        self._out.append(follower.speech.request(trial, [action], offer.number))


def is_colour_refusal(message: Message) -> bool:
    """Whether the colour is taken; some add an exclamation mark."""
    is_answer = isinstance(message, Answer | Failure)
    return is_answer and message.text.rstrip("! .") == words.COLOUR_TAKEN  # type: ignore[attr-defined]


_GO_ON = {
    ActionKind.PLAY_KNIGHT: Phase.ROBBER,
    ActionKind.PLAY_ROAD_BUILDING: Phase.FREE_ROAD,
    ActionKind.DISCARD: Phase.DISCARD,
}
"""The phase in which an action's message goes on."""
