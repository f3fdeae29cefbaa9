"""The server's announcements of what happens in a game."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from catan_env.game.action import ActionKind, Counts
from catan_env.game.event import Event
from catan_env.game.position import Position
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import (
    NAMES,
    Built,
    CardBought,
    Concluded,
    Costs,
    KnightPlayed,
    LargestArmy,
    LongestRoad,
    Message,
    MonopolyPlayed,
    Piece,
    PlentyPlayed,
    RoadsPlayed,
    RobberMoved,
    Rolled,
    Yield,
    said_by_server,
)
from catan_env.protocols.catan_german.places import Places
from catan_env.protocols.catan_german.speech import BUILDINGS
from catan_env.protocols.catan_german.words import cards_with, to_cards

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


class Announcement(NamedTuple):
    """A message to all; the seats `to` receive a different one."""

    message: Message
    private: Message | None = None
    to: tuple[int, ...] = ()

    def to_seat(self, seat: int) -> Message:
        """The message to a seat."""
        return self.private if self.private is not None and seat in self.to else self.message


class Announcer:
    """One version's announcements of a game; `ids` are the players' by seat."""

    def __init__(self, version: str, ids: Sequence[int]) -> None:
        self._version = version
        self._ids = tuple(ids)
        self._places = Places(version)
        self._known = said_by_server(version)

    def report(self, deeds: Sequence[Deed]) -> list[Announcement]:
        """The announcements for the actions of one message, including awards."""
        announced = _REPORTS[deeds[0].event.action.kind](self, deeds)
        return [one for one in announced if NAMES[type(one.message)] in self._known]

    def rolled(self, seat: int, dice: tuple[int, int]) -> Rolled:
        """Two dice, or their sum."""
        return Rolled(self._ids[seat], sum(dice) if self._version in SUM_ONLY else dice)

    def _piece(self, event: Event) -> Built:
        kind, place = BUILDINGS[event.action.kind], event.action.args[0]
        return Built(Piece(self._ids[event.seat], kind, self._places.built_on(kind, place)))

    def _rolled(self, deed: Deed) -> list[Announcement]:
        seat, dice = deed.event.seat, deed.event.outcome
        order = [(seat + step) % len(self._ids) for step in range(len(self._ids))]
        rolled = Announcement(self.rolled(seat, dice))
        return [rolled, *_all(self._yields(deed, other) for other in order)]

    def _built(self, deed: Deed) -> list[Announcement]:
        event = deed.event
        starting = self._yields(deed, event.seat) if deed.before.turn == 0 else []
        piece = Announcement(self._piece(event))
        return [*self._costs(deed, event.seat), piece, *starting, *self._awards(deed)]

    def _bought(self, deed: Deed) -> list[Announcement]:
        event = deed.event
        player = self._ids[event.seat]
        private = CardBought(player, words.CARDS[event.outcome])
        card = Announcement(CardBought(player, words.UNKNOWN), private, (event.seat,))
        return [*self._costs(deed, event.seat), card]

    def _knight_played(self, deeds: Sequence[Deed]) -> list[Announcement]:
        knight, moves = deeds[0], deeds[1:]
        player = self._ids[knight.event.seat]
        if not moves:
            unmoved = self._places.field(knight.after.robber)
            return [Announcement(KnightPlayed(player, unmoved)), *self._awards(knight)]
        event = moves[0].event
        moved = KnightPlayed(player, self._places.field(event.action.args[0]), self._robbed(event))
        return [Announcement(moved), *self._theft(moves[0]), *self._awards(knight)]

    def _robber_moved(self, deed: Deed) -> list[Announcement]:
        event = deed.event
        field = self._places.field(event.action.args[0])
        moved = RobberMoved(self._ids[event.seat], field, self._robbed(event))
        return [Announcement(moved), *self._theft(deed)]

    def _robbed(self, event: Event) -> int | None:
        victim = event.victim(len(self._ids))
        return None if victim is None else self._ids[victim]

    def _theft(self, deed: Deed) -> list[Announcement]:
        """The stolen card, its kind only to the two seats concerned; nothing if there is none."""
        thief, victim = deed.event.seat, deed.event.victim(len(self._ids))
        if victim is None or deed.event.outcome is None:
            return []
        shown, hidden, both = to_cards(deed.gains(thief)), words.hidden_cards(1), (thief, victim)
        return [
            Announcement(kind(self._ids[seat], hidden), kind(self._ids[seat], shown), both)
            for kind, seat in ((Costs, victim), (Yield, thief))
        ]

    def _roads_played(self, deeds: Sequence[Deed]) -> list[Announcement]:
        roads = deeds[1:]
        names = [self._places.edge(deed.event.action.args[0]) for deed in roads]
        announced = [Announcement(RoadsPlayed(self._ids[deeds[0].event.seat], *names))]
        for road in roads:
            announced += [Announcement(self._piece(road.event)), *self._awards(road)]
        return announced

    def _monopoly_played(self, deed: Deed) -> list[Announcement]:
        seat, n = deed.event.seat, len(self._ids)
        resource = words.RESOURCES[deed.event.action.args[0]]
        victims = [(seat + step) % n for step in range(1, n)]
        return [
            Announcement(MonopolyPlayed(self._ids[seat], resource)),
            *_all(self._costs(deed, victim) for victim in victims),
            Announcement(Yield(self._ids[seat], to_cards(deed.gains(seat)))),
        ]

    def _plenty_played(self, deed: Deed) -> list[Announcement]:
        seat = deed.event.seat
        taken = cards_with(deed.event.action.args)
        return [Announcement(PlentyPlayed(self._ids[seat], taken)), *self._yields(deed, seat)]

    def _at_once(self, deeds: Sequence[Deed]) -> list[Announcement]:
        """Several discards, or trades with the bank, as one."""
        deed = Deed(deeds[0].event, deeds[0].before, deeds[-1].after)
        seat = deed.event.seat
        return [*self._costs(deed, seat), *self._yields(deed, seat)]

    def _traded(self, deeds: Sequence[Deed]) -> list[Announcement]:
        """An offer and its answer; the room announces offers without agreement."""
        proposer, deed = deeds[0].event.seat, deeds[-1]
        if deed.event.action.kind != ActionKind.ACCEPT:
            return []
        partner = deed.event.seat
        both = (proposer, partner)
        return [
            Announcement(Concluded(self._ids[proposer], self._ids[partner])),
            *_all(self._costs(deed, seat) for seat in both),
            *_all(self._yields(deed, seat) for seat in both),
        ]

    def _costs(self, deed: Deed, seat: int) -> list[Announcement]:
        lost = deed.losses(seat)
        return [Announcement(Costs(self._ids[seat], to_cards(lost)))] if any(lost) else []

    def _yields(self, deed: Deed, seat: int) -> list[Announcement]:
        won = deed.gains(seat)
        return [Announcement(Yield(self._ids[seat], to_cards(won)))] if any(won) else []

    def _awards(self, deed: Deed) -> list[Announcement]:
        announced: list[Announcement] = []
        before, after = deed.before, deed.after
        if before.longest_road != after.longest_road:
            announced.append(Announcement(LongestRoad(self._holder(after.longest_road))))
        if before.largest_army != after.largest_army:
            announced.append(Announcement(LargestArmy(self._holder(after.largest_army))))
        return announced

    def _holder(self, seat: int | None) -> int | None:
        return None if seat is None else self._ids[seat]


def shot_of(game: Position) -> Shot:
    """The part of a game that is compared, with every hand."""
    hands = tuple(game.hand(seat) for seat in range(game.seats))
    return Shot(hands, game.turn, game.longest_road_seat, game.largest_army_seat, game.robber)


def _more(cards: Counts, fewer: Counts) -> Counts:
    a, b, c, d, e = (max(0, n - m) for n, m in zip(cards, fewer, strict=True))
    return a, b, c, d, e


def _all(lists: Iterable[list[Announcement]]) -> list[Announcement]:
    return [one for part in lists for one in part]


_REPORTS: dict[ActionKind, Callable[[Announcer, Sequence[Deed]], list[Announcement]]] = {
    ActionKind.ROLL: lambda announcer, deeds: announcer._rolled(deeds[0]),
    ActionKind.END_TURN: lambda announcer, deeds: [],
    ActionKind.BUY_DEVELOPMENT_CARD: lambda announcer, deeds: announcer._bought(deeds[0]),
    ActionKind.PLAY_KNIGHT: lambda announcer, deeds: announcer._knight_played(deeds),
    ActionKind.PLAY_ROAD_BUILDING: lambda announcer, deeds: announcer._roads_played(deeds),
    ActionKind.PLAY_YEAR_OF_PLENTY: lambda announcer, deeds: announcer._plenty_played(deeds[0]),
    ActionKind.PLAY_MONOPOLY: lambda announcer, deeds: announcer._monopoly_played(deeds[0]),
    ActionKind.DISCARD: lambda announcer, deeds: announcer._at_once(deeds),
    ActionKind.BANK_TRADE: lambda announcer, deeds: announcer._at_once(deeds),
    ActionKind.SETTLEMENT: lambda announcer, deeds: announcer._built(deeds[0]),
    ActionKind.CITY: lambda announcer, deeds: announcer._built(deeds[0]),
    ActionKind.ROAD: lambda announcer, deeds: announcer._built(deeds[0]),
    ActionKind.MOVE_ROBBER: lambda announcer, deeds: announcer._robber_moved(deeds[0]),
    ActionKind.OFFER: lambda announcer, deeds: announcer._traded(deeds),
}
