"""One seat of one game at a server: asked by its messages, answered by a policy.

| asked by | when | answer |
|---|---|---|
| a state, 1025 or 1026 | it is our turn | what its phase decides; the second word of a card |
| 1072 | our turn begins | roll, or a card |
| 1036 | the robber may rob several | whom |
| 1029 | a seven | the cards, when the seats before us have told theirs, or PATIENCE is over |
| 1041 of the seat on turn | it offers to us | accepted or not, decided on a copy of the view |
| own 1040; 1038 | a trade is done, or withdrawn | the turn goes on |

A request is out till the last message of its sequence, or till it is refused; then the next one is
made.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import choices, lobby, states
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.clock import Clock
from catan_env.protocols.jsettlers.follow import LOSE, Follower
from catan_env.protocols.jsettlers.opening import Agreement, Opening, UnplayableError
from catan_env.protocols.jsettlers.places import TILES
from catan_env.protocols.jsettlers.refusals import Refusals, is_refusal
from catan_env.protocols.jsettlers.speech import KINDS, to_discard, to_messages

Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""

REFUSED_PATIENCE = 1.0
"""Seconds after a refusal till the turn goes on, if the server says nothing more."""
CLEARING_PATIENCE = 1.0
"""Seconds after a trade till the turn goes on, if the server does not clear all offers."""
DISCARDS, ANSWER, CLEARING, REFUSAL = "discards", "answer", "clearing", "refusal"
"""What is waited for."""


@dataclass
class Statistics:
    """What is counted of a game."""

    seconds: list[float] = field(default_factory=list)
    """What each decision took."""
    offers: int = 0
    """Offers that we made."""
    accepted: int = 0
    """Of these, accepted."""


class Player:
    """Plays one seat of `game`; what to say gathers in `out`.

    A message is heard `now`, and may have come before. `hear` and `time` raise
    RemoteProtocolError where the game cannot be followed, and UnplayableError where it is none of
    ours; times are in seconds of any steady clock.
    """

    def __init__(
        self, game: str, seat: int, agreement: Agreement, decide: Decide, is_robot: bool = True
    ) -> None:
        self.game = game
        self.opening = Opening(seat, agreement)
        self.follower: Follower | None = None
        self.begun: SeatView | None = None
        """What was known before the first settlement."""
        self.out: list[Any] = []
        self.clock = Clock(is_robot)
        self.refusals = Refusals()
        self.statistics = Statistics()
        self._decide = decide
        self._said: Action | None = None
        """What was asked for last in this turn."""
        self._then: list[Any] = []
        """The rest of it, for when the server asks for that."""
        self._offer_is_out = False
        """Whether the server has told the offer that we made."""
        self._owed = 0
        """Cards that the server wants of us."""

    @property
    def seat(self) -> int:
        """This seat's number."""
        return self.opening.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.follower is not None and self.follower.is_over

    @property
    def is_asked(self) -> bool:
        """Whether the server's clock runs for this seat."""
        follower = self.follower
        if follower is None or follower.is_over:
            return False
        return self._owed > 0 or self._is_on_turn(follower)

    @property
    def deadline(self) -> float | None:
        """When `time` is due."""
        return self.clock.deadline

    def hear(self, message: Any, now: float, came: float) -> None:
        """Follow a message, and answer it where it asks."""
        if isinstance(message, lobby.SitDown):  # names may change amid the game
            self.opening.names[message.seat] = message.name
        if self.follower is None:
            self.clock.progress(came)
            self._open(message)
        else:
            self._note(self.follower, message, came)
            self.follower.hear(message)
        if self.follower is not None and not self.follower.is_over:
            self._answer(self.follower, message, now)

    def time(self, now: float) -> None:
        """Nothing came that was waited for."""
        waited_for = self.clock.due(now)
        if self.follower is None or not waited_for:
            return
        if waited_for == DISCARDS:
            self._discard(self.follower)
        elif waited_for == ANSWER:
            self._withdraw()
        elif waited_for == REFUSAL and self.follower.state == states.MAIN:
            self._request(self.follower, Action.end_turn(), now)
        elif self._is_on_turn(self.follower):
            self._act(self.follower, now)

    def _open(self, message: Any) -> None:
        """Before the first settlement."""
        if isinstance(message, m.BoardLayout | m.BoardLayout2):
            self.opening.lay(message)
        elif isinstance(message, m.Turn) and message.state in states.SET_UP:
            self.begun = self.opening.view(message.seat)
            self.follower = Follower(self.begun.copy(), message.state)
        elif isinstance(message, m.Turn) and message.state:
            raise UnplayableError("the game is under way")

    def _note(self, follower: Follower, message: Any, came: float) -> None:
        """What concerns the clock."""
        if isinstance(message, _PROGRESS):
            self.clock.progress(came)
        if isinstance(message, m.Element | m.Elements):
            if self._is_forced_discard(follower, message):
                self.clock.forced += 1
                self._owed = 0
        elif isinstance(message, m.Turn):
            self.clock.forced += self._was_forced(follower, message)
            self.clock.stop()
            self._then.clear()
            self._said, self._owed = None, 0

    def _is_forced_discard(self, follower: Follower, message: m.Element | m.Elements) -> bool:
        is_ours = message.seat == self.seat and message.action == LOSE
        return is_ours and follower.state == states.DISCARDS and self._owed > 0

    def _was_forced(self, follower: Follower, message: m.Turn) -> bool:
        """Whether our turn ended and we did not end it."""
        if follower.turn_seat != self.seat or message.state != states.ROLL or follower.view.is_over:
            return False
        ended = self._said is not None and self._said.kind == ActionKind.END_TURN
        return follower.view.turn > 0 and not ended and follower.state not in states.SET_UP

    # What is asked.

    def _answer(self, follower: Follower, message: Any, now: float) -> None:
        answer = _ANSWERED.get(type(message))
        if answer is not None:
            answer(self, follower, message, now)
        if self._owed and self._is_our_discard(follower):
            self._discard(follower)

    def _hear_state(self, follower: Follower, message: Any, now: float) -> None:
        if self._is_on_turn(follower) and message.state != states.ROLL:
            self._act(follower, now)

    def _hear_prompt(self, follower: Follower, message: m.RollPrompt, now: float) -> None:
        is_ours = message.seat == self.seat and follower.state == states.ROLL
        if is_ours and self._is_on_turn(follower):
            self._act(follower, now)

    def _is_on_turn(self, follower: Follower) -> bool:
        return follower.turn_seat == self.seat and follower.state in states.ASKED

    def _hear_victims(self, follower: Follower, message: m.ChooseVictim, now: float) -> None:
        seats = range(follower.view.seats)
        can = [seat for seat in seats if message.can[seat : seat + 1] == (True,)]
        if follower.turn_seat != self.seat or not can:
            return
        chosen = next((said.seat for said in self._then if isinstance(said, m.Victim)), None)
        self._then.clear()
        self._say(m.Victim(self.game, choices.victim(follower.view, can, chosen)))

    # Deciding.

    def _act(self, follower: Follower, now: float) -> None:
        """Ask the policy, and say what it decides."""
        self.clock.stop()
        self._offer_is_out = False
        state, view = follower.state, follower.view
        if state in states.CHOICES:
            self._say(*(self._then[:1] or [self._some_choice(state)]))
            self._then.clear()
        elif view.is_over:  # a knight that wins still moves the robber
            tile = choices.some_tile(view, self.opening.agreement.desert_is_barred)
            self._say(m.MoveRobber(self.game, self.seat, TILES[tile]))
        elif state in states.FREE_ROADS and view.phase != Phase.FREE_ROAD:
            self._say(m.CancelBuild(self.game, 0))
        else:
            self._align(follower)
            self._request(follower, self._decided(view, now), now)

    def _align(self, follower: Follower) -> None:
        """The server knows best what it asks for."""
        phase = states.PHASES.get(follower.state, Phase.ROLL)
        view = follower.view
        if view.seat != self.seat or view.phase != phase:
            follower.account.differ("phase")
            correction.ask(view, phase)

    def _request(self, follower: Follower, action: Action, now: float) -> None:
        first, *self._then = to_messages(follower.view, self.game, action)
        self._said = action
        if action.kind == ActionKind.OFFER:
            self.statistics.offers += 1
            self.clock.wait(ANSWER, self.clock.offer_until(now))
        self._say(first)

    def _decided(self, view: SeatView, now: float) -> Action:
        self.refusals.begin(view.turn)
        may_offer = self.clock.leaves_time_to_offer(now)
        if view.phase == Phase.MAIN and (not may_offer or self.refusals.bars(ActionKind.OFFER)):
            view = view.copy()
            correction.offer_no_more(view)
        action = self._ask(view)
        if self.refusals.bars(action.kind) or self._is_barred(view, action):
            action = self._instead(view, action)
        return action

    def _ask(self, view: SeatView) -> Action:
        begun = perf_counter()
        action = Action.from_index(int(self._decide(view)))
        self.statistics.seconds.append(perf_counter() - begun)
        return action

    def _is_barred(self, view: SeatView, action: Action) -> bool:
        """Whether the robber would return to the desert, where it may not."""
        if action.kind != ActionKind.MOVE_ROBBER or not self.opening.agreement.desert_is_barred:
            return False
        return choices.is_desert(view, action.args[0])

    def _instead(self, view: SeatView, refused: Action) -> Action:
        """What to do where the server does not let us: pass, or another action of that phase."""
        if view.phase == Phase.MAIN:
            return Action.end_turn()
        legal = [action for action in view.legal_actions if not self._is_barred(view, action)]
        others = [action for action in legal if not self.refusals.bars(action.kind)]
        untried = [action for action in legal if not self.refusals.bars_action(action)]
        return (others or untried or [refused])[0]

    def _some_choice(self, state: int) -> Any:
        """The second word of a card that the server asks for and nobody decided."""
        if state == states.MONOPOLY:
            return m.PickMonopoly(self.game, 1)
        return m.PickCards(self.game, (1, 1, *(0,) * (KINDS - 2)))

    # Discards.

    def _hear_debt(self, follower: Follower, message: m.DiscardRequest, now: float) -> None:
        self._owed = message.count
        self.clock.wait(DISCARDS, self.clock.discard_until(now))

    def _is_our_discard(self, follower: Follower) -> bool:
        """Whether all seats before us have told their discards."""
        return follower.view.phase == Phase.DISCARD and follower.view.seat == self.seat

    def _discard(self, follower: Follower) -> None:
        count, self._owed = self._owed, 0
        self.clock.stop(DISCARDS)
        self._say(to_discard(self.game, choices.discards(follower.view, count, self._ask)))

    # Trade.

    def _hear_offer(self, follower: Follower, message: m.MakeOffer, now: float) -> None:
        named = (message.to_0, message.to_1, message.to_2, message.to_3)
        if message.seat == self.seat:
            self._offer_is_out = True
        elif not named[self.seat]:
            return
        elif follower.turn_seat == self.seat:  # a counter-offer
            self._say(m.RejectOffer(self.game, self.seat))
            self._hear_no(follower, message.seat)
        elif message.seat == follower.turn_seat and follower.view.rules.player_trade:
            self._answer_offer(follower, message.seat)

    def _answer_offer(self, follower: Follower, maker: int) -> None:
        asked = follower.trades.asked
        if asked is not None and choices.accepts(follower.view, *asked, self._ask):
            self._say(m.AcceptOffer(self.game, self.seat, maker))
        else:
            self._say(m.RejectOffer(self.game, self.seat))

    def _hear_trade(self, follower: Follower, message: Any, now: float) -> None:
        """Our turn goes on after a trade, and when our offer is withdrawn."""
        if follower.turn_seat != self.seat or follower.state != states.MAIN:
            return
        if isinstance(message, m.AcceptOffer):  # then all offers are cleared
            self.statistics.accepted += 1
            self.clock.wait(CLEARING, now + CLEARING_PATIENCE)
        elif isinstance(message, m.BankTraded):
            if self._said is not None and self._said.kind == ActionKind.BANK_TRADE:
                self._act(follower, now)
        elif self._offer_is_out and follower.view.offer is None:  # else another seat's is cleared
            self._act(follower, now)

    def _hear_no(self, follower: Follower, seat: int) -> None:
        """The seat that was asked refuses."""
        offer = follower.view.offer
        if offer is not None and offer.seat == self.seat and offer.to == seat:
            self._withdraw()

    def _withdraw(self) -> None:
        """The own offer; the view hears of it when the server says it."""
        self.clock.stop(ANSWER)
        self._say(m.ClearOffer(self.game, self.seat))

    # Refusals.

    def _hear_rejection(self, follower: Follower, message: m.RejectOffer, now: float) -> None:
        if message.reason:
            self._hear_refusal(follower, message, now)
        else:
            self._hear_no(follower, message.seat)

    def _hear_refusal(self, follower: Follower, message: Any, now: float) -> None:
        """The turn goes on when the server says the state, or a second later."""
        if not is_refusal(message, self._said):
            return
        self.refusals.begin(follower.view.turn)
        self.refusals.add(self._said, message)
        self._then.clear()
        if self._said is not None and self._is_on_turn(follower):
            self.clock.wait(REFUSAL, now + REFUSED_PATIENCE)

    def _say(self, *messages: Any) -> None:
        self.out.extend(messages)


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
    m.CancelBuild: Player._hear_refusal,
}
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
__all__ = ["Decide", "Player", "RemoteProtocolError", "Statistics"]
