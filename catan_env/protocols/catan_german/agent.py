"""An agent that plays a policy on a server of the German protocol: messages in, messages out."""

import sys
from dataclasses import dataclass
from random import Random
from typing import Any, TextIO

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import Event
from catan_env.game.view import Decide, SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.framing import Connection
from catan_env.net.present import Present
from catan_env.net.room import Garbled
from catan_env.net.watchdog import PATIENCE, Watchdog
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.entry import Entry
from catan_env.protocols.catan_german.follow import OPENING, Follower
from catan_env.protocols.catan_german.messages import (
    NAMES,
    Answer,
    CancelOffer,
    Chat,
    ClientHello,
    Conclude,
    Failure,
    Hello,
    Message,
    said_by_server,
)
from catan_env.protocols.catan_german.opening import SOFTWARE
from catan_env.protocols.catan_german.safe import SAFE, asked_for
from catan_env.protocols.catan_german.trade import HeardOffer
from catan_env.protocols.catan_german.unanswered import Unanswered
from catan_env.terminal import printable

CARDS_PATIENCE = 1.0
"""Seconds to wait for cards that some servers do not announce."""

REPEAT = 1.0
"""Seconds before a refused request is repeated, if the seat has no other to make."""

STAY = 2.0
"""Seconds to stay connected after the end of the game, unless the server closes earlier: some
servers stop announcing the winner at the first client that has left."""


CARDS = frozenset({ActionKind.PLAY_KNIGHT, ActionKind.PLAY_ROAD_BUILDING,
                   ActionKind.PLAY_YEAR_OF_PLENTY, ActionKind.PLAY_MONOPOLY})  # fmt: skip
HARMLESS = CARDS | {ActionKind.OFFER}
"""After a refusal of one of these, the turn continues without its kind."""


@dataclass
class Proposal:
    """The seat's own open offer, meant for one seat."""

    partner: int
    is_closing: bool = False
    """True once it has been concluded or withdrawn, until the server confirms it."""


def client_end() -> Connection[Any]:
    """A client's end of a connection."""
    codec: Any = GermanCodec(said_by_server(), is_strict=False)
    return Connection(codec)


