"""A game at the table: permitted actions, announcements and clocks.

Seats are addressed by number; only the room knows their lines. The numbers in brackets are the
points of docs/german.md.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catan_env.core.constants import Phase, Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.errors import IllegalActionError
from catan_env.game.game import Game
from catan_env.protocols.catan_german import opening, words
from catan_env.protocols.catan_german.announcements import Announcer, Deed, shot_of
from catan_env.protocols.catan_german.messages import (
    Answer,
    AnswerOffer,
    Build,
    CancelOffer,
    Conclude,
    GameOver,
    Message,
    Offer,
    OfferAnswered,
    OfferCancelled,
    Offered,
    Player,
    StatusUpdate,
    said_by_server,
)
from catan_env.protocols.catan_german.speech import Speech, known_counts, richest
from catan_env.protocols.catan_german.trade import OpenOffer
from catan_env.protocols.catan_german.words import to_cards

MOST_LATE = 3
"""Decisions in a row that the server makes for a seat before it counts as gone."""
MOST_UNANSWERED = 2
"""Offers that a seat may leave unanswered before it is no longer asked (6)."""
MOST_OFFERS = 100
"""Per turn."""


@dataclass(frozen=True)
class Settings:
    """The settings of a table in addition to the game's rules."""

    version: str = "1.0"
    timeout: float = 60.0
    """Seconds per decision; 0: no limit."""
    max_turns: int = 500
    """0: no limit."""
    go_on: bool = False
    """True if the others continue when a seat is gone."""


class Refusal(ValueError):
    """A request is not executed; the text gives the reason."""


