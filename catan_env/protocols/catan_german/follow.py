"""A seat's view of the game, followed from what the server says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from catan_env.core.constants import Phase, Resource
from catan_env.game import correction
from catan_env.game.action import Action, ActionKind, Counts
from catan_env.game.board import Board
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_german import status, words
from catan_env.protocols.catan_german.ledger import Ledger, Move, move_of
from catan_env.protocols.catan_german.messages import (
    NAMES,
    VERSIONS,
    Built,
    CardBought,
    Concluded,
    Costs,
    GameOver,
    GameStarted,
    Hello,
    KnightPlayed,
    LargestArmy,
    LongestRoad,
    Message,
    MonopolyPlayed,
    OfferAnswered,
    OfferCancelled,
    Offered,
    Player,
    PlentyPlayed,
    RoadsPlayed,
    RobberMoved,
    Rolled,
    StatusUpdate,
    Welcome,
    Yield,
)
from catan_env.protocols.catan_german.opening import board_of
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.speech import Speech, resource_named, richest
from catan_env.protocols.catan_german.words import to_counts

SEATS = (2, 3, 4)


@dataclass
class HeardOffer:
    """The offer on the table."""

    number: int
    seat: int
    give: Counts
    get: Counts
    answers: dict[int, bool] = field(default_factory=dict)


@dataclass
class Theft:
    """A robber's move whose card is still to be announced; `victim` may be, too."""

    seat: int
    tile: int
    victim: int | None
    heard: list[Move] = field(default_factory=list)


@dataclass
class Monopoly:
    """A monopoly whose losses are still to be announced."""

    seat: int
    resource: Resource
    losses: dict[int, int] = field(default_factory=dict)


