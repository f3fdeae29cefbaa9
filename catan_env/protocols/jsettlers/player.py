"""One seat of one game at a server: asked by its messages, answered by a policy.

| asked by | when | answer |
|---|---|---|
| a state, 1025 or 1026 | it is our turn | what its phase decides; the second word of a card |
| 1072 | our turn begins | roll, or a card |
| 1036 | the robber may rob several | whom |
| 1029 | a seven | the cards, when the seats before us have told theirs, or PATIENCE is over |
| 1041 of the seat on turn | it offers to us | accepted or not, decided on a copy of the view |
| own 1040; 1038 | a trade is done, or withdrawn | the turn goes on |

A request is out till the last message of its sequence; then the next one is made.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from catan_env.core.constants import DESERT, Phase
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import Event
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.follow import LOSE, Follower, let_discard
from catan_env.protocols.jsettlers.opening import Agreement, Opening, UnplayableError
from catan_env.protocols.jsettlers.places import TILES
from catan_env.protocols.jsettlers.speech import KINDS, to_discard, to_messages

Decide = Callable[[SeatView], int]
"""A policy's `act`: the flat index of a legal action."""

DISCARD_PATIENCE = 3.0
"""Seconds to wait at a seven for the seats before us."""
REFUSED_PATIENCE = 1.0
"""Seconds after a refusal till the turn is ended, if the server says nothing more."""
CLEARING_PATIENCE = 1.0
"""Seconds after a trade till the turn goes on, if the server does not clear all offers."""
CLOCK = 8.0
"""Seconds without progress after which the server ends a robot's turn."""
OFFER_CLOCK = 6.0
"""Seconds from the last progress till an offer is withdrawn."""
CLIENT_OFFER_CLOCK = 15.0
"""The same from the offer on, where the server has no clock for us."""
LEAST_LEFT = 3.0
"""Seconds that have to be left for an offer."""
REFUSED_CARD = 4
"""The action of 1046 that refuses a card."""
PLAYS = frozenset((ActionKind.PLAY_YEAR_OF_PLENTY, ActionKind.PLAY_MONOPOLY))


@dataclass
class Statistics:
    """What is counted of a game."""

    seconds: list[float] = field(default_factory=list)
    """What each decision took."""
    refusals: list[str] = field(default_factory=list)
    """What the server refused, and why."""
    forced: int = 0
    """Turns and discards of ours that the server ended for us."""
    offers: int = 0
    """Offers that we made."""
    accepted: int = 0
    """Of these, accepted."""


