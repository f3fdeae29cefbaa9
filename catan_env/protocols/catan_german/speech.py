"""Actions to messages and back: the requests of a seat.

The other protocols' modules of this name do the same for theirs. Here one message may be several of
our actions: a knight is the card and the robber's move, a discard all the cards together.
"""

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

from catan_env.core.constants import Resource
from catan_env.game.action import Action, ActionKind, Counts
from catan_env.game.position import Position
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import (
    AnswerOffer,
    Build,
    BuyCard,
    CancelOffer,
    Cards,
    Discard,
    EndTurn,
    Field,
    Message,
    MoveRobber,
    Offer,
    Place,
    PlayKnight,
    PlayMonopoly,
    PlayPlenty,
    PlayRoads,
    RollDice,
    SeaTrade,
)
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.words import (
    CITY,
    ROAD,
    SETTLEMENT,
    cards_with,
    to_cards,
    to_counts,
)

BUILDINGS = {
    ActionKind.SETTLEMENT: SETTLEMENT,
    ActionKind.CITY: CITY,
    ActionKind.ROAD: ROAD,
}


class Speech:
    """One version's messages in a game; `ids` are the players' by seat."""

    def __init__(self, version: str, ids: Sequence[int], places: Places | None = None) -> None:
        self.version = version
        self.ids = tuple(ids)
        self.places = places or Places(version)

    def seat_of(self, player: int) -> int:
        """The seat of a player; ValueError for an unknown one."""
        if player not in self.ids:
            raise ValueError(f"Spieler unbekannt: {player}")
        return self.ids.index(player)

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
        piece = BUILDINGS[kind]
        return Build(piece, self.places.built_on(piece, place))  # type: ignore[arg-type]

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


def richest(position: Position, tile: int) -> int | None:
    """The default victim of the robber on a tile, in places clockwise from the acting seat.

    It is the seat with most cards, the next clockwise in a tie; None if no other seat builds there.
    """
    steps = {
        (seat - position.seat) % position.seats: position.hand_size(seat)
        for seat in position.seats_at(tile)
        if seat != position.seat
    }
    return max(steps, key=lambda step: (steps[step], -step), default=None)


def _first_robbery(position: Position) -> tuple[int, int | None]:
    """The first tile that the robber may move to, and the seat that it then robs."""
    tile = int(position.robber == 0)
    return tile, richest(position, tile)


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


def _bank_trades(speech: Speech, position: Position, actions: Sequence[Action]) -> Message:
    give, get, rate = actions[0].args
    rate = position.trade_rates(position.seat)[give] if rate is None else rate
    n = len(actions)
    return SeaTrade(cards_with([give] * rate * n), cards_with([get] * n))


_REQUESTS: dict[ActionKind, Callable[[Speech, Position, Sequence[Action]], Message]] = {
    ActionKind.ROLL: lambda speech, position, actions: RollDice(),
    ActionKind.END_TURN: lambda speech, position, actions: EndTurn(),
    ActionKind.BUY_DEVELOPMENT_CARD: lambda speech, position, actions: BuyCard(),
    ActionKind.PLAY_KNIGHT: lambda speech, position, actions: speech._knight(position, actions[1:]),
    ActionKind.PLAY_ROAD_BUILDING: lambda speech, position, actions: speech._roads(
        [action.args[0] for action in actions[1:]]
    ),
    ActionKind.PLAY_YEAR_OF_PLENTY: lambda speech, position, actions: PlayPlenty(
        cards_with(actions[0].args if sum(position.bank) > 1 else actions[0].args[:1])
    ),
    ActionKind.PLAY_MONOPOLY: lambda speech, position, actions: PlayMonopoly(
        words.RESOURCES[actions[0].args[0]]
    ),
    ActionKind.DISCARD: lambda speech, position, actions: Discard(
        cards_with(action.args[0] for action in actions)
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