class Follower:
    """Keeps `view` as the server keeps its game.

    `hear` takes what the server says, `say` what this seat asks for. Raises RemoteProtocolError
    for what no game of ours can follow: another version, another board, too many players.
    """

    def __init__(self) -> None:
        self.version: str | None = None
        self.me: int | None = None
        """The own id."""
        self.players: dict[int, Player] = {}
        """What Statusupdates said last, by id."""
        self.status: str | None = None
        """The own."""
        self.view: SeatView | None = None
        """What the seat knows, from its own first settlement on."""
        self.said: tuple[Action, ...] = ()
        """What this seat has asked for and the server has not yet done or refused."""
        self.offer: HeardOffer | None = None
        self.has_answered = False
        self.is_over = False
        self.winner: int | None = None
        """The seat that has won."""
        self.has_started = False
        """Whether the map has come."""
        self.is_in_doubt = False
        """Whether the server follows other rules than ours, or hides more."""
        self._board: tuple[Board, int] | None = None
        self._seats = 0
        self._order: list[int] = []
        self._early: list[Event] = []
        self._gone: set[int] = set()
        self._ledger = Ledger()
        self._cause: Theft | Monopoly | None = None
        self._places = Places("1.0")

    @property
    def speech(self) -> Speech:
        """How the table is spoken to; seats that have not placed yet have no id."""
        assert self.version is not None
        order = [*self._order, *[-1] * (self._seats - len(self._order))]
        return Speech(self.version, order)

    @property
    def seat(self) -> int:
        """The own seat, once the view is there."""
        assert self.view is not None
        return self.view.viewer

    @property
    def is_asked(self) -> bool:
        """Whether this seat has to decide now, and knows all that it can before it does."""
        view = self.view
        if view is None or self.is_over or self.said or self._cause is not None:
            return False
        phase = status.PHASES.get(self.status or "")
        return phase == view.phase and view.seat == view.viewer and not view.is_over

    @property
    def is_asked_for_answer(self) -> bool:
        """Whether this seat has to answer the offer on the table."""
        if self.view is None or self.is_over or self.offer is None:
            return False
        return self.offer.seat != self.seat and not self.has_answered

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        if self.is_over:
            return
        heard = _HEARD.get(type(message))
        if heard is not None:
            try:
                heard(self, message)
            except IllegalActionError:
                self.is_in_doubt = True
            except ValueError as error:
                raise RemoteProtocolError(f"{NAMES[type(message)]}: {error}") from None

    def say(self, actions: Sequence[Action]) -> None:
        """This seat asks for `actions`."""
        if actions[0].kind in (ActionKind.ACCEPT, ActionKind.REJECT):
            self.has_answered = True
        else:
            self.said = tuple(actions)

    def refused(self) -> None:
        """The server has not done what was asked for."""
        self.said = ()

    # Before the game.

    def _greeted(self, message: Hello) -> None:
        if message.protocol not in VERSIONS:
            raise ValueError(f"Protokoll {message.protocol}; known are {', '.join(VERSIONS)}")
        self.version = message.protocol
        self._places = Places(message.protocol)

    def _welcomed(self, message: Welcome) -> None:
        self.me = message.id

    def _started(self, message: GameStarted) -> None:
        waiting = [id for id, player in self.players.items() if player.status == words.READY]
        self._seats = len({*waiting, self.me})
        if self._seats not in SEATS:
            raise ValueError(f"{self._seats} players; a game of ours has 2, 3 or 4")
        self._board = board_of(message.map, self._places)
        self.has_started = True

    def _begin_view(self) -> None:
        """The own seat is known: that of the k-th who was asked for a settlement (5)."""
        if self._board is None or self.version is None or self.me is None:
            raise ValueError("it came before Hallo, Willkommen and the map")
        board, robber = self._board
        viewer, rules = self._order.index(self.me), Rules.german(self.version)
        self.view = SeatView.begin(board, viewer, self._seats, rules, robber=robber)
        for event in self._early:
            self._apply(event.seat, event.action)

    def _seat_of(self, player: int) -> int:
        """The seat of a player who was asked for a settlement, or places one unasked."""
        if player not in self._order:
            if len(self._order) >= self._seats:
                raise ValueError(f"Spieler {player} does not play")
            self._order.append(player)
        return self._order.index(player)

    # Statusupdates.

    def _updated(self, message: StatusUpdate) -> None:
        said = message.player
        before = self.players.get(said.id)
        self.players[said.id] = said
        was = None if before is None else before.status
        if said.status == words.GONE:
            self._lost(said.id)
        elif self.has_started and said.id not in self._order:
            self._may_join_order(said)
        if said.id == self.me:
            self.status = said.status
        if self.view is None or said.id not in self._order:
            return
        seat = self._seat_of(said.id)
        if said.status == words.ROLL and was != words.ROLL:
            self._begin_turn(seat)
        self._compare(seat, said)
        if seat == self.seat and said.status != was:
            self._check_asked()

    def _may_join_order(self, said: Player) -> None:
        if said.status == words.PLACE_SETTLEMENT:
            self._seat_of(said.id)
            if said.id == self.me and self.view is None:
                self._begin_view()

    def _lost(self, player: int) -> None:
        if self.has_started and self.view is not None and player in self._order:
            self._gone.add(self._seat_of(player))
            self._let_leave()
        elif not self.has_started:
            self.players.pop(player, None)

    def _let_leave(self) -> None:
        """Who is gone leaves the game as soon as its first turn has begun (14)."""
        view = self.view
        for seat in sorted(self._gone) if view is not None and view.turn > 0 else ():
            if view is not None and not view.is_over and view.is_playing(seat):
                self._settle()
                view.apply(Event(seat, Action.leave()))

    def _begin_turn(self, seat: int) -> None:
        view = self.view
        assert view is not None
        self._settle()
        self._ledger.clear()
        self.offer = None
        if seat == self.seat or view.turn_seat == self.seat:
            self.said = ()
        if view.turn and not (view.turn_seat == seat and view.phase == Phase.ROLL):
            self._pass_to(seat)

    def _pass_to(self, seat: int) -> None:
        """Turns end until it is this seat's; nothing owed is done."""
        view = self.view
        assert view is not None
        for _ in range(view.seats):
            if view.phase == Phase.MAIN and view.turn_seat != seat:
                self._apply(view.turn_seat, Action.end_turn())
            elif view.turn > 0 and not view.is_over:
                view.apply(Event(view.turn_seat, Action.time_out()))
            if view.turn_seat == seat:
                return

    def _compare(self, seat: int, said: Player) -> None:
        """The server's numbers win, for one's own hand and for the sizes of others'."""
        assert self.view is not None
        if self._cause is None and status.correct(self.view, seat, said):
            self.is_in_doubt = True
        if self.is_in_doubt:
            self._compare_awards(seat, said)

    def _compare_awards(self, seat: int, said: Player) -> None:
        assert self.view is not None
        road = said.longest_road or said.longest_road_as_well
        for name, has in (("longest_road", road), ("largest_army", said.largest_army)):
            if has:
                correction.award(self.view, name, seat)

    def _check_asked(self) -> None:
        """What the server asks of this seat is what the view waits for."""
        view, phase = self.view, status.PHASES.get(self.status or "")
        assert view is not None
        if phase is None:
            return
        if view.phase != phase or view.seat != view.viewer:
            self._settle()
        if view.phase != phase or view.seat != view.viewer:
            self.is_in_doubt = True
            correction.ask(view, phase)

    # The game.

    def _apply(self, seat: int, action: Action, outcome: Any = None) -> None:
        """Follow an event, and expect the Kosten and Erträge that come of it."""
        view, event = self.view, Event(seat, action, outcome)
        if view is None:
            self._early.append(event)
            return
        sizes = [view.hand_size(other) for other in range(view.seats)]
        try:
            view.apply(event)
        except IllegalActionError:
            self.is_in_doubt = True
            correction.force(view, event)
        if seat == view.viewer and self.said and self.said[0].kind == action.kind:
            self.said = ()
        more = [view.hand_size(other) - size for other, size in enumerate(sizes)]
        if action.kind not in _TOLD_FIRST:
            self._ledger.expect((s, 1 if n > 0 else -1, abs(n)) for s, n in enumerate(more) if n)
        self._let_leave_after_set_up(action)

    def _let_leave_after_set_up(self, action: Action) -> None:
        if self._gone and action.kind == ActionKind.ROAD:
            self._let_leave()

    def _rolled(self, message: Rolled) -> None:
        if self.view is None or self.view.turn == 0:
            return  # for the order
        dice = message.dice
        if isinstance(dice, int):
            if not 2 <= dice <= 12:
                raise ValueError(f"a roll of {dice}; allowed are 2..12")
            dice = (max(1, dice - 6), dice - max(1, dice - 6))
        self._act_as(message.player, Action.roll(), dice)

    def _act_as(self, player: int, action: Action, outcome: Any = None) -> None:
        """A player does something on its turn."""
        self._settle()
        seat = self._seat_of(player)
        view = self.view
        if view is not None and view.turn and view.turn_seat != seat and not view.is_over:
            self.is_in_doubt = True
            self._pass_to(seat)
        self._apply(seat, action, outcome)

    def _built(self, message: Built) -> None:
        piece = message.piece
        if piece.kind == words.ROAD:
            action = Action.road(self._places.edge_at(piece.place))
        else:
            vertex = self._places.vertex_at(piece.place)
            is_city = piece.kind == words.CITY
            action = Action.city(vertex) if is_city else Action.settlement(vertex)
        self._act_as(piece.owner, action)

    def _bought(self, message: CardBought) -> None:
        card = words.CARD_OF.get(message.card) if message.player == self.me else None
        action = Action.buy_development_card()
        self._act_as(message.player, action, HIDDEN if card is None else card)

    def _knight(self, message: KnightPlayed) -> None:
        self._act_as(message.player, Action.play_knight())
        if self.view is not None and not self.view.is_over:
            self._rob(message.player, message.place, message.victim)

    def _robber(self, message: RobberMoved) -> None:
        """Some servers say it of a knight, too."""
        tile = self._places.tile_at(message.place)
        if isinstance(self._cause, Theft) and self._cause.tile == tile:
            return
        self._settle()
        view = self.view
        if view is None:
            return
        if view.phase == Phase.DISCARD:  # nobody had to discard, or it was not announced
            self.is_in_doubt = True
        elif view.phase != Phase.ROBBER and tile == view.robber:
            return
        self._rob(message.player, message.place, message.victim)

    def _rob(self, player: int, place: Any, victim: int | None) -> None:
        view = self.view
        assert view is not None
        seat, tile = self._seat_of(player), self._places.tile_at(place)
        robbed = None if victim is None else self._seat_of(victim)
        if robbed is None and view.seat == seat and richest(view, tile) is None:
            self._apply(seat, Action.move_robber(tile))
            return
        self._cause = Theft(seat, tile, robbed)
        if robbed is not None and self._is_plain(seat, robbed):
            self._finish_theft(None)
        else:
            self._look_for_card()

    def _is_plain(self, thief: int, victim: int) -> bool:
        """Whether the card is none, or none of this seat's business."""
        assert self.view is not None
        return not self.view.hand_size(victim) or self.seat not in (thief, victim)

    def _look_for_card(self) -> None:
        """Some servers tell the cards before what moved them."""
        theft = self._cause
        assert isinstance(theft, Theft)
        for move in [m for m in self._ledger.open if m.total == 1]:
            if self._cause is theft:
                self._ledger.open.remove(move)
                self._hear_of_theft(theft, move)

    def _hear_of_theft(self, theft: Theft, move: Move) -> None:
        """A Kosten or an Ertrag that belongs to it."""
        theft.heard.append(move)
        if move.sign < 0 and theft.victim is None:
            theft.victim = move.seat
        known = move.only_kind
        if theft.victim is None:
            return
        if known is not None or len(theft.heard) == 2 or self._is_plain(theft.seat, theft.victim):
            self._finish_theft(known)

    def _finish_theft(self, card: Resource | None) -> None:
        theft, view = self._cause, self.view
        assert isinstance(theft, Theft) and view is not None
        self._cause = None
        victim = theft.victim
        step = None if victim is None else (victim - theft.seat) % view.seats
        outcome: Any = None
        if victim is not None and view.hand_size(victim):
            concerned = self.seat in (theft.seat, victim)
            outcome = card if concerned and card is not None else HIDDEN
            self.is_in_doubt |= concerned and card is None
        self._apply(theft.seat, Action.move_robber(theft.tile, step), outcome)
        for move in theft.heard:
            self._ledger.explains(move)

    def _roads(self, message: RoadsPlayed) -> None:
        self._act_as(message.player, Action.play_road_building())

    def _monopoly(self, message: MonopolyPlayed) -> None:
        self._settle()
        if self.view is None:
            return
        self._cause = Monopoly(self._seat_of(message.player), resource_named(message.resource))

    def _finish_monopoly(self) -> None:
        cause, view = self._cause, self.view
        assert isinstance(cause, Monopoly) and view is not None
        self._cause = None
        losses = tuple(cause.losses.get(seat, 0) for seat in range(view.seats))
        self._apply(cause.seat, Action.play_monopoly(cause.resource), losses)

    def _plenty(self, message: PlentyPlayed) -> None:
        counts = to_counts(message.cards)
        kinds = [kind for kind in Resource for _ in range(counts[kind])]
        if len(kinds) == 1:
            kinds *= 2
        if len(kinds) == 2:
            self._act_as(message.player, Action.play_year_of_plenty(*kinds))

    # Cards that change hands.

    def _costs(self, message: Costs) -> None:
        self._moved(message.player, -1, message)

    def _yields(self, message: Yield) -> None:
        self._moved(message.player, 1, message)

    def _moved(self, player: int, sign: int, message: Costs | Yield) -> None:
        if self.view is None or player not in self._order:
            return
        move = move_of(self._seat_of(player), sign, message.cards)
        if isinstance(self._cause, Theft) and move.total == 1:
            self._hear_of_theft(self._cause, move)
        elif isinstance(self._cause, Monopoly):
            self._hear_of_monopoly(self._cause, move)
        elif not self._ledger.explains(move) and not self._is_discard(move):
            self._ledger.open.append(move)
            self._look_for_sea_trade(move.seat)

    def _hear_of_monopoly(self, cause: Monopoly, move: Move) -> None:
        if move.seat == cause.seat:
            self._finish_monopoly()
        elif move.sign < 0:
            cause.losses[move.seat] = move.total

    def _is_discard(self, move: Move) -> bool:
        """Whether the move is what a seat owes at a seven; then follow it."""
        view = self.view
        assert view is not None
        if view.phase != Phase.DISCARD or move.sign > 0 or view.owes(move.seat) != move.total:
            return False
        counts = move.counts
        if sum(counts) != move.total:
            counts = self._own_discard() if move.seat == self.seat else (move.total, 0, 0, 0, 0)
        for resource in Resource:
            for _ in range(counts[resource]):
                self._apply(move.seat, Action.discard(resource))
        return True

    def _own_discard(self) -> Counts:
        said = [action.args[0] for action in self.said]
        a, b, c, d, e = (said.count(kind) for kind in Resource)
        return a, b, c, d, e

    def _look_for_sea_trade(self, seat: int) -> None:
        """So many of one kind given, fewer of another got, in whatever order they are announced."""
        view = self.view
        assert view is not None
        if view.phase != Phase.MAIN or view.turn_seat != seat or self.offer is not None:
            return
        moves = [m for m in self._ledger.open if m.seat == seat and m.only_kind is not None]
        paid = next((m for m in moves if m.sign < 0), None)
        got = next((m for m in moves if m.sign > 0), None)
        if paid and got and paid.only_kind != got.only_kind and paid.total % got.total == 0:
            self._ledger.open.remove(paid)
            self._ledger.open.remove(got)
            self._trade_with_bank(seat, paid, got)

    def _trade_with_bank(self, seat: int, paid: Move, got: Move) -> None:
        assert self.view is not None and paid.only_kind is not None and got.only_kind is not None
        rate: int | None = paid.total // got.total
        if rate == self.view.trade_rates(seat)[paid.only_kind]:
            rate = None
        for _ in range(got.total):
            self._apply(seat, Action.bank_trade(paid.only_kind, got.only_kind, rate))

    # Trade between seats.

    def _offered(self, message: Offered) -> None:
        self._settle()
        give, get = to_counts(message.give), to_counts(message.get)
        self.offer = HeardOffer(message.trade, self._seat_of(message.player), give, get)
        self.has_answered = False

    def _answered(self, message: OfferAnswered) -> None:
        player = message.player if message.partner is None else message.partner
        if self.offer is not None and player is not None and message.trade == self.offer.number:
            self.offer.answers[self._seat_of(player)] = message.accepts is not False

    def _cancelled(self, message: OfferCancelled) -> None:
        offer, seat = self.offer, self._seat_of(message.player)
        if offer is None or message.trade != offer.number:
            return
        if seat != offer.seat:
            offer.answers[seat] = False
            return
        self._offer_to((seat + 1) % self._seats, offer, Action.reject())

    def _concluded(self, message: Concluded) -> None:
        offer = self.offer
        if offer is not None:
            self._offer_to(self._seat_of(message.partner), offer, Action.accept())

    def _offer_to(self, partner: int, offer: HeardOffer, answer: Action) -> None:
        """What the game has of it: an offer to one seat, and its answer."""
        view = self.view
        self.offer = None
        if view is None:
            return
        step = (partner - offer.seat) % view.seats
        sizes = (sum(offer.give), sum(offer.get))
        self._apply(offer.seat, Action.offer(step, offer.give, offer.get))
        self._apply(partner, answer)
        if answer.kind == ActionKind.ACCEPT:
            given, got = sizes
            self._ledger.expect(
                [
                    (offer.seat, -1, given),
                    (partner, -1, got),
                    (offer.seat, 1, got),
                    (partner, 1, given),
                ]
            )

    # Awards and the end.

    def _longest_road(self, message: LongestRoad) -> None:
        self._awarded("longest_road", message.player)

    def _largest_army(self, message: LargestArmy) -> None:
        self._awarded("largest_army", message.player)

    def _awarded(self, name: str, player: int | None) -> None:
        if self.view is not None and self._cause is None:
            correction.award(self.view, name, None if player is None else self._seat_of(player))

    def _ended(self, message: GameOver) -> None:
        self.is_over = True
        if message.winner is not None and message.winner in self._order:
            self.winner = self._seat_of(message.winner)

    def _settle(self) -> None:
        """What should have been announced by now never will be."""
        if isinstance(self._cause, Theft):
            self.is_in_doubt = True
            self._finish_theft(None)
        elif isinstance(self._cause, Monopoly):
            self._finish_monopoly()


