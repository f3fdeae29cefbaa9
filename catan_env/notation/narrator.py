"""Events as messages, in the canonical order of records.

Rule 1. A seat's choice comes first; its consequences follow in the same batch.
Rule 2. Consequences: cards (RP, TR), awards (LR, LA), the robber waking or lying down (RA, RD),
        then the turn's end, the round's end, the phase's end, and the next ones' starts.
Rule 3. `player` is the seat concerned: the one that begins a turn, takes an award, or has won.
        It is the admin if no seat, or every seat, is concerned.
"""

from collections.abc import Callable
from typing import Any

from catan_env.core.constants import DevelopmentCard, Terrain
from catan_env.game import geometry
from catan_env.game.action import ActionKind
from catan_env.game.event import HIDDEN, Event
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation import places
from catan_env.notation.follow import follow
from catan_env.notation.values import (
    ADMIN,
    BANK,
    BOUGHT,
    CARD_CODES,
    DICE,
    DISCARDED,
    LEFT,
    LETTERS,
    ROBBED,
    Message,
    cards_of,
    resources,
    swap,
)


def say(player: str, event: str, /, **value: Any) -> Message:
    """Return a message without its uuid and batch."""
    return {"player": player, "event": event, "value": value}


def say_bought_unseen(name: str) -> Message:
    """Return the purchase of a development card for players that do not see its kind."""
    return {**say(ADMIN, "CH", msg=f"{name} buys a development card"), BOUGHT: name}


def say_robbed_unseen(name: str, victim: str) -> Message:
    """Return the theft of a card for players that do not see its kind."""
    return {**say(name, "RR", resources=[]), ROBBED: victim}