class Player:
    """Plays one seat of `game`; what to say gathers in `out`.

    `hear` and `time` raise RemoteProtocolError where the game cannot be followed, and
    UnplayableError where it is none of ours; `now` is in seconds of any steady clock.
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
        self.deadline: float | None = None
        """When `time` is due."""
        self.statistics = Statistics()
        self._decide = decide
        self._is_robot = is_robot
        self._then: list[Any] = []
        """The rest of what was decided, for when the server asks for it."""
        self._said: Action | None = None
        self._offer_is_out = False
        """Whether the server has told the offer that we made."""
        self._owed = 0
        """Cards that the server wants of us."""
        self._progress = 0.0
        """When something last moved in the turn."""
        self._refused: set[ActionKind] = set()
        self._refused_in = -1
        self._waits_for = ""

    @property
    def seat(self) -> int:
        """This seat's number."""
        return self.opening.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.follower is not None and self.follower.is_over

    def hear(self, message: Any, now: float) -> None:
        """Follow a message, and answer it where it asks."""
        if self.follower is None:
            self._open(message)
        else:
            self._note(message, now)
            self.follower.hear(message)
        if self.follower is not None and not self.follower.is_over:
            self._answer(self.follower, message, now)

    def time(self, now: float) -> None:
        """Nothing came that was waited for."""
        if self.deadline is None or now < self.deadline or self.follower is None:
            return
        waited_for, self._waits_for, self.deadline = self._waits_for, "", None
        if waited_for == "discards":
            self._discard(self.follower)
        elif waited_for == "answer":
            self._withdraw()
        elif waited_for == "clearing":
            self._act(self.follower, now)
        elif waited_for == "refusal":
            self._say(m.EndTurn(self.game))

    def _open(self, message: Any) -> None:
        """Before the first settlement."""
        if isinstance(message, m.SitDown):
            self.opening.names[message.seat] = message.name
        elif isinstance(message, m.BoardLayout | m.BoardLayout2):
            self.opening.lay(message)
        elif isinstance(message, m.Turn) and message.state in states.SET_UP:
            self.begun = self.opening.view(message.seat)
            self.follower = Follower(self.begun.copy(), message.state)
        elif isinstance(message, m.Turn) and message.state:
            raise UnplayableError("the game is under way")

    def _note(self, message: Any, now: float) -> None:
        """What concerns the clock, and names that change amid the game."""
        if isinstance(message, _PROGRESS):
            self._progress = now
        if isinstance(message, m.SitDown):
            self.opening.names[message.seat] = message.name
        if isinstance(message, m.Element | m.Elements) and self._is_forced_discard(message):
            self.statistics.forced += 1
            self._owed = 0
        if isinstance(message, m.Turn):
            self._then.clear()
            if self._was_forced(message):
                self.statistics.forced += 1
            self._wait("", None)
            self._said = None

    def _is_forced_discard(self, message: m.Element | m.Elements) -> bool:
        assert self.follower is not None
        is_ours = message.seat == self.seat and message.action == LOSE
        return is_ours and self.follower.state == states.DISCARDS

    def _was_forced(self, message: m.Turn) -> bool:
        """Whether our turn ended and we did not end it."""
        follower = self.follower
        assert follower is not None
        if follower.turn_seat != self.seat or message.state != states.ROLL or follower.view.is_over:
            return False
        ended = self._said is not None and self._said.kind == ActionKind.END_TURN
        return follower.view.turn > 0 and follower.state != states.OVER and not (
            ended or follower.state in states.SET_UP
        )  # fmt: skip

    # What is asked.

    def _answer(self, follower: Follower, message: Any, now: float) -> None:
        if isinstance(message, m.GameState | m.Turn | m.RollPrompt):
            if self._is_asked(follower, message):
                self._act(follower, now)
        elif isinstance(message, m.ChooseVictim):
            self._choose_victim(follower, message)
        elif isinstance(message, m.DiscardRequest):
            self._owed = message.count
            self._wait("discards", now + DISCARD_PATIENCE)
        elif isinstance(message, m.MakeOffer):
            self._hear_offer(follower, message)
        elif isinstance(message, m.BankTraded | m.AcceptOffer | m.ClearOffer):
            self._go_on_after_trade(follower, message, now)
        else:
            self._hear_refusal(follower, message, now)
        if self._owed and self._is_our_discard(follower):
            self._discard(follower)

    def _is_asked(self, follower: Follower, message: Any) -> bool:
        if follower.turn_seat != self.seat:
            return False
        if isinstance(message, m.RollPrompt):
            return message.seat == self.seat and follower.state == states.ROLL
        return message.state in states.PHASES or message.state in states.CHOICES

    def _go_on_after_trade(self, follower: Follower, message: Any, now: float) -> None:
        if follower.turn_seat != self.seat or follower.state != states.MAIN:
            return
        if isinstance(message, m.AcceptOffer):  # then all offers are cleared
            self.statistics.accepted += 1
            self._wait("clearing", now + CLEARING_PATIENCE)
        elif isinstance(message, m.BankTraded):
            if self._said is not None and self._said.kind == ActionKind.BANK_TRADE:
                self._act(follower, now)
        elif self._offer_is_out and follower.view.offer is None:  # else another seat's is cleared
            self._act(follower, now)

    # Deciding.

    def _act(self, follower: Follower, now: float) -> None:
        """Ask the policy, and say what it decides."""
        self._wait("", None)
        self._offer_is_out = False
        state, view = follower.state, follower.view
        if state in states.CHOICES:
            self._say(*(self._then[:1] or [self._some_choice(state)]))
            self._then.clear()
        elif view.is_over:
            self._move_robber_somewhere(view)
        elif state in states.FREE_ROADS and view.phase != Phase.FREE_ROAD:
            self._say(m.CancelBuild(self.game, 0))
        else:
            self._align(follower)
            self._request(follower, self._decided(follower, now), now)

    def _align(self, follower: Follower) -> None:
        """The server knows best what it asks for."""
        phase = states.PHASES.get(follower.state, Phase.ROLL)
        view = follower.view
        if view.seat != self.seat or view.phase != phase:
            follower.differ("phase")
            correction.ask(view, phase)

    def _request(self, follower: Follower, action: Action, now: float) -> None:
        first, *self._then = to_messages(follower.view, self.game, action)
        self._said = action
        if action.kind == ActionKind.OFFER:
            self.statistics.offers += 1
            until = self._progress + OFFER_CLOCK if self._is_robot else now + CLIENT_OFFER_CLOCK
            self._wait("answer", until)
        self._say(first)

    def _decided(self, follower: Follower, now: float) -> Action:
        view = follower.view
        if view.turn != self._refused_in:
            self._refused_in = view.turn
            self._refused.clear()
        may_offer = not self._is_robot or now <= self._progress + CLOCK - LEAST_LEFT
        if view.phase == Phase.MAIN and (not may_offer or ActionKind.OFFER in self._refused):
            view = view.copy()
            correction.offer_no_more(view)
        action = self._ask(view)
        if action.kind in self._refused or self._is_barred(view, action):
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
        return view.board.tiles[action.args[0]].terrain == DESERT

    def _instead(self, view: SeatView, refused: Action) -> Action:
        """What to do where the server does not let us: pass, or the next best of that phase."""
        if view.phase == Phase.MAIN:
            return Action.end_turn()
        legal = [action for action in view.legal_actions if not self._is_barred(view, action)]
        others = [action for action in legal if action.kind not in self._refused]
        return (others or legal or [refused])[0]

    def _some_choice(self, state: int) -> Any:
        """The second word of a card that the server asks for and nobody decided."""
        if state == states.MONOPOLY:
            return m.PickMonopoly(self.game, 1)
        return m.PickCards(self.game, (1, 1, *(0,) * (KINDS - 2)))

    def _move_robber_somewhere(self, view: SeatView) -> None:
        """A knight that wins still moves the robber."""
        barred = self.opening.agreement.desert_is_barred
        free = [
            tile
            for tile in range(len(TILES))
            if tile != view.robber and not (barred and view.board.tiles[tile].terrain == DESERT)
        ]
        self._say(m.MoveRobber(self.game, self.seat, TILES[free[0]]))

    def _choose_victim(self, follower: Follower, message: m.ChooseVictim) -> None:
        """The seat that was decided on, or the one that can be robbed and has most cards."""
        can = [seat for seat, is_so in enumerate(message.can[: follower.view.seats]) if is_so]
        if follower.turn_seat != self.seat or not can:
            return
        chosen = [said.seat for said in self._then if isinstance(said, m.Victim)]
        self._then.clear()
        if not chosen or chosen[0] not in can:
            chosen = [max(can, key=follower.view.hand_size)]
        self._say(m.Victim(self.game, chosen[0]))

    # Discards.

    def _is_our_discard(self, follower: Follower) -> bool:
        """Whether all seats before us have told their discards."""
        return follower.view.phase == Phase.DISCARD and follower.view.seat == self.seat

    def _discard(self, follower: Follower) -> None:
        """Decide card by card on a copy, on which seats that have not told theirs discard."""
        count, self._owed = self._owed, 0
        if self._waits_for == "discards":
            self._wait("", None)
        trial = follower.view.copy()
        while trial.phase == Phase.DISCARD and trial.seat != self.seat:
            let_discard(trial, trial.seat, trial.owes(trial.seat))
        gone = [0] * KINDS
        while sum(gone) < count and trial.phase == Phase.DISCARD and trial.seat == self.seat:
            action = self._ask(trial)
            gone[action.args[0]] += 1
            trial.apply(Event(self.seat, action))
        hand = list(follower.view.hand(self.seat))
        while sum(gone) < count:  # the server wants more than our rules
            most = max(range(KINDS), key=lambda r: hand[r] - gone[r])
            gone[most] += 1
        self._say(to_discard(self.game, gone))

    # Trade between seats.

    def _hear_offer(self, follower: Follower, message: m.MakeOffer) -> None:
        if message.seat == self.seat:
            self._offer_is_out = True
            return
        is_to_us = (message.to_0, message.to_1, message.to_2, message.to_3)[self.seat]
        if not is_to_us:
            return
        if follower.turn_seat == self.seat:  # a counter-offer
            self._say(m.RejectOffer(self.game, self.seat))
            self._hear_no(follower, message.seat)
        elif follower.offer is not None and follower.view.rules.player_trade:
            maker, give, get = follower.offer
            self._say(self._answer_to(follower.view, maker, give, get))

    def _answer_to(self, view: SeatView, maker: int, give: Any, get: Any) -> Any:
        """Decided as if the offer had been made to this seat alone."""
        trial = view.copy()
        step = (self.seat - maker) % view.seats
        refuses = not any(give) or not any(get) or any(map(min, give, get))
        try:
            if not refuses:
                trial.apply(Event(maker, Action.offer(step, give, get)))
                refuses = self._ask(trial).kind != ActionKind.ACCEPT
        except IllegalActionError:  # not in the phase in which our rules know offers
            refuses = True
        return m.RejectOffer(self.game, self.seat) if refuses else to_messages(
            trial, self.game, Action.accept()
        )[0]  # fmt: skip

    def _hear_no(self, follower: Follower, seat: int) -> None:
        """The seat that was asked refuses."""
        offer = follower.view.offer
        if offer is not None and offer.seat == self.seat and offer.to == seat:
            self._withdraw()

    def _withdraw(self) -> None:
        """The own offer; the view hears of it when the server says it."""
        if self._waits_for == "answer":
            self._wait("", None)
        self._say(m.ClearOffer(self.game, self.seat))

    # Refusals.

    def _hear_refusal(self, follower: Follower, message: Any, now: float) -> None:
        if isinstance(message, m.RejectOffer) and not message.reason:
            self._hear_no(follower, message.seat)
            return
        if not self._is_refusal(follower, message):
            return
        kind = None if self._said is None else self._said.kind
        name = "nothing" if kind is None else kind.name.lower()
        self.statistics.refusals.append(f"{name}: {message}")
        self._then.clear()
        if follower.turn_seat != self.seat or kind is None:
            return
        self._refused.add(kind)
        if follower.state == states.MAIN:
            self._wait("refusal", now + REFUSED_PATIENCE)
        elif isinstance(message, m.DeclinedAction):
            self._act(follower, now)

    def _is_refusal(self, follower: Follower, message: Any) -> bool:
        """Too late for an offer is no refusal of what we wanted."""
        if isinstance(message, m.DeclinedAction):
            return True
        if isinstance(message, m.RejectOffer):
            return follower.turn_seat == self.seat
        if isinstance(message, m.CardAction):
            return message.action == REFUSED_CARD
        is_ours = follower.turn_seat == self.seat
        return isinstance(message, m.CancelBuild) and is_ours and self._said is not None and (
            self._said.kind in (ActionKind.ROAD, ActionKind.SETTLEMENT, ActionKind.CITY)
        )  # fmt: skip

    def _wait(self, what: str, until: float | None) -> None:
        self._waits_for, self.deadline = what, until

    def _say(self, *messages: Any) -> None:
        self.out.extend(messages)


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
