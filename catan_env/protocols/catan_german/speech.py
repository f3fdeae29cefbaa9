"""Actions to messages and back: a seat's requests, and the server's announcements.

The other protocols' modules of this name do the same for theirs. Here one message may be several of
our actions: a knight is the card and the robber's move, a discard all the cards together.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from catan_env.core.constants import Resource
from catan_env.game.action import Action, ActionKind, Counts
from catan_env.game.event import Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.game.position import Position
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import (
    NAMES,
    AnswerOffer,
    Build,
    Built,
    BuyCard,
    CancelOffer,
    CardBought,
    Cards,
    Concluded,
    Costs,
    Discard,
    EndTurn,
    Field,
    KnightPlayed,
    LargestArmy,
    LongestRoad,
    Message,
    MonopolyPlayed,
    MoveRobber,
    Offer,
    Piece,
    Place,
    PlayKnight,
    PlayMonopoly,
    PlayPlenty,
    PlayRoads,
    PlentyPlayed,
    RoadsPlayed,
    RobberMoved,
    RollDice,
    Rolled,
    SeaTrade,
    Yield,
    said_by_server,
)
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.words import CITY, ROAD, SETTLEMENT, to_cards, to_counts

BUILDINGS = {
    ActionKind.SETTLEMENT: SETTLEMENT,
    ActionKind.CITY: CITY,
    ActionKind.ROAD: ROAD,
}
SUM_ONLY = ("0.1", "0.2")
"""Versions that announce the sum of the dice."""


class Shot(NamedTuple):
    """The part of a game that is compared before and after an event."""

    hands: tuple[Counts, ...]
    turn: int
    longest_road: int | None
    largest_army: int | None
    robber: int


class Deed(NamedTuple):
    """An event, and the game before and after it."""

    event: Event
    before: Shot
    after: Shot

    def gains(self, seat: int) -> Counts:
        """The seat's gains."""
        return _more(self.after.hands[seat], self.before.hands[seat])

    def losses(self, seat: int) -> Counts:
        """The seat's losses."""
        return _more(self.before.hands[seat], self.after.hands[seat])


class Said(NamedTuple):
    """A message to all; the seats `to` receive a different one."""

    message: Message
    private: Message | None = None
    to: tuple[int, ...] = ()

    def to_seat(self, seat: int) -> Message:
        """The message to a seat."""
        return self.private if self.private is not None and seat in self.to else self.message


