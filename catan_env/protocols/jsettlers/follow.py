"""A seat's view of a game, followed from what the server says.

Rule 1. The view moves when the server has said it, never when this seat asks for it.
Rule 2. Sizes, pieces and awards are told in words that the view computes by itself: what is told
        otherwise than computed is taken from the server, and counted in `differences`.
Rule 3. What the wire hides leaves no trace but a guess of the bank.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game import correction
from catan_env.game.action import Action
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.game.likely import likely_discard
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.doubt import SEVEN
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import states
from catan_env.protocols.jsettlers.places import (
    CARDS,
    from_counts,
    tile_at,
    to_resource,
)
from catan_env.protocols.jsettlers.speech import (
    KINDS,
    bank_trades,
    cards_of,
    listed,
    offer_to,
    plenty,
    to_actions,
)

SET, GAIN, LOSE = 100, 101, 102
"""Actions of 1086 and 1024."""
UNKNOWN = 6
KNIGHTS, CARD_PLAYED = 15, 19
DRAWN, PLAYED, BACK = 0, 1, 3
"""Actions of 1046."""
TOOK = 3
"""The action of 1090 that tells what a monopoly took."""
LARGEST_ARMY, LONGEST_ROAD = 5, 6
"""What 1096 tells of."""
REFUSED = "refused:"


class LostError(RemoteProtocolError):
    """The game went where our rules cannot follow."""


class Follower:
    """Keeps `view` as the server keeps its game; raises RemoteProtocolError."""

    def __init__(self, view: SeatView, state: int) -> None:
        self.view = view
        self.state = state
        """The state that was told last."""
        self.turn_seat = view.turn_seat
        self.happened: list[Event] = []
        self.exact_until: int | None = None
        """The turn in which the view ceased to be byte for byte what the environment would show."""
        self.differences: Counter[str] = Counter()
        """What was told otherwise than computed, by what it is about."""
        self.discards: dict[int, tuple[int, ...]] = {}
        """What seats discarded that the view has not come to: six counts, the last unseen ones."""
        self.offer: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
        """Who is on turn and asks this seat, what it gives and what it wants."""
        self._told_until: int | None = None
        self.is_over = False
        self.winner: int | None = None
        self._robbing: tuple[int, int] | None = None
        self._card: DevelopmentCard | None = None
        self._losses: dict[int, int] = {}
        self._is_amid_turns = False

    @property
    def seat(self) -> int:
        """This seat's number."""
        return self.view.viewer

    @property
    def is_exact(self) -> bool:
        """Whether the view is byte for byte what the environment would show."""
        return self.exact_until is None

    @property
    def told(self) -> list[Event]:
        """What happened, as far as events say everything that moved the view."""
        return self.happened[: self._told_until]

    def hear(self, message: Any) -> None:
        """Follow a message; those that tell nothing of the game are passed over."""
        heard = _HEARD.get(type(message))
        if heard is None or self.is_over:
            return
        try:
            heard(self, message)
        except IllegalActionError as error:
            raise LostError(f"{type(message).__name__}: {error}") from None
        except (ValueError, IndexError) as error:
            raise RemoteProtocolError(f"{type(message).__name__}: {error}") from None

    # What leads from turn to turn.

    def _turn(self, message: m.Turn) -> None:
        seat = self._checked(message.seat)
        self._settle(message.state)
        if message.state == states.ROLL and self.view.turn == 0:
            raise LostError("the set-up ended before everybody had placed")
        if self._has_begun(message.state):
            self._end_turn()
        self.state, self.turn_seat, self.offer = message.state, seat, None
        if not self.view.is_over and self.view.turn_seat != seat:
            raise LostError(f"the turn of seat {seat}, not of seat {self.view.turn_seat}")
        if message.state == states.OVER:
            self._end(seat)

    def _has_begun(self, state: int) -> bool:
        """Whether a turn was under way; the first one begins when the last road is placed."""
        if state not in (states.ROLL, states.OVER) or self.view.turn == 0:
            return False
        begun, self._is_amid_turns = self._is_amid_turns, True
        return begun

    def _end_turn(self) -> None:
        """Ended or forced: all the same to the view."""
        if self.view.is_over:
            return
        ends = self.view.phase == Phase.MAIN and self.view.turn_seat == self.turn_seat
        action = Action.end_turn() if ends else Action.time_out()
        self._apply(Event(self.view.turn_seat, action))

    def _state(self, message: m.GameState) -> None:
        self._settle(message.state)
        self.state = message.state
        if message.state == states.OVER:
            self._end(self.turn_seat)

    def _settle(self, state: int) -> None:
        """What has to be done before the game is in that state."""
        if state == states.OVER:  # a knight that has won moves the robber for nothing
            self._robbing = None
        if self._robbing is not None and state not in (states.VICTIM, states.ROBBER):
            self._rob(None, None)
        if state not in (states.DISCARDS, states.OVER):
            self._finish_discards()
        if state not in states.CHOICES:
            self._card, self._losses = None, {}
        if state in (states.MAIN, states.ROLL) and self.view.phase == Phase.FREE_ROAD:
            self.differ("free roads")
            correction.lay_no_more_roads(self.view)

    def _end(self, seat: int) -> None:
        self.is_over, self.winner = True, seat
        if self.view.winner != seat:
            correction.declare_winner(self.view, seat)
        if self.happened:
            self.happened[-1] = replace(self.happened[-1], winner=seat)

    def _result(self, message: m.GameStats) -> None:
        """The end, should the state not have told it; while one joins it has another form."""
        words = message.values
        if len(words) >= 2 * self.view.seats and all(
            word.lstrip("-").isdigit() for word in words[:4]
        ):
            self._end(self.turn_seat)

    # What a seat does.

    def _dice(self, message: m.DiceResult) -> None:
        if message.total < 0:
            return
        if not 2 <= message.total <= 12:
            raise RemoteProtocolError(f"a roll of {message.total}; allowed are 2..12")
        first = max(1, message.total - SEVEN + 1)
        self._apply(Event(self.turn_seat, Action.roll(), (first, message.total - first)))

    def _production(self, message: m.Production) -> None:
        for seat, size, _ in message.gains():
            self._believe_size(self._checked(seat), size)

    def _piece(self, message: m.PutPiece) -> None:
        (action,) = to_actions(self.view, [message])
        self._apply(Event(self._checked(message.seat), action))

    def _card_action(self, message: m.CardAction) -> None:
        if self.state == states.OVER or message.seat < 0 or not message.cards:
            return
        seat, card = self._checked(message.seat), CARDS.get(message.cards[0])
        if message.action == DRAWN:
            is_own = seat == self.seat and card is not None
            self._apply(Event(seat, Action.buy_development_card(), card if is_own else HIDDEN))
        elif message.action == PLAYED and card is not None:
            self._play_card(seat, card)
        elif message.action == BACK:
            self._take_back(seat)

    def _play_card(self, seat: int, card: DevelopmentCard) -> None:
        self._card, self._losses = card, {}
        if card == DevelopmentCard.KNIGHT:
            self._apply(Event(seat, Action.play_knight()))
        elif card == DevelopmentCard.ROAD_BUILDING:
            self._apply(Event(seat, Action.play_road_building()))

    def _take_back(self, seat: int) -> None:
        """The card that was begun, if the view has followed it."""
        played = {
            Phase.ROBBER: DevelopmentCard.KNIGHT,
            Phase.FREE_ROAD: DevelopmentCard.ROAD_BUILDING,
        }
        card = played.get(self.view.phase)
        if card is not None and self.view.card_played and seat == self.view.turn_seat:
            self.differ("card taken back")
            correction.take_card_back(self.view, seat, card)
        self._card = None

    def _plenty(self, message: m.PickCards) -> None:
        if self._card == DevelopmentCard.YEAR_OF_PLENTY:
            self._card = None
            self._apply(Event(self.turn_seat, plenty(message)))

    def _simple(self, message: m.SimpleAction) -> None:
        if message.action != TOOK or self._card != DevelopmentCard.MONOPOLY:
            return
        kind, seat = to_resource(message.values[1]), self._checked(message.seat)
        losses = dict(self._losses)
        if seat != self.seat:
            losses[self.seat] = self.view.hand(self.seat)[kind]
        taken = tuple(max(0, losses.get(other, 0)) for other in range(self.view.seats))
        self._card = None
        self._apply(Event(seat, Action.play_monopoly(kind), taken))

    def _size(self, message: m.HandSize) -> None:
        seat = self._checked(message.seat)
        if self._card == DevelopmentCard.MONOPOLY and seat != self.turn_seat:
            self._losses[seat] = self.view.hand_size(seat) - message.count
        elif self.state not in states.PAID:
            self._believe_size(seat, message.count)

    # The robber.

    def _robber(self, message: m.MoveRobber) -> None:
        if self.view.is_over:
            return
        self._robbing = self._checked(message.seat), tile_at(message.tile)

    def _robbery(self, message: m.Robbery) -> None:
        victim = self._checked(message.victim)
        is_seen = self.seat in (message.thief, message.victim) and message.kind != UNKNOWN
        if message.what != "R" or message.count != 1:
            raise RemoteProtocolError(f"a robbery of {message.count} {message.what!r}")
        self._rob(victim, to_resource(message.kind) if is_seen else HIDDEN)

    def _rob(self, victim: int | None, card: Any) -> None:
        """Where nobody was robbed, that is nobody's building, or only that of empty hands."""
        if self._robbing is None:
            return
        (seat, tile), self._robbing = self._robbing, None
        if victim is None:
            victim = self._empty_hand_at(seat, tile)
        step = None if victim is None else (victim - seat) % self.view.seats
        self._apply(Event(seat, Action.move_robber(tile, step), card))

    def _empty_hand_at(self, seat: int, tile: int) -> int | None:
        view, corners = self.view, {*TILE_VERTICES[tile]}
        for step in range(1, view.seats):
            other = (seat + step) % view.seats
            if corners & {*view.settlements(other), *view.cities(other)}:
                if view.hand_size(other) <= 0:
                    return other
        return None

    # Discards: told all at once, in the view one seat after the other.

    def _discarded(self, message: m.Discarded) -> None:
        if not message.seat.startswith("p") or not message.seat[1:].isdigit():
            raise RemoteProtocolError(f"a discard of {message.seat!r}; allowed is p and a seat")
        if len(message.cards) <= KINDS or min(message.cards) < 0:
            raise RemoteProtocolError(f"a discard of {message.cards}; allowed are six counts")
        cards = (*from_counts(message.cards[:KINDS]), message.cards[KINDS])
        self._discard(self._checked(int(message.seat[1:])), cards)

    def _discard(self, seat: int, cards: tuple[int, ...]) -> None:
        so_far = self.discards.get(seat, (0,) * (KINDS + 1))
        self.discards[seat] = tuple(a + b for a, b in zip(so_far, cards, strict=True))
        while self.view.phase == Phase.DISCARD and self.view.seat in self.discards:
            turn = self.view.seat
            self._give_up(turn, self.discards.pop(turn))

    def _give_up(self, seat: int, cards: tuple[int, ...]) -> None:
        """Cards that are seen, or that everybody can name, are events; others are Unseen."""
        known = self.view.known(seat)
        size, unseen = self.view.hand_size(seat), cards[KINDS]
        if unseen and max(known) == size:
            cards = (*(unseen * (n == size) for n in known), 0)
        if cards[KINDS]:
            self._be_unseen(seat, sum(cards))
            return
        for card in listed(cards):
            self._apply(Event(seat, Action.discard(card)))

    def _be_unseen(self, seat: int, count: int) -> None:
        """As many as the seat owes; what is told of another number is only told by sizes."""
        self._be_in_doubt()
        size, owed = self.view.hand_size(seat) - count, self.view.owes(seat)
        self.happened += let_discard(self.view, seat, owed)
        if count != owed:
            self.differ("discards")
            correction.believe_hand(self.view, seat, max(0, size), None)

    def _finish_discards(self) -> None:
        """The game goes on: who has not told its discards has made them."""
        while self.view.phase == Phase.DISCARD:
            seat = self.view.seat
            known = self.discards.pop(seat, (0,) * KINDS + (self.view.owes(seat),))
            self._give_up(seat, known)
        self.discards.clear()

    # Trade.

    def _bank_traded(self, message: m.BankTraded) -> None:
        give, get = cards_of(message.counts)
        seat = self._checked(message.counts[2 * KINDS])
        actions = bank_trades(self.view, seat, give, get)
        rates = self.view.owned_rates(seat, listed(give)[0]) if actions else set()
        if actions and (actions[0].args[2] is None or actions[0].args[2] in rates):
            for action in actions:
                self._apply(Event(seat, action))
        else:
            self.differ("bank trade")
            correction.exchange(self.view, seat, give, get)

    def _offered(self, message: m.MakeOffer) -> None:
        maker, to = self._checked(message.seat), offer_to(self.view, message)
        give, get = cards_of(message.counts)
        if maker != self.turn_seat:
            return
        if maker != self.seat:
            self.offer = (maker, give, get) if self.seat in to else None
        elif len(to) == 1 and self.view.offer is None:
            step = (to[0] - maker) % self.view.seats
            self._apply(Event(maker, Action.offer(step, give, get)))

    def _accepted(self, message: m.AcceptOffer) -> None:
        """From the side of the seat on turn, whoever made the offer."""
        taker, maker = self._checked(message.taker), self._checked(message.maker)
        to_taker, to_maker = cards_of(message.counts)
        if self.turn_seat not in (taker, maker) or taker == maker:
            raise RemoteProtocolError(f"seats {taker} and {maker} trade in another's turn")
        self.offer = None
        give, get = to_taker, to_maker
        partner = taker
        if maker != self.turn_seat:
            give, get, partner = to_maker, to_taker, maker
        open_offer = self.view.offer
        if open_offer is not None and (partner, give, get) != open_offer[1:]:
            self.withdraw()
            open_offer = None
        if open_offer is None:
            step = (partner - self.turn_seat) % self.view.seats
            self._apply(Event(self.turn_seat, Action.offer(step, give, get)))
        self._apply(Event(partner, Action.accept()))

    def _cleared(self, message: m.ClearOffer) -> None:
        if message.seat < 0 or message.seat == self.turn_seat:
            self.offer = None
            self.withdraw()

    def withdraw(self) -> None:
        """The own offer on the table is none any more."""
        if self.view.offer is not None:
            self._apply(Event(self.view.offer.to, Action.reject()))

    # What is told beside.

    def _elements(self, message: m.Elements) -> None:
        pairs = list(zip(message.pairs[::2], message.pairs[1::2], strict=False))
        self._hear_elements(self._checked(message.seat), message.action, pairs)

    def _element(self, message: m.Element) -> None:
        if message.what == CARD_PLAYED:  # of every seat at once, by -1
            return
        seat = self._checked(message.seat)
        if message.what == KNIGHTS and message.action == SET:
            self._believe_knights(seat, message.count)
        elif self._card == DevelopmentCard.MONOPOLY:
            return
        else:
            self._hear_elements(seat, message.action, [(message.what, message.count)])

    def _hear_elements(self, seat: int, action: int, pairs: Sequence[tuple[int, int]]) -> None:
        cards = [(what, n) for what, n in pairs if 1 <= what <= UNKNOWN]
        if not cards:
            return
        if action == LOSE and self.state == states.DISCARDS:  # the server chose: time was up
            lost = [0] * (KINDS + 1)
            for what, n in cards:
                lost[KINDS if what == UNKNOWN else to_resource(what)] += n
            self._discard(seat, tuple(lost))
        elif action == SET and seat == self.seat:
            self._believe_own_hand(dict(cards))

    def _believe_own_hand(self, said: dict[int, int]) -> None:
        """What is told of the own hand is the truth."""
        hand = list(self.view.hand(self.seat))
        for what, n in said.items():
            if what != UNKNOWN:
                hand[to_resource(what)] = n
        if tuple(hand) != self.view.hand(self.seat):
            self.differ("own hand")
            correction.believe_hand(self.view, self.seat, sum(hand), hand)

    def _believe_size(self, seat: int, size: int) -> None:
        if size != self.view.hand_size(seat) and seat != self.seat:
            self.differ("hand size")
            correction.believe_hand(self.view, seat, size, None)

    def _believe_knights(self, seat: int, knights: int) -> None:
        if self.view.knights(seat) != knights:
            self.differ("knights")
            correction.believe_knights(self.view, seat, knights)

    def _awards(self, message: m.GameElements) -> None:
        names = {LARGEST_ARMY: "largest_army", LONGEST_ROAD: "longest_road"}
        holders = {
            LARGEST_ARMY: self.view.largest_army_seat,
            LONGEST_ROAD: self.view.longest_road_seat,
        }
        for what, value in zip(message.pairs[::2], message.pairs[1::2], strict=False):
            holder = None if value < 0 else self._checked(value) if what in names else None
            if what in names and holder != holders[what] and not self.view.is_over:
                self.differ(names[what])
                correction.award(self.view, names[what], holder)

    # The view.

    def _apply(self, event: Event) -> None:
        """Follow an event; one that our rules refuse is followed as far as it can be."""
        if self.view.is_over:
            return
        self.happened.append(event)
        try:
            self.view.apply(event)
        except IllegalActionError:
            self.differ(f"{REFUSED} {event.action.kind.name.lower()}")
            correction.force(self.view, event)

    def differ(self, about: str) -> None:
        """Something was otherwise than computed, and the view has been brought in line."""
        self.differences[about] += 1
        self._be_in_doubt()
        if self._told_until is None:
            self._told_until = len(self.happened) - about.startswith(REFUSED)

    def _be_in_doubt(self) -> None:
        if self.exact_until is None:
            self.exact_until = self.view.turn

    def _checked(self, seat: int) -> int:
        if not 0 <= seat < self.view.seats:
            raise RemoteProtocolError(f"seat {seat} among {self.view.seats}")
        return seat


def let_discard(view: SeatView, seat: int, count: int) -> list[Event]:
    """A seat discards so many cards unseen, likely those of which it is likely to hold most."""
    events = []
    for _ in range(count):
        events.append(Event(seat, Action.discard(likely_discard(view, seat)), HIDDEN))
        view.apply(events[-1])
    return events


_HEARD: dict[type, Callable[[Follower, Any], None]] = {
    m.Turn: Follower._turn,
    m.GameState: Follower._state,
    m.GameStats: Follower._result,
    m.DiceResult: Follower._dice,
    m.Production: Follower._production,
    m.PutPiece: Follower._piece,
    m.CardAction: Follower._card_action,
    m.PickCards: Follower._plenty,
    m.SimpleAction: Follower._simple,
    m.HandSize: Follower._size,
    m.MoveRobber: Follower._robber,
    m.Robbery: Follower._robbery,
    m.Discarded: Follower._discarded,
    m.BankTraded: Follower._bank_traded,
    m.MakeOffer: Follower._offered,
    m.AcceptOffer: Follower._accepted,
    m.ClearOffer: Follower._cleared,
    m.Elements: Follower._elements,
    m.Element: Follower._element,
    m.GameElements: Follower._awards,
}