class Play:
    """One game from its first settlement; it sends its messages by `say(seat, message)`.

    `players` are the seats' ids, names and colours.
    """

    def __init__(
        self,
        game: Game,
        settings: Settings,
        players: Sequence[Player],
        say: Callable[[int, Message], None],
    ) -> None:
        self.game = game
        self.players = tuple(players)
        ids = [player.id for player in players]
        self.speech = Speech(settings.version, ids)
        self._announcer = Announcer(settings.version, ids)
        self.is_over = False
        self.winner: int | None = None
        """The seat announced as the winner, which the others may have left alone."""
        self.gone: set[int] = set()
        """Seats whose connection was lost."""
        self.timeouts = [0] * game.seats
        """The number of times that the server acted for a seat whose time was up."""
        self.late = [0] * game.seats
        """Decisions in a row that the server made for a seat."""
        self.decision_times: list[list[float]] = [[] for _ in players]
        self.offer: OpenOffer | None = None
        self._settings = settings
        self._say = say
        self._words = set(said_by_server(settings.version).values())
        self._statuses = [words.READY] * game.seats
        self._offers = self._offers_in = self._offers_so_far = 0
        self._unanswered = [0] * game.seats
        """Offers in a row that a seat left unanswered."""
        self._unheard: list[int | None] = [None] * game.seats
        """The last offer to a seat, until the seat itself answers it."""
        self._clock: float | None = None
        self._answer_clock: float | None = None
        self._asked_at = 0.0

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due: of the answers to an offer, or of the decision."""
        return self._clock if self._answer_clock is None else self._answer_clock

    def begin(self, now: float) -> None:
        """Start with the first settlement, after the map and the rolls for the order."""
        self._go_on(now)

    def act(self, seat: int, message: Message, now: float) -> None:
        """Play a game action of `seat`; raises Refusal and changes nothing if it is refused."""
        if seat != self.game.seat:
            raise Refusal("Du bist nicht an der Reihe")
        try:
            trial, deeds = self._tried(self.speech.actions(self.game, message))
        except ValueError as error:
            raise Refusal(self._reason(error, message)) from None
        self._confirm(seat, now)
        self._do(trial, deeds, now)

    def _tried(self, actions: Sequence[Action]) -> tuple[Game, list[Deed]]:
        """The game after all the actions; an open offer is withdrawn first (5).

        A single refused action leaves the game unchanged, so no copy is needed then.
        """
        trial = self.game
        if self.offer is not None or len(actions) > 1:
            trial = trial.copy()
        if self.offer is not None:
            reject(trial, self.offer)
        deeds: list[Deed] = []
        for action in actions:
            _check_road_is_free(trial, action, deeds)
            deeds.append(done(trial, action))
            if trial.is_over:
                break
        if trial.phase == Phase.FREE_ROAD:
            raise Refusal("Straße 2 fehlt")
        return trial, deeds

    def _reason(self, error: ValueError, message: Message) -> str:
        """The reason as text; the game's own error is not German."""
        if not isinstance(error, IllegalActionError):
            return str(error)
        if isinstance(message, Build):
            return "Dort darf nicht gebaut werden"
        return "Das ist jetzt nicht erlaubt"

    def _do(self, trial: Game, deeds: Sequence[Deed], now: float) -> None:
        """Replace the game by the tried one, and announce the events."""
        self._tell_withdrawn()
        self.game = trial
        for announcement in self._announcer.report(deeds):
            for seat in self._present:
                self._say(seat, announcement.to_seat(seat))
        if self._shows_price(deeds[0]):
            self._tell_status(deeds[0].event.seat)
        self._go_on(now)

    def _shows_price(self, deed: Deed) -> bool:
        """True if a Statusupdate shows the price: in 0.1 no Kosten announce that of a piece."""
        was_paid = any(deed.losses(deed.event.seat))
        return self._settings.version == "0.1" and was_paid

    def _go_on(self, now: float) -> None:
        """Ask for the next decisions, or announce the end."""
        game = self.game
        if game.turn > 0:
            self._let_leave()
        self._tell_statuses()
        if game.seat in self.gone and not game.is_over:  # in the set-up, or it owes discards
            self._act_by_rule(now)
        elif game.is_over:
            self._end(game.winner)
        elif 0 < self._settings.max_turns < game.turn:
            self._end(None, "Zugzahl erreicht")
        else:
            self._wind(now)

    def _let_leave(self) -> None:
        """Remove a gone seat from the game, as soon as its first turn has begun."""
        for seat in sorted(self.gone):
            if not self.game.is_over and self.game.is_playing(seat):
                self.game.leave(seat)

    def _end(self, winner: int | None, text: str = "Spiel abgebrochen") -> None:
        """Announce the end; the room closes."""
        self.winner = winner
        if winner is not None:
            text = f"{self.players[winner].name} hat gewonnen"
        self._tell(GameOver(text, None if winner is None else self.players[winner].id))
        self.is_over = True
        self._clock = self._answer_clock = None

    @property
    def _present(self) -> list[int]:
        return [seat for seat in range(self.game.seats) if seat not in self.gone]

    def _tell(self, message: Message) -> None:
        if type(message) in self._words:
            for seat in self._present:
                self._say(seat, message)

    def _tell_statuses(self) -> None:
        """Statusupdates of the changed players, the next to act last."""
        game = self.game
        if game.is_over:
            return
        for step in range(1, game.seats + 1):
            seat = (game.seat + step) % game.seats
            status = words.STATUS_OF[game.phase] if seat == game.seat else words.WAIT
            if seat not in self.gone and status != self._statuses[seat]:
                self._statuses[seat] = status
                self._tell_status(seat)

    def _tell_status(self, seat: int) -> None:
        """The possessions and the status of the seat: in full to itself alone."""
        said = self.players[seat]
        player = Player(said.id, said.colour, said.name, self._statuses[seat])
        version = self._settings.version
        for hearer in self._present:
            shown = opening.player_at(self.game, seat, player, version, hearer == seat)
            self._say(hearer, StatusUpdate(shown))

    def propose(self, seat: int, message: Offer, now: float) -> None:
        """Make an offer to all (5); raises Refusal."""
        game = self.game
        if seat != game.seat or game.phase != Phase.MAIN:
            raise Refusal("Du bist nicht an der Reihe")
        if self._offers_of_turn() >= MOST_OFFERS:
            raise Refusal("Zu viele Angebote in diesem Zug")
        try:
            give, get = known_counts(message.give), known_counts(message.get)
            is_allowed = game.refusal(Action.offer(1, give, get)) is None
        except ValueError:  # more cards of a kind than there are
            is_allowed = False
        if not is_allowed:
            raise Refusal("Das kannst du nicht anbieten")
        self._confirm(seat, now)
        time_left = self._time_left(now)
        self._withdraw()
        self._open(OpenOffer(self._offers + 1, seat, give, get, time_left=time_left), now)

    def _offers_of_turn(self) -> int:
        if self._offers_in != self.game.turn:
            self._offers_in, self._offers_so_far = self.game.turn, 0
        return self._offers_so_far

    def _time_left(self, now: float) -> float:
        """The seconds of the seat on turn; its clock is paused while others answer."""
        if self.offer is not None and self._answer_clock is not None:
            return self.offer.time_left
        return 0.0 if self._clock is None else max(0.0, self._clock - now)

    def _withdraw(self) -> None:
        """Withdraw the offer, in the game and for all."""
        if self.offer is not None:
            reject(self.game, self.offer)
        self._tell_withdrawn()

    def _open(self, offer: OpenOffer, now: float) -> None:
        self._offers = offer.number
        self._offers_so_far += 1
        self.offer = offer
        others = [(offer.seat + step) % self.game.seats for step in range(1, self.game.seats)]
        offer.answers = dict.fromkeys(others)
        for seat in others:
            self._unheard[seat] = offer.number
        player = self.players[offer.seat].id
        self._tell(Offered(player, offer.number, to_cards(offer.give), to_cards(offer.get)))
        self._asked_at = now
        if self._settings.timeout:
            self._answer_clock = now + self._settings.timeout
        for seat in others:
            if seat in self.gone or self._unanswered[seat] >= MOST_UNANSWERED:
                self._answered(offer, seat, False, now)

    def answer(self, seat: int, message: AnswerOffer, now: float) -> None:
        """Let an asked seat accept or, from 1.0 on, refuse; raises Refusal."""
        offer = self._asked(seat, message.trade)
        accepts = message.accepts
        if self._settings.version != "1.0":
            accepts = True
        elif accepts is None:
            raise Refusal("Annehmen fehlt")
        if accepts and not _can_pay(self.game, seat, offer):
            raise Refusal("Dafür reichen deine Rohstoffe nicht")
        self._confirm(seat, now)
        self._answered(offer, seat, accepts, now)

    def cancel(self, seat: int, message: CancelOffer, now: float) -> None:
        """Let the proposer withdraw, or until 0.3 an asked seat refuse. Raises Refusal."""
        offer = self.offer
        if self._settings.version != "1.0":
            self._note_answer(seat, message.trade)
        if offer is None or message.trade != offer.number:
            raise Refusal("Dieses Angebot gibt es nicht")
        if seat == offer.seat:
            self._confirm(seat, now)
            time_left = self._time_left(now)
            self._withdraw()
            self._continue(time_left, now)
        elif self._settings.version == "1.0":
            raise Refusal("Das ist nicht dein Angebot")
        else:
            self._asked(seat, message.trade)
            self._confirm(seat, now)
            self._answered(offer, seat, False, now)

    def conclude(self, seat: int, message: Conclude, now: float) -> None:
        """Let the proposer trade with a seat that accepted; raises Refusal."""
        offer = self.offer
        if offer is None or seat != offer.seat or message.trade != offer.number:
            raise Refusal("Dieses Angebot gibt es nicht")
        partner = self._seat_of(message.partner)
        if not offer.answers.get(partner):
            raise Refusal("Dieser Mitspieler hat nicht angenommen")
        self._confirm(seat, now)
        trial = self.game.copy()
        step = (partner - seat) % trial.seats
        deeds = [done(trial, Action.offer(step, offer.give, offer.get))]
        deeds.append(done(trial, Action.accept()))
        self.offer = self._answer_clock = None
        self._do(trial, deeds, now)

    def _seat_of(self, player: int) -> int:
        try:
            return self.speech.seat_of(player)
        except ValueError as error:
            raise Refusal(str(error)) from None

    def _asked(self, seat: int, number: int) -> OpenOffer:
        """The offer that the seat has yet to answer, unless it is no longer asked."""
        offer = self.offer
        self._note_answer(seat, number)
        if offer is None or number != offer.number or seat not in offer.awaited:
            raise Refusal("Du bist nicht gefragt")
        return offer

    def _note_answer(self, seat: int, number: int) -> None:
        """Ask a seat again that answers the last offer to it, even if too late."""
        if number == self._unheard[seat]:
            self._unheard[seat], self._unanswered[seat] = None, 0

    def _answered(self, offer: OpenOffer, seat: int, accepts: bool, now: float) -> None:
        offer.answers[seat] = accepts
        player = self.players[seat].id
        if self._settings.version == "1.0":
            self._tell(OfferAnswered(partner=player, trade=offer.number, accepts=accepts))
        elif accepts:
            self._tell(OfferAnswered(player=player, trade=offer.number))
        else:
            self._tell(OfferCancelled(player, offer.number))
        if not offer.awaited and self._answer_clock is not None:
            self._answer_clock = None
            self._continue(offer.time_left, now)

    def _tell_withdrawn(self) -> None:
        """Announce to all that the offer is closed."""
        offer, self.offer, self._answer_clock = self.offer, None, None
        if offer is not None:
            self._tell(OfferCancelled(self.players[offer.seat].id, offer.number))

    def time(self, now: float) -> list[int]:
        """Act for seats that are out of time (6); return those for which that was done too often.

        No seat is removed for not answering offers.
        """
        offer = self.offer
        if offer is not None and self._answer_clock is not None:
            for seat in offer.awaited:
                self.timeouts[seat] += 1
                self._unanswered[seat] += 1
                self._answered(offer, seat, False, now)
            return []
        seat = self.game.seat
        self.late[seat] += 1
        self.timeouts[seat] += 1
        self._act_by_rule(now)
        return [seat] if self.late[seat] >= MOST_LATE else []

    def _act_by_rule(self, now: float) -> None:
        self._do(*self._tried(by_rule(self.game)), now)

    def _wind(self, now: float) -> None:
        """Give the acting seat its full time."""
        self._asked_at = now
        self._clock = now + self._settings.timeout if self._settings.timeout else None

    def _continue(self, time_left: float, now: float) -> None:
        """Let the clock of the seat on turn continue where an offer stopped it."""
        self._asked_at = now
        if self._settings.timeout:
            self._clock = now + time_left

    def _confirm(self, seat: int, now: float) -> None:
        """Send OK to the sender alone."""
        self.late[seat] = 0
        self.decision_times[seat].append(now - self._asked_at)
        self._say(seat, Answer(words.OK))

    def lose(self, seat: int, now: float) -> None:
        """Handle a lost connection: the end, unless the others continue."""
        offer = self.offer
        if offer is not None and seat == offer.seat:
            self._withdraw()
        elif offer is not None and offer.answers[seat] is not False:
            self._answered(offer, seat, False, now)
        self.gone.add(seat)
        self._statuses[seat] = words.GONE
        self._tell_status(seat)
        if not self._settings.go_on:
            self._end(None)
        elif len(self._present) == 1 and self.game.turn == 0:
            self._end(self._present[0])
        else:
            self._go_on(now)


