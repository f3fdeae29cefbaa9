"""Messages as a game: each choice is played, and what is told after it must be what follows.

Rule 1. A record is read through the rules: the choices in it are played with the outcomes that it
        names, and the messages after each of them are compared with those the writer would write.
Rule 2. Two messages mean the same whatever their uuid and batch, the order of their keys, of the
        hexes of an intersection and of the parties of a trade, and whether numbers are strings.
Rule 3. Chat may fall anywhere. An offer that nobody answers stays open until the turn ends, while
        its seat goes on; at the engine's table, which asks one seat at a time, it is withdrawn.
Rule 4. The record may end after any message: a choice that is only half told is not played.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from catan_env.action import Action, Counts
from catan_env.board import Board
from catan_env.constants import DevelopmentCard, Phase, Resource
from catan_env.event import HIDDEN, Event
from catan_env.game import Game
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.messages import checked, is_same, say_message
from catan_env.notation.narrator import DICE, LEFT, Narrator
from catan_env.notation.places import to_number
from catan_env.notation.record import Chat, Record, Table
from catan_env.notation.setup import Agreement, to_agreement, to_board
from catan_env.notation.values import (
    ADMIN,
    BANK,
    Message,
    Share,
    field,
    shares_of,
    to_card,
    to_word,
)
from catan_env.view import SeatView

FOLLOWING = frozenset(
    ("CH", "GO", "LA", "LR", "MO", "PE", "PS", "RA", "RD", "RE", "RP", "RR", "RS", "TR", "TS", "YP")
)
"""What is told after a choice."""
UNSEEN = len(Resource)
"""The place of unseen cards among a share's counts."""


class Offer(NamedTuple):
    """An offer that is still open: seats, and cards by Resource."""

    seat: int
    to: int
    give: Counts
    get: Counts


def read_messages(messages: Sequence[Message], is_cut: bool = False) -> Record:
    """The record of these messages; NotationError names the first that cannot be."""
    reader = _Reader(messages)
    try:
        reader.read()
    except NotationError as error:
        if not messages:
            raise
        at = min(reader.at, len(messages) - 1)
        raise error.of_message(at, messages[at]) from error
    position = reader.position
    events = position.events if isinstance(position, Game) else tuple(reader.events)
    return Record(tuple(messages), reader.table, events, tuple(reader.chat), position, is_cut)