class Speech:
    """One version's messages in a game; `ids` are the players' by seat."""

    def __init__(self, version: str, ids: Sequence[int]) -> None:
        self.version = version
        self.ids = tuple(ids)
        self.places = Places(version)
        self._words = said_by_server(version)

    def seat_of(self, player: int) -> int:
        """The seat of a player; ValueError for an unknown one."""
        if player not in self.ids:
            raise ValueError(f"Spieler unbekannt: {player}")
        return self.ids.index(player)

    # A seat's requests, and back.

    def request(self, position: Position, actions: Sequence[Action], trade: int = 0) -> Message:
        """The acting seat's actions as a message; an answer names the offer `trade`."""
        first = actions[0]
        if first.kind in (ActionKind.ACCEPT, ActionKind.REJECT):
            return self._answer(first.kind == ActionKind.ACCEPT, trade)
        return _REQUESTS[first.kind](self, position, actions)

    def _answer(self, accepts: bool, trade: int) -> Message:
        if self.version == "1.0":
            return AnswerOffer(trade, accepts)
        return AnswerOffer(trade) if accepts else CancelOffer(trade)

    def _build(self, kind: ActionKind, place: int) -> Build:
        name = self.places.edge if kind == ActionKind.ROAD else self.places.corner
        return Build(BUILDINGS[kind], name(place))  # type: ignore[arg-type]

    def _victim(self, position: Position, step: int | None) -> int | None:
        return None if step is None else self.ids[(position.seat + step) % position.seats]

    def _knight(self, position: Position, moves: Sequence[Action]) -> PlayKnight:
        """A winning knight moves nothing; its field and victim must still be legal ones."""
        tile, step = moves[0].args if moves else _first_robbery(position)
        return PlayKnight(self.places.field(tile), self._victim(position, step))

    def _move_robber(self, position: Position, tile: int, step: int | None) -> MoveRobber:
        return MoveRobber(self.places.field(tile), self._victim(position, step))

    def _roads(self, edges: Sequence[int]) -> PlayRoads:
        names = [self.places.edge(edge) for edge in edges]
        return PlayRoads(*names[:2])

    def actions(self, position: Position, message: Message) -> tuple[Action, ...]:
        """The inverse of `request`, except for answers; ValueError if nothing legal is meant."""
        return _ACTIONS[type(message)](self, position, message)

    def _tile_at(self, field: Field) -> int:
        self._check_form(field)
        return self.places.tile_at(field)

    def _edge_at(self, place: Place) -> int:
        self._check_form(place)
        return self.places.edge_at(place)

    def _check_form(self, place: Field | Place) -> None:
        if not self.places.is_ours(place):
            raise ValueError(f"Orte sind in {self.version} anders benannt")
        self.places.check(place)

    def _building(self, message: Build) -> Action:
        if message.kind == ROAD:
            return Action.road(self._edge_at(message.place))
        self._check_form(message.place)
        vertex = self.places.vertex_at(message.place)
        return Action.settlement(vertex) if message.kind == SETTLEMENT else Action.city(vertex)

    def _robbery(self, position: Position, message: MoveRobber | PlayKnight) -> Action:
        tile = self._tile_at(message.place)
        if message.victim is None:
            return Action.move_robber(tile, richest(position, tile))
        step = (self.seat_of(message.victim) - position.seat) % position.seats
        if step == 0:
            raise ValueError("Niemand raubt sich selbst aus")
        return Action.move_robber(tile, step)

    def _laying(self, message: PlayRoads) -> tuple[Action, ...]:
        places = [message.first] if message.second is None else [message.first, message.second]
        roads = [Action.road(self._edge_at(place)) for place in places]
        return (Action.play_road_building(), *roads)

    # The server's announcements.

    def report(self, deeds: Sequence[Deed]) -> list[Said]:
        """The announcements for the actions of one message, including awards."""
        said = _REPORTS[deeds[0].event.action.kind](self, deeds)
        return [words for words in said if NAMES[type(words.message)] in self._words]

    def built(self, event: Event) -> Message:
        """The announcement of a piece that was built."""
        asked = self._build(event.action.kind, event.action.args[0])
        return Built(Piece(self.ids[event.seat], asked.kind, asked.place))

    def _rolled(self, deed: Deed) -> list[Said]:
        seat, dice = deed.event.seat, deed.event.outcome
        order = [(seat + step) % len(self.ids) for step in range(len(self.ids))]
        return [self.rolled(seat, dice), *_all(self._yields(deed, other) for other in order)]

    def rolled(self, seat: int, dice: tuple[int, int]) -> Said:
        """Two dice, or their sum."""
        return Said(Rolled(self.ids[seat], sum(dice) if self.version in SUM_ONLY else dice))

    def _built(self, deed: Deed) -> list[Said]:
        event = deed.event
        paid = self._costs(deed, event.seat)
        said = [*paid, Said(self.built(event))]
        if deed.before.turn == 0:
            said += self._yields(deed, event.seat)
        return said + self._awards(deed)

    def _bought(self, deed: Deed) -> list[Said]:
        event = deed.event
        player = self.ids[event.seat]
        private = CardBought(player, words.CARDS[event.outcome])
        card = Said(CardBought(player, words.UNKNOWN), private, (event.seat,))
        return [*self._costs(deed, event.seat), card]

    def _knight_played(self, deeds: Sequence[Deed]) -> list[Said]:
        knight, moves = deeds[0], deeds[1:]
        player = self.ids[knight.event.seat]
        if not moves:
            unmoved = self.places.field(knight.after.robber)
            return [Said(KnightPlayed(player, unmoved)), *self._awards(knight)]
        event = moves[0].event
        asked = KnightPlayed(player, self.places.field(event.action.args[0]), self._robbed(event))
        return [Said(asked), *self._theft(moves[0]), *self._awards(knight)]

    def _robber_moved(self, deed: Deed) -> list[Said]:
        event = deed.event
        field = self.places.field(event.action.args[0])
        said = RobberMoved(self.ids[event.seat], field, self._robbed(event))
        return [Said(said), *self._theft(deed)]

    def _robbed(self, event: Event) -> int | None:
        victim = event.victim(len(self.ids))
        return None if victim is None else self.ids[victim]

    def _theft(self, deed: Deed) -> list[Said]:
        """The stolen card, its kind only to the two seats concerned; nothing if there is none."""
        thief, victim = deed.event.seat, deed.event.victim(len(self.ids))
        if victim is None or deed.event.outcome is None:
            return []
        shown, hidden, both = to_cards(deed.gains(thief)), words.hidden_cards(1), (thief, victim)
        return [
            Said(kind(self.ids[seat], hidden), kind(self.ids[seat], shown), both)
            for kind, seat in ((Costs, victim), (Yield, thief))
        ]

    def _roads_played(self, deeds: Sequence[Deed]) -> list[Said]:
        roads = deeds[1:]
        names = [self.places.edge(deed.event.action.args[0]) for deed in roads]
        said = [Said(RoadsPlayed(self.ids[deeds[0].event.seat], *names))]
        for road in roads:
            said += [Said(self.built(road.event)), *self._awards(road)]
        return said

    def _monopoly_played(self, deed: Deed) -> list[Said]:
        seat, n = deed.event.seat, len(self.ids)
        resource = words.RESOURCES[deed.event.action.args[0]]
        victims = [(seat + step) % n for step in range(1, n)]
        return [
            Said(MonopolyPlayed(self.ids[seat], resource)),
            *_all(self._costs(deed, victim) for victim in victims),
            Said(Yield(self.ids[seat], to_cards(deed.gains(seat)))),
        ]

    def _plenty_played(self, deed: Deed) -> list[Said]:
        seat = deed.event.seat
        asked = to_cards(_counted(deed.event.action.args))
        return [Said(PlentyPlayed(self.ids[seat], asked)), *self._yields(deed, seat)]

    def _at_once(self, deeds: Sequence[Deed]) -> list[Said]:
        """Several discards, or trades with the bank, as one."""
        deed = Deed(deeds[0].event, deeds[0].before, deeds[-1].after)
        seat = deed.event.seat
        return [*self._costs(deed, seat), *self._yields(deed, seat)]

    def _traded(self, deeds: Sequence[Deed]) -> list[Said]:
        """An offer and its answer; the room announces offers without agreement."""
        proposer, deed = deeds[0].event.seat, deeds[-1]
        if deed.event.action.kind != ActionKind.ACCEPT:
            return []
        partner = deed.event.seat
        both = (proposer, partner)
        return [
            Said(Concluded(self.ids[proposer], self.ids[partner])),
            *_all(self._costs(deed, seat) for seat in both),
            *_all(self._yields(deed, seat) for seat in both),
        ]

    def _costs(self, deed: Deed, seat: int) -> list[Said]:
        lost = deed.losses(seat)
        return [Said(Costs(self.ids[seat], to_cards(lost)))] if any(lost) else []

    def _yields(self, deed: Deed, seat: int) -> list[Said]:
        won = deed.gains(seat)
        return [Said(Yield(self.ids[seat], to_cards(won)))] if any(won) else []

    def _awards(self, deed: Deed) -> list[Said]:
        said: list[Said] = []
        before, after = deed.before, deed.after
        if before.longest_road != after.longest_road:
            said.append(Said(LongestRoad(self._holder(after.longest_road))))
        if before.largest_army != after.largest_army:
            said.append(Said(LargestArmy(self._holder(after.largest_army))))
        return said

    def _holder(self, seat: int | None) -> int | None:
        return None if seat is None else self.ids[seat]