def done(game: Game, action: Action) -> Deed:
    """Play an action; IllegalActionError if it is illegal."""
    before = shot_of(game)
    event = game.play(action)
    return Deed(event, before, shot_of(game))


def reject(game: Game, offer: OpenOffer) -> None:
    """Settle an offer that was made to no single seat: the next seat refuses it."""
    game.play(Action.offer(1, offer.give, offer.get))
    game.play(Action.reject())


def _check_road_is_free(game: Game, action: Action, deeds: Sequence[Deed]) -> None:
    """Prevent a road of the card from becoming one that is paid for."""
    is_next = bool(deeds) and action.kind == ActionKind.ROAD
    if is_next and game.phase != Phase.FREE_ROAD and not game.is_over:
        raise Refusal("Straße 2 kann nicht gebaut werden")


def _can_pay(game: Game, seat: int, offer: OpenOffer) -> bool:
    return all(n <= held for n, held in zip(offer.get, game.hand(seat), strict=True))


def by_rule(game: Game) -> tuple[Action, ...]:
    """The server's decision for a seat that is out of time: the first place, no purchase."""
    if game.phase == Phase.MAIN:
        return (Action.end_turn(),)
    if game.phase == Phase.DISCARD:
        return discards_by_rule(game.hand(game.seat), game.owes(game.seat))
    if game.phase == Phase.ROBBER:
        tile = int(game.robber == 0)
        return (Action.move_robber(tile, richest(game, tile)),)
    return (next(iter(game.legal_actions)),)


def discards_by_rule(hand: Sequence[int], owed: int) -> tuple[Action, ...]:
    """The most numerous cards, one by one; in a tie the first by Resource."""
    left, gone = list(hand), []
    for _ in range(owed):
        resource = max(Resource, key=lambda r: (left[r], -r))
        left[resource] -= 1
        gone.append(Action.discard(resource))
    return tuple(gone)