class _Reader:
    """Reads messages one by one; `at` is the one that an error is about."""

    narrator: Narrator

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages = messages
        self.at = 0
        self.seen = -1
        """The last message whose shape was checked."""
        self.chat: list[Chat] = []
        self.players: tuple[str, ...] = ()
        self.table: Table | None = None
        self.position: Game | SeatView | None = None
        self.events: list[Event] = []
        self.told = 0
        self.offers: dict[str, Offer] = {}
        self.asked: str | None = None
        """The uuid of the offer to which the engine's table waits for an answer."""

    def read(self) -> None:
        """Read from the first message to the last."""
        agreement = self._read_start()
        if agreement is None:
            return
        self._read_setup(agreement)
        if self.table is None:
            return
        opening = self.narrator.opening()
        self.told = len(opening) - 1
        self._match(opening)
        while (message := self._peek()) is not None:
            self._choose(message)

    # Messages

    def _peek(self) -> Message | None:
        """The message that comes next, after any chat, which is kept; None at the end."""
        while self.at < len(self.messages):
            message = self.messages[self.at]
            if self.at > self.seen:
                checked(message)
                self.seen = self.at
            if message["event"] != "CH":
                return message
            speaker = message["player"]
            if speaker != ADMIN and self.table is not None:
                self._seat_of(message)
            self.chat.append(Chat(self.told, speaker, field(message, "msg"), message["uuid"]))
            self.at += 1
        return None

    def _ahead(self) -> int | None:
        """Where the message after the next one is, chat left aside; None at the end."""
        for at in range(self.at + 1, len(self.messages)):
            if _event_of(self.messages[at]) != "CH":
                return at
        return None

    def _look(self, at: int) -> Message:
        """The message there; what is wrong from now on is wrong with it."""
        self.at, here = at, self.at
        message = checked(self.messages[at])
        self.at = here
        return message

    def _refuse(self, came: Any, allowed: str, path: str) -> NoReturn:
        raise unlike(came, f"allowed is {allowed}", path)

    def _match(self, batches: list[list[Message]]) -> None:
        """Take the messages that are told next; NotationError at the first that is another."""
        for batch in batches:
            for told in batch:
                message = self._peek()
                if message is None:
                    return
                if not is_same(message, told, self._name_on_turn()):
                    self._refuse_other(message, told)
                self.at += 1

    def _refuse_other(self, message: Message, told: Message) -> NoReturn:
        where = "event"
        if message["event"] == told["event"]:
            where = "player" if message["player"] != told["player"] else "value"
        raise NotationError(
            f"{say_message(message)}; allowed is {say_message(told)}", f".{where}"
        )

    # Seats

    def _seat_of(self, message: Message) -> int:
        return self._seat_named(message["player"], ".player")

    def _seat_named(self, name: str, path: str) -> int:
        if name not in self.players:
            self._refuse(name, f"a player's name: {', '.join(self.players)}", path)
        return self.players.index(name)

    def _name_on_turn(self) -> str:
        return self.players[self.narrator.table.turn_seat]

    def _step(self, seat: int, other: int) -> int:
        return (other - seat) % len(self.players)

    # The set-up phase

    def _read_start(self) -> Agreement | None:
        message = self._peek()
        if message is None:
            return None
        if message["event"] != "PS" or message["value"].get("phase") != "Setup":
            raise NotationError(
                f"{say_message(message)}; a record begins with PS, the start of the phase Setup",
                ".event",
            )
        agreement = to_agreement(message["value"])
        self.at += 1
        return agreement

    def _read_setup(self, agreement: Agreement) -> None:
        names: list[str] = []
        board: Board | None = None
        while (message := self._peek()) is not None and message["event"] != "PE":
            if message["player"] != ADMIN:
                self._refuse(message["player"], "A, the admin", ".player")
            if message["event"] == "PA":
                names.append(self._new_name(message, names))
            elif message["event"] == "MD" and board is None:
                board = to_board(message)
            else:
                self._refuse(message["event"], "PA, MD once, and PE", ".event")
            self.at += 1
        self.players = tuple(names)
        self._begin(agreement, board, is_complete=message is not None)

    def _new_name(self, message: Message, names: list[str]) -> str:
        name: str = field(message, "player")
        if name in (ADMIN, BANK, "") or name in names:
            self._refuse(name, "a name of its own, but neither A nor B", ".value.player")
        if len(names) == 4:
            raise NotationError("a fifth player; allowed are 2, 3 or 4", ".value.player")
        return name

    def _begin(self, agreement: Agreement, board: Board | None, is_complete: bool) -> None:
        is_seated = len(self.players) >= 2 and agreement.viewer in (None, *self.players)
        if is_complete and board is None:
            raise NotationError("the set-up ends without a map (MD)", ".event")
        if is_complete and len(self.players) < 2:
            raise NotationError(f"the set-up ends with {len(self.players)} players", ".event")
        here = self.at
        if is_seated and board is not None and agreement.first_seat < len(self.players):
            self.at = 0
            self.table = Table(board, self.players, agreement)
            self.position = self.table.begin()
            self.narrator = Narrator(self.position, self.players)
        elif is_complete:
            self.at = 0
            raise NotationError("the viewer or the first seat is not at the table", ".value")
        self.at = here

    # Choices

    def _choose(self, message: Message) -> None:
        """Play the choice that `message` says."""
        if self.narrator.table.is_over:
            self._refuse(message["event"], "CH: the game is over", ".event")
        choose = _CHOICES.get(message["event"])
        if choose is None:
            table = self.narrator.table
            name, phase = self.players[table.seat], table.phase.name.lower().replace("_", " ")
            raise NotationError(
                f"{say_message(message)}; allowed is a choice of player {name} ({phase})", ".event"
            )
        try:
            choose(self, message)
        except NotationError:
            raise
        except ValueError as error:
            raise NotationError(str(error)) from error

    def _play(self, seat: int, action: Action, outcome: Any = None, at: int | None = None) -> None:
        """Play a choice and take what is told of it; `at` is the message to blame if refused."""
        self._withdraw()
        self._match(self._follow(seat, action, outcome, at))

    def _follow(
        self, seat: int, action: Action, outcome: Any = None, at: int | None = None
    ) -> list[list[Message]]:
        table = self.narrator.table
        if seat != table.seat:
            raise NotationError(
                f"player {self.players[seat]} chooses; allowed is player "
                f"{self.players[table.seat]} in phase {table.phase.name.lower()}",
                ".player",
            )
        here = self.at
        self.at = here if at is None else at
        batches = self._let(Event(seat, action, outcome))
        self.at = here
        return batches

    def _let(self, event: Event) -> list[list[Message]]:
        if isinstance(self.position, SeatView):
            event = Event(event.seat, event.action, event.outcome, self._winner_ahead())
            self.events.append(event)
        try:
            batches = self.narrator.follow(event)
        except ValueError as error:
            raise NotationError(str(error)) from error
        self.told += len(batches)
        return batches

    def _winner_ahead(self) -> int | None:
        """The winner that is told after this choice: a seat's view may not be able to count it."""
        for message in self.messages[self.at + 1 :]:
            if _event_of(message) not in FOLLOWING:
                return None
            if message["event"] == "GO":
                name = message.get("player")
                return self.players.index(name) if name in self.players else None
        return None

    def _build_settlement(self, message: Message) -> None:
        vertex = field(message, "intersection")
        self._play(self._seat_of(message), Action.settlement(vertex))

    def _build_city(self, message: Message) -> None:
        self._play(self._seat_of(message), Action.city(field(message, "intersection")))

    def _build_road(self, message: Message) -> None:
        self._play(self._seat_of(message), Action.road(field(message, "path")))

    def _roll(self, message: Message) -> None:
        total, path = field(message, "result"), f".value.{DICE}"
        if not 2 <= total <= 12:
            self._refuse(total, "2..12", ".value.result")
        dice = message["value"].get(DICE, [max(1, total - 6), total - max(1, total - 6)])
        if not isinstance(dice, list) or len(dice) != 2:
            self._refuse(dice, "a pair of dice", path)
        first, second = (to_number(die, path) for die in dice)
        if first + second != total or not (1 <= first <= 6 and 1 <= second <= 6):
            self._refuse(dice, f"two dice that make {total}", path)
        self._play(self._seat_of(message), Action.roll(), (first, second))

    def _buy(self, message: Message) -> None:
        card = to_card(message["value"], ".value")
        if card is None and isinstance(self.position, Game):
            raise NotationError("cCode is missing from the value of BD", ".value")
        outcome = HIDDEN if card is None else card
        self._play(self._seat_of(message), Action.buy_development_card(), outcome)

    def _put_down(self, message: Message) -> None:
        card, seat = to_card(message["value"], ".value"), self._seat_of(message)
        if card is None:
            raise NotationError("cCode is missing from the value of PD", ".value")
        if card == DevelopmentCard.KNIGHT:
            self._play(seat, Action.play_knight())
        elif card == DevelopmentCard.ROAD_BUILDING:
            self._play(seat, Action.play_road_building())
        elif card == DevelopmentCard.VICTORY_POINT:
            raise NotationError("a victory point is kept, not played", ".value.cCode")
        elif (at := self._ahead()) is None:
            self.at = len(self.messages)
        elif card == DevelopmentCard.MONOPOLY:
            self._play_monopoly(seat, self._second(at, "MO"), at)
        else:
            self._play_year_of_plenty(seat, self._second(at, "YP"), at)

    def _second(self, at: int, event: str) -> Message:
        """The message that says the rest of a choice; errors in it are counted as its own."""
        message = self._look(at)
        if message["event"] != event:
            self.at = at
            self._refuse(message["event"], event, ".event")
        return message

    def _shares_at(self, message: Message, at: int) -> list[Share]:
        here, self.at = self.at, at
        shares = shares_of(message)
        for share in shares:
            if share.cards[UNSEEN] and message["event"] != "RR":
                self._refuse("?", "cards in the open", ".value.resources")
            if share.player != BANK:
                self._seat_named(share.player, ".value.resources")
        self.at = here
        return shares

    def _play_monopoly(self, seat: int, message: Message, at: int) -> None:
        shares = self._shares_at(message, at)
        kinds = {kind for share in shares for kind in share.kinds}
        if len(kinds) != 1:
            self.at = at
            self._refuse(message["value"]["resources"], "one resource", ".value.resources")
        (kind,) = kinds
        taken = [0] * len(self.players)
        for share in shares:
            if share.player not in (BANK, self.players[seat]):
                taken[self.players.index(share.player)] = -share.cards[kind]
        # Blame the card if it cannot be played, else what it took.
        resource = Resource(kind)
        blamed = at if self._is_allowed(seat, Action.play_monopoly(resource)) else None
        self._play(seat, Action.play_monopoly(resource), tuple(taken), blamed)

    def _is_allowed(self, seat: int, action: Action) -> bool:
        table = self.narrator.table
        return seat == table.seat and table.refusal(action) is None

    def _play_year_of_plenty(self, seat: int, message: Message, at: int) -> None:
        gained: list[Resource] = []
        for share in self._shares_at(message, at):
            if share.player == self.players[seat]:
                gained = [Resource(k) for k in range(UNSEEN) for _ in range(share.cards[k])]
        if len(gained) not in (1, 2):
            self.at = at
            self._refuse(message["value"]["resources"], "two cards gained", ".value.resources")
        self._play(seat, Action.play_year_of_plenty(gained[0], gained[-1]))

    def _discard(self, message: Message) -> None:
        seat = self._seat_of(message)
        cards = self._with_bank(message, seat)
        gone = [Resource(k) for k in range(UNSEEN) for _ in range(-cards[k])]
        if not gone or any(n > 0 for n in cards):
            self._refuse(message["value"]["resources"], "cards given up", ".value.resources")
        if len(gone) == 1:
            self._play(seat, Action.discard(gone[0]))
            return
        for resource in gone:
            self._follow(seat, Action.discard(resource))
        self.at += 1

    def _two_shares(self, message: Message, seat: int) -> tuple[tuple[int, ...], str]:
        """The seat's cards in a change of hands between it and one other party, and that party."""
        shares = self._shares_at(message, self.at)
        name = self.players[seat]
        if len(shares) == 2:
            own, other = shares
            if other.player == name:
                own, other = other, own
            if own.player == name:
                return own.cards, other.player
        allowed = f"two entries, one of them of {name}"
        self._refuse(message["value"]["resources"], allowed, ".value.resources")

    def _with_bank(self, message: Message, seat: int) -> tuple[int, ...]:
        """The seat's cards in a change of hands between it and the bank."""
        cards, other = self._two_shares(message, seat)
        if other != BANK:
            self._refuse(other, "the bank, B", ".value.resources")
        return cards

    def _with_player(self, message: Message, seat: int) -> tuple[tuple[int, ...], int]:
        """The seat's cards in a change of hands between it and another, and that seat."""
        cards, other = self._two_shares(message, seat)
        if other == BANK:
            self._refuse(other, "another player", ".value.resources")
        return cards, self.players.index(other)

    def _trade_with_bank(self, message: Message) -> None:
        seat = self._seat_of(message)
        cards = self._with_bank(message, seat)
        give = [Resource(k) for k in range(UNSEEN) if cards[k] < 0]
        get = [Resource(k) for k in range(UNSEEN) if cards[k] > 0]
        if len(give) != 1 or len(get) != 1 or cards[get[0]] != 1:
            allowed = "cards of one kind for one of another"
            self._refuse(message["value"]["resources"], allowed, ".value.resources")
        rate = -cards[give[0]]
        is_best = rate == self.narrator.table.trade_rates(seat)[give[0]]
        self._play(seat, Action.bank_trade(give[0], get[0], None if is_best else rate))

    def _move_robber(self, message: Message) -> None:
        seat, tile = self._seat_of(message), field(message, "tile")
        table, at = self.narrator.table, self._ahead()
        is_possible = table.phase == Phase.ROBBER and tile != table.robber
        blamed = at if is_possible else None
        if at is not None and _event_of(self.messages[at]) == "RR":
            victim, outcome = self._theft(self._look(at), seat, at)
            step = self._step(seat, victim)
            self._play(seat, Action.move_robber(tile, step), outcome, blamed)
        elif at is not None or not is_possible or self._is_allowed(seat, Action.move_robber(tile)):
            self._play(seat, Action.move_robber(tile), None, blamed)
        else:  # whom it robs is not told any more
            self.at = len(self.messages)

    def _theft(self, message: Message, seat: int, at: int) -> tuple[int, Any]:
        """The seat robbed, and the card that it lost: a Resource, HIDDEN, or None of none."""
        here, self.at = self.at, at
        cards, victim = self._with_player(message, seat)
        stolen = [k for k, n in enumerate(cards) if n]
        if sum(cards) != len(stolen) or len(stolen) > 1:
            allowed = "one card, or none, of one player"
            self._refuse(message["value"]["resources"], allowed, ".value.resources")
        self.at = here
        if not stolen:
            return victim, None
        return victim, HIDDEN if stolen[0] == UNSEEN else Resource(stolen[0])

    # Trade between seats

    def _make_offer(self, message: Message) -> None:
        seat, uuid = self._seat_of(message), message["uuid"]
        cards, to = self._with_player(message, seat)
        if uuid in self.offers:
            self._refuse(uuid, "a uuid that no open offer has", ".uuid")
        give, get = _sides(cards)
        offer = Offer(seat, to, give, get)
        table = self.narrator.table
        if seat == table.turn_seat:
            step = self._step(seat, offer.to)
            self._withdraw()
            self.narrator.offer_uuid = uuid
            self._match(self._follow(seat, Action.offer(step, give, get)))
            self.asked = uuid
        elif offer.to == table.turn_seat and table.phase in (Phase.MAIN, Phase.ANSWER):
            self.at += 1
        else:
            on_turn = self.players[table.turn_seat]
            self._refuse(self.players[seat], f"trade with player {on_turn}, in the turn", ".player")
        self.offers[uuid] = offer

    def _offer_of(self, message: Message) -> tuple[str, Offer]:
        uuid = field(message, "uuid")
        if uuid not in self.offers:
            self._refuse(uuid, "the uuid of an offer that is open in this turn", ".value.uuid")
        return uuid, self.offers[uuid]

    def _check_by(self, message: Message, seat: int) -> None:
        if message["player"] != self.players[seat]:
            self._refuse(message["player"], self.players[seat], ".player")

    def _accept(self, message: Message) -> None:
        uuid, offer = self._offer_of(message)
        self._check_by(message, offer.to)
        if self.asked != uuid:
            self._put_again(offer)
        self.narrator.offer_uuid = uuid
        (batch,) = self._follow(self.narrator.table.seat, Action.accept())
        batch[0]["player"] = message["player"]  # a counter-offer is accepted by the seat on turn
        self.asked = None
        del self.offers[uuid]
        self._match([batch])

    def _put_again(self, offer: Offer) -> None:
        """Lay an open offer on the engine's table, where only the seat on turn makes offers."""
        self._withdraw()
        seat, to, give, get = offer
        if seat != self.narrator.table.turn_seat:
            seat, to, give, get = to, seat, get, give
        self._follow(seat, Action.offer(self._step(seat, to), give, get))

    def _decline(self, message: Message) -> None:
        uuid, offer = self._offer_of(message)
        self._check_by(message, offer.to)
        del self.offers[uuid]
        if self.asked == uuid:
            self.asked = None
            self._match(self._follow(offer.to, Action.reject()))
        else:
            self.at += 1

    def _cancel(self, message: Message) -> None:
        uuid, offer = self._offer_of(message)
        self._check_by(message, offer.seat)
        del self.offers[uuid]
        if self.asked == uuid:
            self._withdraw()
        self.at += 1

    def _withdraw(self) -> None:
        """Take the offer that waits for an answer from the engine's table."""
        if self.asked is not None:
            self.asked = None
            self._follow(self.narrator.table.seat, Action.reject())

    # The end of the turn

    def _end_turn(self, message: Message) -> None:
        if message["player"] != ADMIN:
            self._play(self._seat_of(message), Action.end_turn())
        else:
            left = message["value"].get(LEFT)
            seat, action = self.narrator.table.turn_seat, Action.time_out()
            if left is not None:
                path = f".value.{LEFT}"
                seat, action = self._seat_named(to_word(left, path), path), Action.leave()
            self.asked = None
            self._match(self._let(Event(seat, action)))
        self.offers.clear()


def _event_of(message: Any) -> Any:
    return message.get("event") if isinstance(message, dict) else None


def _sides(cards: tuple[int, ...]) -> tuple[Counts, Counts]:
    a, b, c, d, e, _ = cards
    give = max(-a, 0), max(-b, 0), max(-c, 0), max(-d, 0), max(-e, 0)
    return give, (max(a, 0), max(b, 0), max(c, 0), max(d, 0), max(e, 0))


_CHOICES: dict[str, Callable[[_Reader, Message], None]] = {
    "BC": _Reader._build_city,
    "BD": _Reader._buy,
    "BR": _Reader._build_road,
    "BS": _Reader._build_settlement,
    "CR": _Reader._discard,
    "DR": _Reader._roll,
    "PD": _Reader._put_down,
    "RM": _Reader._move_robber,
    "TA": _Reader._accept,
    "TB": _Reader._trade_with_bank,
    "TC": _Reader._cancel,
    "TD": _Reader._decline,
    "TE": _Reader._end_turn,
    "TO": _Reader._make_offer,
}