class Narrator:
    """Plays events at a table and writes their messages; `players` are the seats' names."""

    def __init__(self, table: Game | SeatView, players: tuple[str, ...]) -> None:
        self.table = table
        self.players = players
        self.offer_uuid = ""
        """The uuid of the offer on the table, set by the sender of the messages."""
        self._placed = 0
        self._turn = 1
        self._round = 1
        self._turn_seat = table.first_seat
        self._robber_is_awake = False
        self._longest_road: int | None = None
        self._largest_army: int | None = None
        self._offer: list[dict[str, Any]] = []

    def opening(self) -> list[list[Message]]:
        """Return the messages from the end of the set-up phase to the first choice, by batch."""
        opening = [
            say(ADMIN, "PE", phase="Setup"),
            say(ADMIN, "PS", phase="Deployment"),
            say(ADMIN, "RS", round=1),
            say(self._name(self._turn_seat), "TS"),
        ]
        placed = self.table.events if isinstance(self.table, Game) else ()
        return [opening, *(self._tell(event, []) for event in placed)]

    def follow(self, event: Event) -> list[list[Message]]:
        """Play `event`; return a batch for it and for each of the table's decisions after it.

        Raises what the table raises; nothing has changed then.
        """
        before = self._known() if event.action.kind in _BRING_CARDS else []
        return [self._tell(done, before) for done in follow(self.table, event)]

    def _tell(self, event: Event, before: list[list[int]]) -> list[Message]:
        said = _TELL[event.action.kind](self, event, before)
        if self.table.is_over:
            said += self._ending(event.winner)
        return said

    def _name(self, seat: int | None) -> str:
        return ADMIN if seat is None else self.players[seat]

    def _known(self) -> list[list[int]]:
        """Return the public cards of each seat's hand, by Resource."""
        return [list(self.table.known(seat)) for seat in range(self.table.seats)]

    def _gains(self, before: list[list[int]]) -> dict[str, dict[str, int]]:
        """Return each seat's public gains since `before`, and the bank's losses."""
        gains: dict[str, dict[str, int]] = {}
        bank = [0] * len(LETTERS)
        for seat, (old, now) in enumerate(zip(before, self._known(), strict=True)):
            if old != now:
                gained = [b - a for a, b in zip(old, now, strict=True)]
                bank = [total + n for total, n in zip(bank, gained, strict=True)]
                gains[self.players[seat]] = cards_of(gained)
        return {**gains, BANK: cards_of(bank, -1)} if gains else {}

    def _tell_roll(self, event: Event, before: list[list[int]]) -> list[Message]:
        total = sum(event.outcome)
        roll = {**say(self._name(event.seat), "DR", result=total), DICE: list(event.outcome)}
        if total == 7:
            return [roll, self._wake_robber()]
        gains = self._gains(before)
        return [roll, say(ADMIN, "RP", resources=resources(gains))] if gains else [roll]

    def _tell_settlement(self, event: Event, _: list[list[int]]) -> list[Message]:
        vertex = event.action.args[0]
        said = [say(self._name(event.seat), "BS", intersection=places.intersection(vertex))]
        if not self._is_setup():
            return said + self._longest_road_news()
        self._placed += 1
        if self._placed > self.table.seats:
            said += self._starting_cards(event.seat, vertex)
        return said

    def _starting_cards(self, seat: int, vertex: int) -> list[Message]:
        counts = [0] * len(LETTERS)
        for tile in geometry.VERTEX_TILES[vertex]:
            terrain = self.table.board.tiles[tile].terrain
            if terrain < Terrain.DESERT:
                counts[terrain] += 1
        if not any(counts):
            return []
        return [
            say(ADMIN, "RP", resources=swap(self._name(seat), {}, BANK, cards_of(counts))),
        ]

    def _tell_road(self, event: Event, _: list[list[int]]) -> list[Message]:
        said = [say(self._name(event.seat), "BR", path=places.edge_path(event.action.args[0]))]
        if self._is_setup():
            return said + self._end_placing(event.seat)
        return said + self._longest_road_news()

    def _is_setup(self) -> bool:
        return self._placed <= 2 * self.table.seats

    def _end_placing(self, seat: int) -> list[Message]:
        """Return the messages after a placed road: the next turn, in both rounds, then the play."""
        seats, placed = self.table.seats, self._placed
        said = [say(self._name(seat), "TE")]
        if placed == seats:
            said += [say(ADMIN, "RE", round=1), say(ADMIN, "RS", round=2)]
        if placed == 2 * seats:
            self._placed += 1
            said += [
                say(ADMIN, "RE", round=2),
                say(ADMIN, "PE", phase="Deployment"),
                say(ADMIN, "PS", phase="Play"),
                say(ADMIN, "RS", round=1),
            ]
        return [*said, say(self._name(self._next_to_place()), "TS")]

    def _next_to_place(self) -> int:
        """Return the next seat of the two set-up rounds (C023); at the end, the first seat."""
        seats, placed = self.table.seats, self._placed
        if placed < seats:
            step = placed
        else:
            step = 2 * seats - 1 - placed if placed < 2 * seats else 0
        return (self.table.first_seat + step) % seats

    def _tell_city(self, event: Event, _: list[list[int]]) -> list[Message]:
        place = places.intersection(event.action.args[0])
        return [say(self._name(event.seat), "BC", intersection=place)]

    def _tell_purchase(self, event: Event, _: list[list[int]]) -> list[Message]:
        name = self._name(event.seat)
        if event.outcome is HIDDEN:
            return [say_bought_unseen(name)]
        return [say(name, "BD", cCode=CARD_CODES[event.outcome])]

    def _put_down(self, event: Event, card: DevelopmentCard) -> Message:
        return say(self._name(event.seat), "PD", cCode=CARD_CODES[card])

    def _tell_knight(self, event: Event, _: list[list[int]]) -> list[Message]:
        said = [self._put_down(event, DevelopmentCard.KNIGHT)]
        holder = self.table.largest_army_seat
        if holder is not None and holder != self._largest_army:
            self._largest_army = holder
            said.append(say(self._name(holder), "LA", strength=self.table.knights(holder)))
        return said if self.table.is_over else [*said, self._wake_robber()]

    def _tell_road_building(self, event: Event, _: list[list[int]]) -> list[Message]:
        return [self._put_down(event, DevelopmentCard.ROAD_BUILDING)]

    def _tell_year_of_plenty(self, event: Event, before: list[list[int]]) -> list[Message]:
        return [
            self._put_down(event, DevelopmentCard.YEAR_OF_PLENTY),
            say(self._name(event.seat), "YP", resources=resources(self._gains(before))),
        ]

    def _tell_monopoly(self, event: Event, _: list[list[int]]) -> list[Message]:
        letter = LETTERS[event.action.args[0]]
        taken = {
            self._name(seat): {letter: -n}
            for seat, n in enumerate(event.outcome)
            if seat != event.seat
        }
        shares = {self._name(event.seat): {letter: sum(event.outcome)}, **taken}
        return [
            self._put_down(event, DevelopmentCard.MONOPOLY),
            say(self._name(event.seat), "MO", resources=resources(shares)),
        ]

    def _tell_discard(self, event: Event, _: list[list[int]]) -> list[Message]:
        name = self._name(event.seat)
        if event.outcome is HIDDEN:
            return [{**say(ADMIN, "CH", msg=f"{name} discards a card"), DISCARDED: name}]
        card = {LETTERS[event.action.args[0]]: 1}
        return [say(name, "CR", resources=swap(name, card, BANK, {}))]

    def _tell_bank_trade(self, event: Event, _: list[list[int]]) -> list[Message]:
        give, get, rate = event.action.args
        gives = {LETTERS[give]: rate or self.table.trade_rates(event.seat)[give]}
        name = self._name(event.seat)
        return [say(name, "TB", resources=swap(name, gives, BANK, {LETTERS[get]: 1}))]

    def _tell_robber(self, event: Event, _: list[list[int]]) -> list[Message]:
        said = [say(self._name(event.seat), "RM", tile=places.tile_place(event.action.args[0]))]
        victim = event.victim(self.table.seats)
        if victim is not None:
            said.append(self._tell_theft(event, self._name(victim)))
        return said + self._calm_robber()

    def _tell_theft(self, event: Event, victim: str) -> Message:
        name = self._name(event.seat)
        if event.outcome is HIDDEN:
            return say_robbed_unseen(name, victim)
        if event.outcome is None:
            nothing = {LETTERS[0]: 0}
            return say(name, "RR", resources=resources({victim: nothing, name: nothing}))
        return say(name, "RR", resources=swap(victim, {LETTERS[event.outcome]: 1}, name, {}))

    def _wake_robber(self) -> Message:
        self._robber_is_awake = True
        return say(ADMIN, "RA")

    def _calm_robber(self) -> list[Message]:
        was_awake, self._robber_is_awake = self._robber_is_awake, False
        return [say(ADMIN, "RD")] if was_awake else []

    def _longest_road_news(self) -> list[Message]:
        holder = self.table.longest_road_seat
        if holder == self._longest_road:
            return []
        self._longest_road = holder
        length = 0 if holder is None else self.table.road_length(holder)
        return [say(self._name(holder), "LR", length=length)]

    def _tell_offer(self, event: Event, _: list[list[int]]) -> list[Message]:
        _step, give, get = event.action.args
        name, other = self._name(event.seat), self._name(event.victim(self.table.seats))
        self._offer = swap(name, cards_of(give), other, cards_of(get))
        return [say(name, "TO", resources=self._offer)]

    def _tell_acceptance(self, event: Event, _: list[list[int]]) -> list[Message]:
        return [
            say(self._name(event.seat), "TA", uuid=self.offer_uuid),
            say(ADMIN, "TR", uuid=self.offer_uuid, resources=self._offer),
        ]

    def _tell_rejection(self, event: Event, _: list[list[int]]) -> list[Message]:
        return [say(self._name(event.seat), "TD", uuid=self.offer_uuid)]

    def _tell_turn_end(self, event: Event, _: list[list[int]]) -> list[Message]:
        return [say(self._name(event.seat), "TE"), *self._begin_turn()]

    def _tell_time_out(self, event: Event, _: list[list[int]]) -> list[Message]:
        return [say(ADMIN, "TE"), *self._calm_robber(), *self._begin_turn()]

    def _tell_leaving(self, event: Event, _: list[list[int]]) -> list[Message]:
        """Return an admin message, as the notation has no such event; then the turn may end."""
        name = self._name(event.seat)
        left = [{**say(ADMIN, "CH", msg=f"{name} leaves the table"), LEFT: name}]
        if self.table.is_over or self.table.turn == self._turn:
            return left
        return [*left, say(ADMIN, "TE"), *self._calm_robber(), *self._begin_turn()]

    def _begin_turn(self) -> list[Message]:
        """Return the start of the next turn, and of the next round if due; nothing at the end."""
        if self.table.is_over:
            return []
        said, seat = [], self.table.turn_seat
        first, seats = self.table.first_seat, self.table.seats
        if (seat - first) % seats <= (self._turn_seat - first) % seats:
            said = [say(ADMIN, "RE", round=self._round), say(ADMIN, "RS", round=self._round + 1)]
            self._round += 1
        self._turn_seat, self._turn = seat, self.table.turn
        return [*said, say(self._name(seat), "TS")]

    def _ending(self, winner: int | None) -> list[Message]:
        return [
            say(ADMIN, "RE", round=self._round),
            say(ADMIN, "PE", phase="Play"),
            say(ADMIN, "PS", phase="End"),
            say(self._name(winner), "GO"),
            say(ADMIN, "PE", phase="End"),
        ]