def shot_of(game: Position) -> Shot:
    """The part of a game that is compared, with every hand."""
    hands = tuple(game.hand(seat) for seat in range(game.seats))
    return Shot(hands, game.turn, game.longest_road_seat, game.largest_army_seat, game.robber)


def richest(position: Position, tile: int) -> int | None:
    """The default victim of the robber on a tile, in places clockwise from the acting seat.

    It is the seat with most cards, the next clockwise in a tie; None if no other seat builds there.
    """
    corners = set(TILE_VERTICES[tile])
    steps = [
        step
        for step in range(1, position.seats)
        if corners & set(_buildings(position, (position.seat + step) % position.seats))
    ]
    size = position.hand_size
    return max(steps, key=lambda s: (size((position.seat + s) % position.seats), -s), default=None)


def _first_robbery(position: Position) -> tuple[int, int | None]:
    """The first tile that the robber may move to, and the seat that it then robs."""
    tile = int(position.robber == 0)
    return tile, richest(position, tile)


def _buildings(position: Position, seat: int) -> tuple[int, ...]:
    return position.settlements(seat) + position.cities(seat)


def discards_of(position: Position, cards: Cards) -> tuple[Action, ...]:
    """The discards of a seat, one by one; ValueError unless they are what it owes."""
    counts, owed = known_counts(cards), position.owes(position.seat)
    if sum(counts) != owed or not owed:
        raise ValueError(f"Es sind genau {owed} Karten abzugeben")
    return tuple(Action.discard(kind) for kind in _expanded(counts))


