"""One seat of one game at a server: requests from its messages, answers from a policy.

| request | when | answer |
|---|---|---|
| GameState (1025), Turn (1026) | it is our turn | the phase's decision; a card's second message |
| RollPrompt (1072) | our turn begins | roll, or a card |
| ChooseVictim (1036) | the robber may rob several seats | the victim |
| DiscardRequest (1029) | a seven | the cards, after the seats before us or half the patience |
| MakeOffer (1041) of the seat on turn | it offers to us | accepted or not, on a copy of the view |
| own BankTraded (1040); ClearOffer (1038) | a trade is done, or withdrawn | the turn continues |

A request is open until the last message of its sequence, or until it is refused; then the next
one is made. A request without any response for some seconds counts as refused, so that a lost or
late message cannot stop the agent.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.view import Decide, SeatView
from catan_env.net.watchdog import PATIENCE, Watchdog
from catan_env.protocols.jsettlers import choices, lobby, states
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.clock import Clock
from catan_env.protocols.jsettlers.decisions import Decisions
from catan_env.protocols.jsettlers.follow import Follower
from catan_env.protocols.jsettlers.opening import Agreement, Opening, UnplayableError
from catan_env.protocols.jsettlers.pending import Pending
from catan_env.protocols.jsettlers.places import TILES
from catan_env.protocols.jsettlers.refusals import Refusals, is_refusal
from catan_env.protocols.jsettlers.speech import SETTLEMENT, cards_of, to_discard, to_messages

REFUSED_PATIENCE = 1.0
"""Seconds after a refusal until the turn continues, if the server sends nothing more."""
CLEARING_PATIENCE = 1.0
"""Seconds after a trade until the turn continues, if the server does not clear all offers."""
DISCARDS, ANSWER, CLEARING, REFUSAL = "discards", "answer", "clearing", "refusal"
"""Reasons to wait."""
SILENCE = "silence"
"""A request without any response."""
ALWAYS_ALLOWED = frozenset((ActionKind.ROLL, ActionKind.END_TURN, ActionKind.DISCARD))
"""Actions that are requested again if there is no response."""


@dataclass
class Statistics:
    """Counts of this seat's offers in a game."""

    offers: int = 0
    """Offers made."""
    accepted: int = 0
    """Offers accepted."""