class Agent:
    """One seat of a game; `decide` is called whenever it is this seat's decision.

    A `net.visitor.Visitor` for one game. A message followed by `patience` seconds of silence counts
    as refused, and so does an unanswered offer; 0 waits without a limit. Received messages are
    written to `log`.
    """

    def __init__(
        self,
        decide: Decide,
        name: str = "catan_env",
        colour: str | None = None,
        log: TextIO | None = None,
        patience: float = PATIENCE,
        chance: Random | None = None,
    ) -> None:
        self.follower = Follower()
        self._entry = Entry(name, colour, chance)
        self._patience = patience
        self._watchdog = Watchdog(patience)
        self._offer_due: float | None = None
        """The time at which the seat's own offer is closed, even without all answers."""
        self._cards_due: float | None = None
        """The time until which cards are awaited that the server has yet to announce."""
        self._decide = decide
        self._log = log
        self._out: list[Message] = []
        self._proposal: Proposal | None = None
        self._silent: set[int] = set()
        """Seats that did not answer this seat's offer this turn, and are not waited for again."""
        self._refused: set[ActionKind] = set()
        """Kinds of actions that the server refused this turn."""
        self._refused_actions: set[Action] = set()
        self._turn = -1
        """The turn of these refusals."""
        self._has_to_roll_first = False
        """True if the server refuses cards before the roll."""
        self._is_refused = False
        """True if the server has refused this seat's last request."""
        self._again_at: float | None = None
        """The time at which a refused request is repeated."""
        self._unanswered = Unanswered()
        self._leaves_at: float | None = None
        """The time to close the connection after the end of the game."""
        self._has_left = False
        self._has_reported = False
        """True once an unreadable message has been reported."""
        self.present = Present()

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due; None while only the server is waited for."""
        if self._leaves_at is not None:
            return self._leaves_at
        if not self.follower.has_started:
            return self._entry.deadline
        dues = (self._offer_due, self._cards_due, self._again_at, self._watchdog.deadline)
        return min((due for due in dues if due is not None), default=None)

    @property
    def is_over(self) -> bool:
        """True if the game has ended and the connection may end too."""
        return self._has_left

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self.follower.winner

    def opened(self, now: float) -> list[Message]:
        """Send nothing: the server begins."""
        return []

    def received(self, message: Message | Garbled, now: float) -> list[Message]:
        """Follow the server's message, and answer."""
        self.present.begin(now)
        if self._log is not None:
            print(message, file=self._log, flush=True)
        if self._leaves_at is not None:
            return []
        if isinstance(message, Garbled):
            self._note_unreadable(message)
            return []
        self._hear(message, now)
        if self.follower.is_over:
            self._leaves_at = now + STAY
        return self._flush()

    def time(self, now: float) -> list[Message]:
        """Continue without the message awaited until `deadline`."""
        self.present.begin(now)
        if self._leaves_at is not None:
            self._has_left = now >= self._leaves_at
            return []
        if not self.follower.has_started:
            self._out += self._entry.time(self.follower, now)
            return self._flush()
        if self._again_at is not None and now >= self._again_at:
            self._end_pause()
        if self._cards_due is not None and now >= self._cards_due:
            self.follower.give_up()
        elif self._offer_due is not None and now >= self._offer_due:
            self._stop_waiting_for_answers()
        elif self._watchdog.is_overdue(now):
            self._take_for_refused()
        self._go_on()
        return self._flush()

    def closed(self, now: float) -> None:
        """Treat the end of the connection as the end of the game, which it is in 0.1 (8)."""
        if self.follower.has_started and self.follower.version == "0.1":
            self.follower.is_over = True
        self._has_left = self.follower.is_over

    def _note_unreadable(self, message: Garbled) -> None:
        """Report the first unreadable message; without those of the opening there is no game."""
        is_of_opening = message.name in {NAMES[kind] for kind in OPENING}
        if is_of_opening and not self.follower.has_started:
            raise RemoteProtocolError(message.reason)
        if not self._has_reported:
            line = printable(f"an unreadable message was ignored: {message.reason}")
            print(line, file=sys.stderr)
        self._has_reported = True

    def _flush(self) -> list[Message]:
        out, self._out = self._out, []
        return out

    def _hear(self, message: Message, now: float) -> None:
        had_said, status = bool(self.follower.said), self.follower.status
        offer = self.follower.offer
        self.follower.hear(message)
        if self.follower.status != status:
            self._end_pause()
        if isinstance(message, Hello):
            self._out.append(ClientHello(f"{SOFTWARE} (catan_env) (KI)"))
        elif self.follower.has_started:
            if had_said and not self.follower.said:
                self._unanswered.done()
            self._play(message, now, offer)
        elif self.follower.seats.me is not None:
            self._out += self._entry.hear(message, self.follower, now)

    def _play(self, message: Message, now: float, offer: HeardOffer | None) -> None:
        """Continue after a message, before which `offer` was open."""
        if not isinstance(message, Chat):
            self._watchdog.received(now)
        if isinstance(message, Answer | Failure):
            self._be_answered(message)
        elif self.follower.offer is not offer:
            self._follow_own_offer()
        self._see_to_answer()
        self._see_to_proposal()
        self._go_on()

    def _go_on(self) -> None:
        """Make all decisions of this seat, then determine what to wait for."""
        follower = self.follower
        while follower.is_asked_for_answer:
            self._answer_offer()
        while follower.is_asked and self._again_at is None:
            self._act()
        if follower.awaits_cards:
            due = self.present.now + CARDS_PATIENCE
            self._cards_due = due if self._cards_due is None else self._cards_due
        else:
            self._cards_due = None
        if not (follower.said or follower.is_stuck):
            self._watchdog.answered()
        elif not self._watchdog.is_waiting:
            self._watchdog.sent(self.present.now)

    def _send(self, message: Message) -> None:
        """Send a message of the seat's own turn."""
        assert self.follower.view is not None
        self._out.append(message)
        self._unanswered.sent(self.follower.view.turn)
        self._watchdog.sent(self.present.now)

    def _be_answered(self, message: Answer | Failure) -> None:
        """Ignore OK, since only announcements change the view; undo a refused message (9)."""
        if message.text == words.OK:
            self._unanswered.confirmed()
        elif self._unanswered.refused():
            self._is_refused = True
            self._be_refused()

    def _see_to_answer(self) -> None:
        """Handle an answer that some servers confirm by sending it to all."""
        offer, follower = self.follower.offer, self.follower
        if offer is not None and follower.view is not None and follower.seat in offer.answers:
            self._unanswered.announced(offer.number)

    def _take_for_refused(self) -> None:
        """Continue after a silence, by the server's earlier messages.

        The request may still be executed or refused; both are followed as usual.
        """
        self._watchdog.answered()
        self._be_refused()
        if not self.follower.said:
            self.follower.recover()
        if self.follower.is_stuck:
            self._play_safe()

    def _play_safe(self) -> None:
        """Answer a request that the view does not expect, such as a turn after its end."""
        view, phase = self.follower.view, words.PHASES.get(self.follower.status or "")
        if view is None or phase is None:
            return
        if actions := asked_for(view, phase, self._refused_actions):
            self.follower.say(actions)
            self._send(self.follower.speech.request(view, actions))

    def _be_refused(self) -> None:
        said = self.follower.said
        if not said:
            return
        if self._proposal is not None and self._proposal.is_closing:
            self._withdraw_after_refusal()
            return
        self._proposal = self._offer_due = None
        self._note_refusal(said)
        self.follower.refused()

    def _withdraw_after_refusal(self) -> None:
        """Handle a lost partner or a missing offer."""
        offer, self._proposal = self.follower.offer, None
        if offer is not None:
            self._send(CancelOffer(offer.number))
        else:
            self.follower.refused()

    def _note_refusal(self, said: tuple[Action, ...]) -> None:
        self._see_to_turn()
        view, kind = self.follower.view, said[0].kind
        if view is not None and view.phase == Phase.ROLL and kind != ActionKind.ROLL:
            self._has_to_roll_first = True
            return
        self._refused.add(kind)
        self._refused_actions.update(said)

    def _see_to_turn(self) -> None:
        """Forget refusals and silence of earlier turns."""
        assert self.follower.view is not None
        turn = self.follower.view.turn
        if turn != self._turn:
            self._turn = turn
            self._refused.clear()
            self._refused_actions.clear()
            self._silent.clear()

    def _act(self) -> None:
        """Ask the policy, once per decision of a message; pause if it was refused this turn."""
        view = self.follower.view
        assert view is not None
        actions = self._decided(view)
        if self._is_refused and actions[0] in self._refused_actions:
            self._again_at = self.present.now + REPEAT
            return
        self._is_refused = False
        self.follower.say(actions)
        if actions[0].kind == ActionKind.OFFER:
            self._proposal = Proposal((view.viewer + actions[0].args[0]) % view.seats)
        self._send(self.follower.speech.request(view, actions))

    def _end_pause(self) -> None:
        self._again_at, self._is_refused = None, False

    def _decided(self, view: SeatView) -> tuple[Action, ...]:
        self._see_to_turn()
        first = Action.from_index(int(self._decide(self._without_refused_cards(view))))
        is_wary = bool(self._refused - HARMLESS) and view.phase == Phase.MAIN
        if first.kind in self._refused or is_wary:
            first = self._safe(view)
        elif self._has_to_roll_first and view.phase == Phase.ROLL:
            first = Action.roll()
        decided = (first, *self._decided_after(view, first))
        is_risky = first.kind == ActionKind.PLAY_ROAD_BUILDING and self.follower.version == "1.0"
        if is_risky and self._lays_one_road(view, decided):
            other = view.copy()
            correction.rule_out(other, first)
            return self._decided(other)
        return decided

    def _without_refused_cards(self, view: SeatView) -> SeatView:
        """The view without the kinds of cards that the server refused to play this turn."""
        refused = self._refused & CARDS
        if not refused:
            return view
        other = view.copy()
        for action in view.legal_actions:
            if action.kind in refused:
                correction.rule_out(other, action)
        return other

    def _lays_one_road(self, view: SeatView, decided: tuple[Action, ...]) -> bool:
        """True if a card for two roads would build only one, where solimanx 1.0 hangs up.

        A road that wins is worth it.
        """
        trial = view.copy()
        for action in decided:
            trial.apply(Event(view.viewer, action))
        return len(decided) < 3 and not trial.is_over

    def _safe(self, view: SeatView) -> Action:
        safe = SAFE.get(view.phase)
        if safe is not None:
            return safe
        legal = list(view.legal_actions)
        untried = [action for action in legal if action not in self._refused_actions]
        return (untried or legal)[0]

    def _decided_after(self, view: SeatView, first: Action) -> list[Action]:
        """The other decisions of a message, made step by step on a copy of the view."""
        phase = _GO_ON.get(first.kind)
        if phase is None:
            return []
        trial, more = view.copy(), []
        if phase == Phase.DISCARD and self.follower.is_in_doubt:  # also about others' discards
            correction.owe_alone(trial)
        trial.apply(Event(view.viewer, first))
        while trial.phase == phase and trial.seat == view.viewer and trial.action_mask.any():
            more.append(Action.from_index(int(self._decide(trial))))
            if phase == Phase.ROBBER:
                break
            trial.apply(Event(view.viewer, more[-1]))
        return more

    def _follow_own_offer(self) -> None:
        """Wait for the answers to the seat's own offer (5), `patience` seconds at most."""
        offer, follower = self.follower.offer, self.follower
        if offer is None or follower.view is None or offer.seat != follower.seat:
            return
        self._unanswered.done()
        if self._proposal is None:  # it counted as refused, but was only late
            self._send(CancelOffer(offer.number))
        else:
            self._offer_due = self.present.now + self._patience if self._patience else None

    def _see_to_proposal(self) -> None:
        """Close the seat's own offer once all have answered; some servers lose later answers."""
        proposal, offer = self._proposal, self.follower.offer
        if proposal is None:
            return
        if not self.follower.said:
            self._proposal = self._offer_due = None
        elif offer is not None and offer.seat == self.follower.seat and not proposal.is_closing:
            if offer.replies >= len(self.follower.others) or not self._awaited:
                self._close()

    @property
    def _awaited(self) -> set[int]:
        """The seats that may answer this seat's offer and have not."""
        assert self.follower.offer is not None
        self._see_to_turn()
        return self.follower.others - self.follower.offer.answers.keys() - self._silent

    def _stop_waiting_for_answers(self) -> None:
        self._offer_due = None
        offer, proposal = self.follower.offer, self._proposal
        if offer is not None and proposal is not None and not proposal.is_closing:
            self._silent |= self._awaited
            self._close()

    def _close(self) -> None:
        """Conclude with the intended seat, or withdraw."""
        proposal, offer = self._proposal, self.follower.offer
        assert proposal is not None and offer is not None
        proposal.is_closing, self._offer_due = True, None
        if offer.answers.get(proposal.partner):
            partner = self.follower.speech.ids[proposal.partner]
            self._send(Conclude(offer.number, partner))
        else:
            self._send(CancelOffer(offer.number))

    def _answer_offer(self) -> None:
        """Decide as if the offer had been made to this seat alone."""
        follower = self.follower
        view, offer = follower.view, follower.offer
        assert view is not None and offer is not None
        trial = _with_offer(view, offer)
        action = Action.reject() if trial is None else Action.from_index(int(self._decide(trial)))
        follower.say([action])
        self._unanswered.sent(view.turn, offer.number)
        self._out.append(follower.speech.request(view, [action], offer.number))


def _with_offer(view: SeatView, offer: HeardOffer) -> SeatView | None:
    """A copy of the view with another seat's offer; None if our rules do not allow it."""
    trial, step = view.copy(), (view.viewer - offer.seat) % view.seats
    try:
        trial.apply(Event(offer.seat, Action.offer(step, offer.give, offer.get)))
    except ValueError:  # also for more cards of a kind than an Action can name
        return None
    return trial


_GO_ON = {
    ActionKind.PLAY_KNIGHT: Phase.ROBBER,
    ActionKind.PLAY_ROAD_BUILDING: Phase.FREE_ROAD,
    ActionKind.DISCARD: Phase.DISCARD,
}
"""The phase in which the decisions of an action's message continue."""