def sea_trades_of(position: Position, give: Counts, get: Counts) -> tuple[Action, ...]:
    """n of one kind for m of another, as that many trades with the bank."""
    given, got = _only_kind(give), _only_kind(get)
    if given is None or got is None or give[given] % get[got]:
        raise ValueError("Der Seehandel tauscht eine Sorte gegen eine andere")
    rate: int | None = give[given] // get[got]
    if rate == position.trade_rates(position.seat)[given]:
        rate = None
    return tuple(repeat(Action.bank_trade(given, got, rate), get[got]))


def plenty_of(position: Position, cards: Cards) -> Action:
    """The two cards of an invention, or the bank's last one."""
    chosen = _expanded(known_counts(cards))
    if len(chosen) == 1 and sum(position.bank) == 1:
        chosen *= 2
    if len(chosen) != 2:
        raise ValueError("Eine Erfindung nimmt zwei Karten")
    return Action.play_year_of_plenty(*chosen)


def known_counts(cards: Cards) -> Counts:
    """Cards by Resource; ValueError if kinds are missing."""
    if cards.unknown:
        raise ValueError("Die Sorten der Karten fehlen")
    return to_counts(cards)


def resource_named(word: str) -> Resource:
    """The resource of a monopoly; ValueError for another word."""
    resource = words.resource_of(word)
    if resource is None:
        raise ValueError(f"Rohstoff unbekannt: {word}"[:80])
    return resource


def _only_kind(counts: Counts) -> Resource | None:
    kinds = [kind for kind in Resource if counts[kind]]
    return kinds[0] if len(kinds) == 1 else None


def _expanded(counts: Sequence[int]) -> list[Resource]:
    return [kind for kind in Resource for _ in range(counts[kind])]


def _counted(kinds: Iterable[int]) -> list[int]:
    chosen = list(kinds)
    return [chosen.count(kind) for kind in Resource]


def _more(cards: Counts, fewer: Counts) -> Counts:
    a, b, c, d, e = (max(0, n - m) for n, m in zip(cards, fewer, strict=True))
    return a, b, c, d, e


def _all(lists: Iterable[list[Said]]) -> list[Said]:
    return [said for part in lists for said in part]


def _bank_trades(speech: Speech, position: Position, actions: Sequence[Action]) -> Message:
    give, get, rate = actions[0].args
    rate = position.trade_rates(position.seat)[give] if rate is None else rate
    n = len(actions)
    return SeaTrade(to_cards(_counted([give] * rate * n)), to_cards(_counted([get] * n)))