_TOLD_FIRST = frozenset({ActionKind.DISCARD, ActionKind.BANK_TRADE, ActionKind.PLAY_MONOPOLY,
                         ActionKind.OFFER, ActionKind.END_TURN, ActionKind.REJECT,
                         ActionKind.PLAY_KNIGHT, ActionKind.PLAY_ROAD_BUILDING})  # fmt: skip
"""For these, all cards have been announced or none change hands."""

_HEARD: dict[type[Message], Callable[[Follower, Any], None]] = {
    Hello: Follower._greeted,
    Welcome: Follower._welcomed,
    GameStarted: Follower._started,
    StatusUpdate: Follower._updated,
    Rolled: Follower._rolled,
    Yield: Follower._yields,
    Costs: Follower._costs,
    Built: Follower._built,
    RobberMoved: Follower._robber,
    Offered: Follower._offered,
    OfferAnswered: Follower._answered,
    OfferCancelled: Follower._cancelled,
    Concluded: Follower._concluded,
    GameOver: Follower._ended,
    CardBought: Follower._bought,
    KnightPlayed: Follower._knight,
    RoadsPlayed: Follower._roads,
    MonopolyPlayed: Follower._monopoly,
    PlentyPlayed: Follower._plenty,
    LongestRoad: Follower._longest_road,
    LargestArmy: Follower._largest_army,
}