_BRING_CARDS = (ActionKind.ROLL, ActionKind.PLAY_YEAR_OF_PLENTY)
_TELL: dict[ActionKind, Callable[[Narrator, Event, list[list[int]]], list[Message]]] = {
    ActionKind.ROLL: Narrator._tell_roll,
    ActionKind.END_TURN: Narrator._tell_turn_end,
    ActionKind.BUY_DEVELOPMENT_CARD: Narrator._tell_purchase,
    ActionKind.PLAY_KNIGHT: Narrator._tell_knight,
    ActionKind.PLAY_ROAD_BUILDING: Narrator._tell_road_building,
    ActionKind.ACCEPT: Narrator._tell_acceptance,
    ActionKind.REJECT: Narrator._tell_rejection,
    ActionKind.PLAY_YEAR_OF_PLENTY: Narrator._tell_year_of_plenty,
    ActionKind.PLAY_MONOPOLY: Narrator._tell_monopoly,
    ActionKind.DISCARD: Narrator._tell_discard,
    ActionKind.BANK_TRADE: Narrator._tell_bank_trade,
    ActionKind.SETTLEMENT: Narrator._tell_settlement,
    ActionKind.CITY: Narrator._tell_city,
    ActionKind.ROAD: Narrator._tell_road,
    ActionKind.MOVE_ROBBER: Narrator._tell_robber,
    ActionKind.OFFER: Narrator._tell_offer,
    ActionKind.TIME_OUT: Narrator._tell_time_out,
    ActionKind.LEAVE: Narrator._tell_leaving,
}


def redacted(message: Message, viewer: str) -> Message:
    """Return a message as the player `viewer` saw it, without others' bought or stolen cards."""
    if message["event"] == "BD" and message["player"] != viewer:
        return say_bought_unseen(message["player"])
    if message["event"] == "RR":
        shares = message["value"]["resources"]
        victim = next((share["player"] for share in shares if min(_counts(share)) < 0), None)
        if victim is not None and all(share["player"] != viewer for share in shares):
            return say_robbed_unseen(message["player"], victim)
    return message


def _counts(share: dict[str, Any]) -> list[int]:
    return [n for key, n in share.items() if key != "player"]
