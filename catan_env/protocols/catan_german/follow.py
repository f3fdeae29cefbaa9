"""A seat's view of the game, followed from the server's messages."""

from collections.abc import Callable, Sequence
from typing import Any

from catan_env.core.constants import Phase, Resource
from catan_env.game.action import Action, ActionKind, Counts
from catan_env.game.board import Board
from catan_env.game.errors import IllegalActionError
from catan_env.game.event import HIDDEN, Event, dice_of
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.corrected_view import CorrectedView
from catan_env.protocols.catan_german.ledger import move_of
from catan_env.protocols.catan_german.messages import (
    NAMES,
    VERSION_OF,
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
    Piece,
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
from catan_env.protocols.catan_german.pending import Nothing, Unnamed
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.seats import Seats
from catan_env.protocols.catan_german.speech import Speech, resource_named
from catan_env.protocols.catan_german.trade import HeardOffer
from catan_env.protocols.catan_german.transfers import Transfers
from catan_env.protocols.catan_german.words import PHASES, to_counts


class Follower:
    """Keeps `view` consistent with the server's game.

    `hear` takes the server's messages, `say` this seat's requests. Raises RemoteProtocolError for a
    game that ours cannot follow: another version, another board, too many players. Later messages
    about players and places that do not exist are ignored.
    """

    def __init__(self) -> None:
        self.version: str | None = None
        self.seats = Seats()
        self.status: str | None = None
        """This seat's own Status."""
        self.is_over = False
        self.winner: int | None = None
        """The seat that has won."""
        self._board: tuple[Board, int] | None = None
        self._built_up: list[Event] = []
        """The actions that place the pieces of the map, until the first turn."""
        self._gone: set[int] = set()
        self._had_cards = 0
        """This seat's development cards at the time of its last request."""
        self._tracked = CorrectedView()
        self._transfers = Transfers(self._tracked)
        self._offers = self._transfers.offers
        self._places = Places("1.0")

    @property
    def view(self) -> SeatView | None:
        """The view of this seat, from its first settlement on."""
        return self._tracked.view

    @property
    def is_in_doubt(self) -> bool:
        """True if the server follows other rules than ours, or hides more."""
        return self._tracked.is_in_doubt

    @property
    def has_started(self) -> bool:
        """True if the map has arrived."""
        return self._board is not None

    @property
    def offer(self) -> HeardOffer | None:
        """The open offer."""
        return self._offers.open

    @property
    def said(self) -> tuple[Action, ...]:
        """This seat's request that the server has neither executed nor refused."""
        return self._transfers.requested

    @property
    def speech(self) -> Speech:
        """The table's message form; seats that have not placed yet have no id."""
        assert self.version is not None
        return Speech(self.version, self.seats.ids, self._places)

    @property
    def seat(self) -> int:
        """This seat, once the view exists."""
        assert self.view is not None
        return self.view.viewer

    @property
    def others(self) -> set[int]:
        """The other seats, except those whose connection was lost."""
        return set(range(self.seats.number)) - self._gone - {self.seat}

    @property
    def is_asked(self) -> bool:
        """True if this seat has to decide now, with all the information it can get."""
        phase = PHASES.get(self.status or "")
        if phase is None or self.is_over or not isinstance(self._transfers.pending, Nothing):
            return False
        return self._tracked.is_waiting_for(phase)

    @property
    def is_asked_for_answer(self) -> bool:
        """True if this seat has to answer the open offer."""
        if self.view is None or self.is_over or self.offer is None:
            return False
        return self.offer.seat != self.seat and not self._offers.has_answered

    @property
    def is_stuck(self) -> bool:
        """True if the server waits for this seat, which waits for something else."""
        if self.view is None or self.is_over or self.status not in PHASES:
            return False
        return not (self.said or self.is_asked or self._has_discarded)

    @property
    def _has_discarded(self) -> bool:
        """True if the server has announced the discard that it still asks for."""
        return self.status == words.DISCARD and self._transfers.discards.has_own

    @property
    def awaits_cards(self) -> bool:
        """True if this seat would decide, but for cards that the server has yet to name."""
        return self._transfers.are_awaited and self.status in PHASES and not self.is_over

    def hear(self, message: Message) -> None:
        """Follow a message of the server."""
        heard = _HEARD.get(type(message))
        if heard is None or self.is_over:
            return
        try:
            heard(self, message)
        except IllegalActionError:
            self._tracked.be_in_doubt()
        except (ValueError, OverflowError) as error:
            if self.has_started and type(message) not in OPENING:
                self._tracked.be_in_doubt()
                return
            raise RemoteProtocolError(f"{NAMES[type(message)]}: {error}") from None

    def say(self, actions: Sequence[Action]) -> None:
        """Record this seat's request for `actions`."""
        if actions[0].kind in (ActionKind.ACCEPT, ActionKind.REJECT):
            self._offers.has_answered = True
        else:
            self._transfers.request(actions)
            self._had_cards = 0 if self.view is None else self.view.card_count(self.seat)

    def refused(self) -> None:
        """Handle the refusal of a request."""
        self._transfers.refuse()

    def give_up(self) -> None:
        """Stop waiting for cards that were not announced."""
        self._transfers.settle()

    def recover(self) -> None:
        """Handle the server's silence: accept unexplained announcements and the last Status."""
        if self.view is not None:
            self._check_asked()

    def _greeted(self, message: Hello) -> None:
        if message.protocol not in VERSION_OF:
            raise ValueError(f"Protokoll {message.protocol}; known are {', '.join(VERSIONS)}")
        self.version = VERSION_OF[message.protocol]
        self._places = Places(self.version)

    def _welcomed(self, message: Welcome) -> None:
        self.seats.me = message.id

    def _started(self, message: GameStarted) -> None:
        self.seats.begin()
        self._places = self._places.fitting([harbour.place for harbour in message.map.harbours])
        self._board = board_of(message.map, self._places)
        self._built_up = [event for piece in message.map.pieces for event in self._events_of(piece)]
        self._see_to_view()
        if self._built_up and self.view is None:
            raise ValueError("a map with Gebäude, none of which is ours")

    def _events_of(self, piece: Piece) -> list[Event]:
        """The actions that place a piece; a city is a settlement first."""
        action, seat = self._places.action_of(piece), self.seats.of(piece.owner)
        first = [Action.settlement(*action.args)] if action.kind == ActionKind.CITY else []
        return [Event(seat, each) for each in (*first, action)]

    def _see_to_view(self) -> None:
        """Begin the view once this seat is known, and again with another number of players."""
        own = self.seats.own
        if own is not None and self._tracked.is_to_begin(self.seats.number):
            self._begin_view(own)

    def _begin_view(self, viewer: int) -> None:
        if self._board is None or self.version is None:
            raise ValueError("it came before Hallo, Willkommen and the map")
        rules, known = Rules.german(self.version), 0 if self.view is None else self.view.seats
        self._tracked.begin(*self._board, viewer, self.seats.number, rules)
        for seat, player in self.seats.shown[known:]:
            self._tracked.compare(seat, player)

    def _updated(self, message: StatusUpdate) -> None:
        said = message.player
        was = self.seats.hear(said)
        status = self.seats.players[said.id].status
        if said.status == words.GONE:
            self._lost(said.id)
        if said.id == self.seats.me:
            self.status = status
            if status != words.DISCARD:
                self._transfers.discards.has_own = False
        self._see_to_view()
        if self.view is None and self.has_started and self.status == words.ROLL:
            raise RemoteProtocolError(f"{words.ROLL} before we have placed a settlement")
        if self.view is not None and said.id in self.seats:
            self._compare(self.seats.of(said.id), said, status != was)

    def _compare(self, seat: int, said: Player, is_new: bool) -> None:
        if is_new and said.status == words.ROLL:
            self._begin_turn(seat)
        self._transfers.compare(seat, said)
        if is_new and seat == self.seat:
            self._check_asked()

    def _lost(self, player: int) -> None:
        if self.view is not None and player in self.seats:
            self._gone.add(self.seats.of(player))
            self._let_leave()
        elif not self.has_started:
            self.seats.players.pop(player, None)

    def _let_leave(self) -> None:
        """Remove a lost player from the game as soon as its first turn has begun (7)."""
        view = self.view
        for seat in sorted(self._gone) if view is not None and view.turn > 0 else ():
            if view is not None and not view.is_over and view.is_playing(seat):
                self._transfers.settle()
                view.apply(Event(seat, Action.leave()))

    def _begin_turn(self, seat: int) -> None:
        view = self.view
        assert view is not None
        self._transfers.close()
        self._offers.end()
        self._tracked.end_set_up()
        if self._built_up:
            self._tracked.build_up(self._built_up, seat)
            self._built_up = []
        self._play_on()
        if self.seat in (seat, view.turn_seat):
            self.refused()
        if view.turn and not (view.turn_seat == seat and view.phase == Phase.ROLL):
            self._tracked.pass_to(seat)

    def _check_asked(self) -> None:
        """Bring the view into the phase that the server asks this seat for."""
        phase = PHASES.get(self.status or "")
        if phase is None or self._has_discarded:
            return
        self._transfers.close()
        self._play_on()
        if not self._tracked.is_waiting_for(phase):
            self._tracked.ask(phase)
        if phase == Phase.DISCARD:
            self._tracked.owe_half()

    def _play_on(self) -> None:
        """Follow a server of 0.1 that asks on after ten points: it has no end of the game (8)."""
        view = self.view
        if self.version == "0.1" and view is not None and view.is_over:
            self._tracked.play_on()

    def _act(self, player: int, action: Action, outcome: Any = None) -> None:
        """Follow an action of a player on its turn."""
        self._transfers.settle()
        seat = self.seats.of(player)
        self._see_to_view()
        view = self.view
        if view is not None and view.turn and view.turn_seat != seat and not view.is_over:
            self._tracked.be_in_doubt()
            self._tracked.pass_to(seat)
        self._transfers.apply(seat, action, outcome)
        if self._gone and action.kind == ActionKind.ROAD:
            self._let_leave()

    def _rolled(self, message: Rolled) -> None:
        if self.view is None or self.view.turn == 0:
            return  # for the order
        self._transfers.discards.begin()
        dice = message.dice
        if isinstance(dice, int):
            if not 2 <= dice <= 12:
                raise ValueError(f"a roll of {dice}; allowed are 2..12")
            dice = dice_of(dice)
        self._act(message.player, Action.roll(), dice)

    def _built(self, message: Built) -> None:
        self._act(message.piece.owner, self._places.action_of(message.piece))

    def _bought(self, message: CardBought) -> None:
        card = words.CARD_OF.get(message.card or "") if message.player == self.seats.me else None
        action = Action.buy_development_card()
        if message.player == self.seats.me and self._is_counted():
            self.refused()  # it was executed, and a Statusupdate has counted it
            return
        self._act(message.player, action, HIDDEN if card is None else card)

    def _is_counted(self) -> bool:
        """True if this seat's hand has more cards than at its last request for one."""
        view, said = self.view, self.said
        is_asked_for = bool(said) and said[0].kind == ActionKind.BUY_DEVELOPMENT_CARD
        return is_asked_for and view is not None and view.card_count(self.seat) > self._had_cards

    def _knight(self, message: KnightPlayed) -> None:
        tile = self._places.tile_at(message.place)
        self._transfers.name_knight(tile)
        self._act(message.player, Action.play_knight())
        view = self.view
        if view is None or view.is_over:
            return
        if tile != view.robber:
            self._rob(message)
        elif self.seats.of(message.player) == self.seat:  # the previous message moved it
            self._tracked.ask(Phase.MAIN)

    def _robber(self, message: RobberMoved) -> None:
        """Some servers also send it for a knight."""
        view, tile = self.view, self._places.tile_at(message.place)
        if view is None or self._transfers.is_of_theft_at(tile):
            return
        if self._is_of_knight(message, tile):
            self._transfers.hold(
                Unnamed(self.seats.of(message.player), tile, self._victim(message))
            )
            return
        self._transfers.settle()
        if view.phase == Phase.DISCARD:  # no seat had to discard, or it was not announced
            self._tracked.be_in_doubt()
        if view.phase in (Phase.DISCARD, Phase.ROBBER) or tile != view.robber:
            self._rob(message)

    def _is_of_knight(self, message: RobberMoved, tile: int) -> bool:
        """True if a knight may be named afterwards: nothing else moves a robber on this turn."""
        view, said = self.view, self.said
        assert view is not None
        seat = self.seats.of(message.player)
        if tile == view.robber or seat != view.turn_seat or not view.card_count(seat):
            return False
        is_asked_for = seat == view.viewer and bool(said) and said[0].kind == ActionKind.MOVE_ROBBER
        return view.phase in (Phase.ROLL, Phase.MAIN) and not is_asked_for

    def _rob(self, message: KnightPlayed | RobberMoved) -> None:
        seat, tile = self.seats.of(message.player), self._places.tile_at(message.place)
        self._transfers.rob(seat, tile, self._victim(message))

    def _victim(self, message: KnightPlayed | RobberMoved) -> int | None:
        """The robbed seat; some servers name player -1 if there is none."""
        victim = message.victim
        return self.seats.of(victim) if victim is not None and victim in self.seats else None

    def _roads(self, message: RoadsPlayed) -> None:
        self._act(message.player, Action.play_road_building())

    def _monopoly(self, message: MonopolyPlayed) -> None:
        self._transfers.settle()
        if self.view is not None:
            seat = self.seats.of(message.player)
            self._transfers.monopolise(seat, resource_named(message.resource))

    def _plenty(self, message: PlentyPlayed) -> None:
        self._transfers.settle()
        counts = to_counts(message.cards)
        kinds = [kind for kind in Resource for _ in range(counts[kind])]
        if self.view is not None and 1 <= len(kinds) <= 2:
            self._transfers.invent(self.seats.of(message.player), (kinds[0], kinds[-1]))

    def _moved(self, message: Costs | Yield) -> None:
        if self.view is not None and message.player in self.seats:
            sign = -1 if isinstance(message, Costs) else 1
            move = move_of(self.seats.of(message.player), sign, message.cards)
            self._tracked.hear_of_cards(move)
            self._transfers.hear(move)

    def _offered(self, message: Offered) -> None:
        """Follow the offer of a trade between seats (5)."""
        seat = self.seats.of(message.player)
        self._open(message.trade, seat, to_counts(message.give), to_counts(message.get))

    def _open(self, number: int, seat: int, give: Counts, get: Counts) -> None:
        self._transfers.close()
        self._offers.begin(number, seat, give, get)

    def _open_own(self, number: int) -> None:
        """Learn the number of this seat's offer from an answer; others alone may have heard it."""
        said = self.said
        if said and said[0].kind == ActionKind.OFFER and self._offers.is_new(number):
            _, give, get = said[0].args
            self._open(number, self.seat, give, get)

    def _answered(self, message: OfferAnswered) -> None:
        self._open_own(message.trade)
        player = message.player if message.partner is None else message.partner
        if self.offer is not None and message.trade == self.offer.number:
            seat = self.seats.of(player) if player is not None and player in self.seats else None
            self.offer.note(seat, message.accepts is not False)

    def _cancelled(self, message: OfferCancelled) -> None:
        seat = self.seats.of(message.player)
        if self.said and seat != self.seat:
            self._open_own(message.trade)
        offer = self.offer
        if offer is None or message.trade != offer.number:
            return
        if seat == offer.seat:
            self._trade((seat + 1) % self.seats.number, Action.reject())
        else:
            offer.replies += seat not in offer.answers
            offer.answers[seat] = False

    def _concluded(self, message: Concluded) -> None:
        self._trade(self.seats.of(message.partner), Action.accept())

    def _trade(self, partner: int, answer: Action) -> None:
        offer = self._offers.end()
        if offer is not None and self.view is not None:
            self._transfers.trade(offer, partner, answer)

    def _longest_road(self, message: LongestRoad) -> None:
        self._awarded("longest_road", message.player)

    def _largest_army(self, message: LargestArmy) -> None:
        self._awarded("largest_army", message.player)

    def _awarded(self, name: str, player: int | None) -> None:
        if not self._transfers.are_awaited:
            self._tracked.award(name, None if player is None else self.seats.of(player))

    def _ended(self, message: GameOver) -> None:
        self.is_over = True
        if message.winner is not None and message.winner in self.seats:
            self.winner = self.seats.of(message.winner)


OPENING: frozenset[type[Message]] = frozenset({Hello, Welcome, GameStarted})
"""Messages without which a game cannot be followed."""

_HEARD: dict[type[Message], Callable[[Follower, Any], None]] = {
    Hello: Follower._greeted,
    Welcome: Follower._welcomed,
    GameStarted: Follower._started,
    StatusUpdate: Follower._updated,
    Rolled: Follower._rolled,
    Yield: Follower._moved,
    Costs: Follower._moved,
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