_REQUESTS: dict[ActionKind, Callable[[Speech, Position, Sequence[Action]], Message]] = {
    ActionKind.ROLL: lambda speech, position, actions: RollDice(),
    ActionKind.END_TURN: lambda speech, position, actions: EndTurn(),
    ActionKind.BUY_DEVELOPMENT_CARD: lambda speech, position, actions: BuyCard(),
    ActionKind.PLAY_KNIGHT: lambda speech, position, actions: speech._knight(position, actions[1:]),
    ActionKind.PLAY_ROAD_BUILDING: lambda speech, position, actions: speech._roads(
        [action.args[0] for action in actions[1:]]
    ),
    ActionKind.PLAY_YEAR_OF_PLENTY: lambda speech, position, actions: PlayPlenty(
        to_cards(_counted(actions[0].args if sum(position.bank) > 1 else actions[0].args[:1]))
    ),
    ActionKind.PLAY_MONOPOLY: lambda speech, position, actions: PlayMonopoly(
        words.RESOURCES[actions[0].args[0]]
    ),
    ActionKind.DISCARD: lambda speech, position, actions: Discard(
        to_cards(_counted(action.args[0] for action in actions))
    ),
    ActionKind.BANK_TRADE: _bank_trades,
    ActionKind.SETTLEMENT: lambda speech, position, actions: speech._build(
        ActionKind.SETTLEMENT, actions[0].args[0]
    ),
    ActionKind.CITY: lambda speech, position, actions: speech._build(
        ActionKind.CITY, actions[0].args[0]
    ),
    ActionKind.ROAD: lambda speech, position, actions: speech._build(
        ActionKind.ROAD, actions[0].args[0]
    ),
    ActionKind.MOVE_ROBBER: lambda speech, position, actions: speech._move_robber(
        position, *actions[0].args
    ),
    ActionKind.OFFER: lambda speech, position, actions: Offer(
        to_cards(actions[0].args[1]), to_cards(actions[0].args[2])
    ),
}

_ACTIONS: dict[type[Message], Callable[[Speech, Position, Any], tuple[Action, ...]]] = {
    RollDice: lambda speech, position, said: (Action.roll(),),
    EndTurn: lambda speech, position, said: (Action.end_turn(),),
    BuyCard: lambda speech, position, said: (Action.buy_development_card(),),
    PlayKnight: lambda speech, position, said: (
        Action.play_knight(),
        speech._robbery(position, said),
    ),
    PlayRoads: lambda speech, position, said: speech._laying(said),
    PlayPlenty: lambda speech, position, said: (plenty_of(position, said.cards),),
    PlayMonopoly: lambda speech, position, said: (
        Action.play_monopoly(resource_named(said.resource)),
    ),
    Discard: lambda speech, position, said: discards_of(position, said.cards),
    SeaTrade: lambda speech, position, said: sea_trades_of(
        position, known_counts(said.give), known_counts(said.get)
    ),
    Build: lambda speech, position, said: (speech._building(said),),
    MoveRobber: lambda speech, position, said: (speech._robbery(position, said),),
}

_REPORTS: dict[ActionKind, Callable[[Speech, Sequence[Deed]], list[Said]]] = {
    ActionKind.ROLL: lambda speech, deeds: speech._rolled(deeds[0]),
    ActionKind.END_TURN: lambda speech, deeds: [],
    ActionKind.BUY_DEVELOPMENT_CARD: lambda speech, deeds: speech._bought(deeds[0]),
    ActionKind.PLAY_KNIGHT: lambda speech, deeds: speech._knight_played(deeds),
    ActionKind.PLAY_ROAD_BUILDING: lambda speech, deeds: speech._roads_played(deeds),
    ActionKind.PLAY_YEAR_OF_PLENTY: lambda speech, deeds: speech._plenty_played(deeds[0]),
    ActionKind.PLAY_MONOPOLY: lambda speech, deeds: speech._monopoly_played(deeds[0]),
    ActionKind.DISCARD: lambda speech, deeds: speech._at_once(deeds),
    ActionKind.BANK_TRADE: lambda speech, deeds: speech._at_once(deeds),
    ActionKind.SETTLEMENT: lambda speech, deeds: speech._built(deeds[0]),
    ActionKind.CITY: lambda speech, deeds: speech._built(deeds[0]),
    ActionKind.ROAD: lambda speech, deeds: speech._built(deeds[0]),
    ActionKind.MOVE_ROBBER: lambda speech, deeds: speech._robber_moved(deeds[0]),
    ActionKind.OFFER: lambda speech, deeds: speech._traded(deeds),
}