class Player:
    """Plays one seat of `game`; outgoing messages are collected in `out`.

    A message is received at `now`, and may have arrived earlier. `hear` and `time` raise
    RemoteProtocolError if the game cannot be followed, and UnplayableError if its rules are not
    supported; times are in seconds of any steady clock.
    """

    def __init__(
        self,
        game: str,
        seat: int,
        agreement: Agreement,
        decide: Decide,
        is_robot: bool = True,
        patience: float = PATIENCE,
    ) -> None:
        self.game = game
        self.opening = Opening(seat, agreement)
        self.follower: Follower | None = None
        self.begun: SeatView | None = None
        """The table before the first settlement."""
        self.out: list[Any] = []
        self.clock = Clock(is_robot)
        self.refusals = Refusals()
        self.decisions = Decisions(decide, self.refusals, agreement.desert_is_barred)
        self.statistics = Statistics()
        self.heard_at = 0.0
        """The time of the server's last message about this game."""
        self._watchdog = Watchdog(patience)
        self._expects = False
        """True if a message was just sent that the server has to answer."""
        self._pending = Pending()
        self._offer_is_out = False
        """True if the server has announced our offer."""

    @property
    def seat(self) -> int:
        """The number of this seat."""
        return self.opening.seat

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.follower is not None and self.follower.is_over

    @property
    def is_asked(self) -> bool:
        """True if the server's clock runs for this seat."""
        follower = self.follower
        if follower is None or follower.is_over:
            return False
        return self._pending.owed > 0 or self._is_on_turn(follower)

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due."""
        due = (self.clock.deadline, self._watchdog.deadline)
        return min((time for time in due if time is not None), default=None)

    @property
    def cannot_continue(self) -> bool:
        """True if the game has not begun, or waits for an empty seat."""
        follower = self.follower
        return follower is None or follower.turn_seat in follower.vacancies

    def spoke(self, now: float) -> None:
        """Note that the messages in `out` have been sent."""
        if self._expects:
            self._watchdog.sent(now)
        self._expects = False

    def hear(self, message: Any, now: float, came: float) -> None:
        """Follow a message, and answer it if it asks for an answer."""
        self.heard_at = now
        self._watchdog.received(now)
        self._note_players(message)
        if self.follower is None:
            self.clock.progress(came)
            self._open(message)
        else:
            self._note(self.follower, message, came)
            self.follower.hear(message)
        if self.follower is None:
            return
        if self.follower.is_over:
            self._watchdog.answered()
        else:
            self._answer(self.follower, message, now)

    def time(self, now: float) -> None:
        """Act on a deadline: the awaited message did not come."""
        waited_for = self.clock.due(now)
        if not waited_for and self._watchdog.is_overdue(now):
            self._watchdog.answered()
            waited_for = SILENCE
        if self.follower is None or not waited_for:
            return
        if waited_for == SILENCE:
            self._ask_again(self.follower, now)
        elif waited_for == DISCARDS:
            self._discard(self.follower)
        elif waited_for == ANSWER:
            self._withdraw()
        elif waited_for == REFUSAL and self.follower.state == states.MAIN:
            self._request(self.follower.view, Action.end_turn(), now)
        elif self._names_victim(self.follower):
            self._choose_victim_again(self.follower)
        elif self._is_on_turn(self.follower):
            self._act_in_silence(self.follower, now)

    def _note_players(self, message: Any) -> None:
        """Follow changes of players, which are possible during the game."""
        if isinstance(message, lobby.SitDown):
            self.opening.sit(message.seat, message.name)
            if self.follower is not None:
                self.follower.vacancies.sit(self.follower.tracked.checked(message.seat))
        elif isinstance(message, lobby.LeaveGame):
            seat = self.opening.leave(message.name)
            if self.follower is not None and seat is not None:
                self.follower.vacancies.leave(seat)

    def _open(self, message: Any) -> None:
        """Handle a message before the first settlement."""
        if isinstance(message, m.BoardLayout | m.BoardLayout2):
            self.opening.lay(message)
        elif isinstance(message, m.GameState | m.GameElements):
            self.opening.note(message)
        elif isinstance(message, m.Turn) and message.state in states.SET_UP:
            self.begun = self.opening.view(message.seat)
            self.follower = Follower(self.begun.copy(), message.state, self.opening.empty)
        elif isinstance(message, m.Turn) and message.state:
            raise UnplayableError("the game is under way")

    def _note(self, follower: Follower, message: Any, came: float) -> None:
        """Update the clock."""
        if isinstance(message, _PROGRESS):
            self.clock.progress(came)
        if isinstance(message, m.Element | m.Elements):
            if self._is_forced_discard(follower, message):
                self.clock.forced += self._pending.owed > 0
                self._pending.discarded()
        elif isinstance(message, m.Turn):
            self.clock.forced += self._was_forced(follower, message)
            self.clock.stop()
            self._watchdog.answered()
            self._pending = Pending()

    def _is_forced_discard(self, follower: Follower, message: m.Element | m.Elements) -> bool:
        is_ours = message.seat == self.seat and message.action == m.LOSE
        return is_ours and follower.state == states.DISCARDS

    def _was_forced(self, follower: Follower, message: m.Turn) -> bool:
        """True if our turn was ended for us."""
        if follower.turn_seat != self.seat or message.state != states.ROLL or follower.view.is_over:
            return False
        ended = self._pending.is_of(ActionKind.END_TURN)
        return follower.view.turn > 0 and not ended and follower.state not in states.SET_UP

    def _answer(self, follower: Follower, message: Any, now: float) -> None:
        answer = _ANSWERED.get(type(message))
        if answer is not None:
            answer(self, follower, message, now)
        if self._pending.owed and self._is_our_discard(follower):
            self._discard(follower)

    def _hear_state(self, follower: Follower, message: Any, now: float) -> None:
        self._watchdog.answered()
        is_ours = follower.turn_seat == self.seat
        if message.state == states.DISCARDS and self._pending.unconfirmed:
            self._expects = True
        elif is_ours and message.state in (states.ROLL, states.VICTIM):  # another message asks
            self._expects = True
        elif follower.trades.is_ours_open:  # the state follows a refusal
            self._expects = self.clock.deadline is None
        elif self._is_on_turn(follower):
            self._act(follower, now)

    def _hear_prompt(self, follower: Follower, message: m.RollPrompt, now: float) -> None:
        is_ours = message.seat == self.seat and follower.state == states.ROLL
        if is_ours and self._is_on_turn(follower):
            self._act(follower, now)

    def _is_on_turn(self, follower: Follower) -> bool:
        return follower.turn_seat == self.seat and follower.state in states.ASKED

    def _names_victim(self, follower: Follower) -> bool:
        return follower.turn_seat == self.seat and follower.state == states.VICTIM

    def _hear_victims(self, follower: Follower, message: m.ChooseVictim, now: float) -> None:
        seats = range(follower.view.seats)
        can = [seat for seat in seats if message.can[seat : seat + 1] == (True,)]
        if follower.turn_seat != self.seat or not can:
            return
        self._choose_victim(follower, can)

    def _choose_victim(self, follower: Follower, can: Sequence[int]) -> None:
        said = (said for said in self._pending.further if isinstance(said, m.Victim))
        chosen = next((victim.seat for victim in said), None)
        self._pending.victims = can
        victims = choices.victims(follower.view, can, chosen)
        self._choose([m.Victim(self.game, seat) for seat in victims])

    def _choose_victim_again(self, follower: Follower) -> None:
        others = [seat for seat in range(follower.view.seats) if seat != self.seat]
        self._choose_victim(follower, self._pending.victims or others)

    def _act(self, follower: Follower, now: float) -> None:
        """Ask the policy, and send its decision."""
        self.clock.stop()
        self._offer_is_out = False
        state, view = follower.state, follower.view
        if state in states.CHOICES:
            self._choose_for_card(state)
        elif view.is_over:  # a knight that wins still moves the robber
            tiles = choices.tiles(view, self.opening.agreement.desert_is_barred)
            self._choose([m.MoveRobber(self.game, self.seat, TILES[tile]) for tile in tiles])
        elif state in states.FREE_ROADS and view.phase != Phase.FREE_ROAD:
            self._demand(m.CancelBuild(self.game, 0))
        else:
            self._align(follower)
            view = follower.trades.without_ours()
            may_offer = self.clock.leaves_time_to_offer(now)
            self._request(view, self.decisions.next_action(view, may_offer), now)

    def _align(self, follower: Follower) -> None:
        """Answer the server's request even if the view expects another."""
        phase = states.PHASES.get(follower.state, Phase.ROLL)
        view = follower.view
        if follower.trades.is_ours_open:
            return
        if view.seat != self.seat or view.phase != phase:
            follower.tracked.differ("phase")
            correction.ask(view, phase)

    def _is_offer_out(self, follower: Follower) -> bool:
        """True if the last request is our open offer: then a refusal concerns an older one."""
        return self._pending.is_of(ActionKind.OFFER) and follower.trades.is_ours_open

    def _request(self, view: SeatView, action: Action, now: float) -> None:
        first, *further = to_messages(view, self.game, action)
        self._pending.request(action, further)
        if action.kind == ActionKind.OFFER:
            self.statistics.offers += 1
            self.clock.wait(ANSWER, self.clock.offer_until(now))
        self._demand(first)

    def _choose(self, possible: Sequence[Any]) -> None:
        """Send the first of these messages that was not refused in this turn."""
        self._demand(self._pending.choose(possible))

    def _choose_for_card(self, state: int) -> None:
        """Send the second message of a card; the server may ask for it without our decision."""
        decided = [said for said in self._pending.further if isinstance(said, _CHOSEN)]
        self._choose([*decided, *choices.of_card(self.game, state == states.MONOPOLY)])

    def _hear_debt(self, follower: Follower, message: m.DiscardRequest, now: float) -> None:
        self._pending.owed = message.count
        self.clock.wait(DISCARDS, self.clock.discard_until(now))

    def _hear_discard(self, follower: Follower, message: m.Discarded, now: float) -> None:
        if message.seat == f"p{self.seat}":
            self._pending.unconfirmed = 0
            self._watchdog.answered()

    def _is_our_discard(self, follower: Follower) -> bool:
        """True if all seats before us have announced their discards."""
        return follower.view.phase == Phase.DISCARD and follower.view.seat == self.seat

    def _discard(self, follower: Follower) -> None:
        count = self._pending.discard()
        self.clock.stop(DISCARDS)
        cards = choices.discards(follower.view, count, self.decisions.ask)
        self._demand(to_discard(self.game, cards))

    def _hear_offer(self, follower: Follower, message: m.MakeOffer, now: float) -> None:
        named = (message.to_0, message.to_1, message.to_2, message.to_3)
        if message.seat == self.seat:
            self._offer_is_out = True
            self._watchdog.answered()
        elif not named[self.seat]:
            return
        elif follower.turn_seat == self.seat:  # a counter-offer
            self._say(m.RejectOffer(self.game, self.seat))
            self._hear_no(follower, message.seat)
        elif message.seat == follower.turn_seat and follower.view.rules.player_trade:
            self._answer_offer(follower, message)

    def _answer_offer(self, follower: Follower, message: m.MakeOffer) -> None:
        give, get = cards_of(message.counts)
        if choices.accepts(follower.view, give, get, self.decisions.ask):
            self._say(m.AcceptOffer(self.game, self.seat, message.seat))
        else:
            self._say(m.RejectOffer(self.game, self.seat))

    def _hear_trade(self, follower: Follower, message: Any, now: float) -> None:
        """Continue our turn after a trade, and when our offer is withdrawn."""
        if follower.turn_seat != self.seat or follower.state != states.MAIN:
            return
        if isinstance(message, m.AcceptOffer):  # all offers are cleared next
            self.statistics.accepted += 1
            self._watchdog.answered()
            self.clock.wait(CLEARING, now + CLEARING_PATIENCE)
        elif isinstance(message, m.BankTraded):
            if self._pending.is_of(ActionKind.BANK_TRADE):
                self._act(follower, now)
        elif self._offer_is_out and follower.view.offer is None:  # else another's is cleared
            self._act(follower, now)

    def _hear_no(self, follower: Follower, seat: int) -> None:
        """Note that a seat refuses our offer."""
        offer = follower.view.offer
        if offer is not None and offer.seat == self.seat and offer.to == seat:
            self._withdraw()

    def _withdraw(self) -> None:
        """Withdraw our offer; the view changes when the server announces it."""
        self.clock.stop(ANSWER)
        self._demand(m.ClearOffer(self.game, self.seat))

    def _hear_rejection(self, follower: Follower, message: m.RejectOffer, now: float) -> None:
        if message.reason:
            self._hear_refusal(follower, message, now)
        else:
            self._hear_no(follower, message.seat)

    def _hear_refusal(self, follower: Follower, message: Any, now: float) -> None:
        """Continue the turn at the server's next state, or a second later."""
        if not is_refusal(message, self._pending.action) or self._is_offer_out(follower):
            return
        self._watchdog.answered()
        self.refusals.begin(follower.view.turn)
        self.refusals.add(self._pending.action, message)
        self._pending.refuse()
        is_asked = self._is_on_turn(follower) or self._names_victim(follower)
        if self._pending.action is not None and is_asked:
            self.clock.wait(REFUSAL, now + REFUSED_PATIENCE)

    def _hear_cancelled(self, follower: Follower, message: m.CancelBuild, now: float) -> None:
        """Handle a settlement taken back in the set-up, otherwise a refused building."""
        if message.piece != SETTLEMENT or follower.state not in states.SET_UP:
            self._hear_refusal(follower, message, now)

    def _ask_again(self, follower: Follower, now: float) -> None:
        """Count an unanswered request as refused, and make another one."""
        self.refusals.begin(follower.view.turn)
        action = self._pending.action
        if action is not None and action.kind not in ALWAYS_ALLOWED:
            self.refusals.add(action, "no answer")
        if self._pending.unconfirmed:
            self._pending.owed = self._pending.unconfirmed
            self._discard(follower)
        elif self._names_victim(follower):
            self._choose_victim_again(follower)
        elif self._is_on_turn(follower):
            self._act_in_silence(follower, now)

    def _act_in_silence(self, follower: Follower, now: float) -> None:
        """Decide again, unless the request was done and the next state is still on its way."""
        is_choosing = follower.state in states.CHOICES or follower.view.is_over
        if is_choosing or self._is_awaited(follower):
            self._act(follower, now)
        else:
            self._expects = True

    def _is_awaited(self, follower: Follower) -> bool:
        """True if the view is in the server's state, apart from our open offer."""
        view, phase = follower.view, states.PHASES.get(follower.state, Phase.ROLL)
        is_there = view.phase == phase and view.seat == self.seat
        return is_there or follower.trades.is_ours_open

    def _say(self, *messages: Any) -> None:
        self.out.extend(messages)

    def _demand(self, message: Any) -> None:
        """Send a message that the server has to answer."""
        self._say(message)
        self._expects = True


_ANSWERED: dict[type, Callable[[Player, Follower, Any, float], None]] = {
    m.GameState: Player._hear_state,
    m.Turn: Player._hear_state,
    m.RollPrompt: Player._hear_prompt,
    m.ChooseVictim: Player._hear_victims,
    m.DiscardRequest: Player._hear_debt,
    m.MakeOffer: Player._hear_offer,
    m.BankTraded: Player._hear_trade,
    m.AcceptOffer: Player._hear_trade,
    m.ClearOffer: Player._hear_trade,
    m.RejectOffer: Player._hear_rejection,
    m.DeclinedAction: Player._hear_refusal,
    m.CardAction: Player._hear_refusal,
    m.CancelBuild: Player._hear_cancelled,
    m.Discarded: Player._hear_discard,
}
_CHOSEN = (m.PickCards, m.PickMonopoly)
_PROGRESS = (
    m.PutPiece,
    m.CardAction,
    m.AcceptOffer,
    m.BankTraded,
    m.Discarded,
    m.MoveRobber,
    m.Robbery,
    m.Turn,
    m.PickCards,
    m.SimpleAction,
)
