"""A second implementation of the game: slow and simple, over sets, lists and dicts.

A `Book` receives every event of a game with its outcomes and derives everything else: it stores
pieces and cards, and recomputes all consequences from the geometry. It uses nothing of the engine
but the numbers of places and the names of actions.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from catan_env import Game, Phase, Resource, Terrain
from catan_env.core.constants import DevelopmentCard
from catan_env.game.event import Event
from catan_env.game.geometry import (
    EDGE_TILES,
    EDGE_VERTICES,
    TILE_VERTICES,
    VERTEX_EDGES,
    VERTEX_NEIGHBOURS,
    VERTEX_TILES,
)

BRICK, GRAIN, LUMBER, ORE, WOOL = Resource
KNIGHT, ROAD_BUILDING, YEAR_OF_PLENTY, MONOPOLY, VICTORY_POINT = DevelopmentCard

ROAD = {BRICK: 1, LUMBER: 1}
SETTLEMENT = {BRICK: 1, LUMBER: 1, WOOL: 1, GRAIN: 1}
CITY = {ORE: 3, GRAIN: 2}
CARD = {ORE: 1, WOOL: 1, GRAIN: 1}
STOCK = {"roads": 15, "settlements": 5, "cities": 4}


@lru_cache
def longest_trail(roads: frozenset[int], others: frozenset[int]) -> int:
    """The longest trail, by trying every continuation from every vertex.

    `others`: the vertices with a building of another seat, where trails end.
    """

    def longest(vertex: int, left: frozenset[int]) -> int:
        if len(left) < len(roads) and vertex in others:
            return 0
        return max(
            (
                1 + longest(sum(EDGE_VERTICES[edge]) - vertex, left - {edge})
                for edge in VERTEX_EDGES[vertex]
                if edge in left
            ),
            default=0,
        )

    ends = {vertex for edge in roads for vertex in EDGE_VERTICES[edge]}
    return max((longest(vertex, roads) for vertex in ends), default=0)


class Book:
    """The full state of a game."""

    def __init__(self, game: Game) -> None:
        """The state before the first settlement of `game`."""
        n = game.seats
        self.board, self.rules, self.first_seat = game.board, game.rules, game.first_seat
        self.seats = n
        self.settlements: list[set[int]] = [set() for _ in range(n)]
        self.cities: list[set[int]] = [set() for _ in range(n)]
        self.roads: list[set[int]] = [set() for _ in range(n)]
        self.robber = self.board.robber_start
        self.bank = [19] * 5
        self.hands = [[0] * 5 for _ in range(n)]
        self.known = [[0] * 5 for _ in range(n)]
        self.deck = [14, 2, 2, 2, 5] if self.rules.development_cards else [0] * 5
        self.cards = [[0] * 5 for _ in range(n)]
        self.bought = [0] * 5
        self.played = [[0] * 4 for _ in range(n)]
        self.longest_road: int | None = None
        self.largest_army: int | None = None
        self.winner: int | None = None
        self.phase = Phase.PLACE_SETTLEMENT
        self.after: Phase | None = None  # after the robber or the free roads
        self.turn_seat = self.seat = self.first_seat
        self.turn = self.roll = self.free_roads = self.offers = 0
        self.card_played = False
        self.owed = [0] * n
        self.offer: Any = None
        self.placed: list[int] = []

    # Consequences of the pieces.

    def owner(self, vertex: int) -> int | None:
        """The owner of the building at a vertex."""
        for seat in range(self.seats):
            if vertex in self.settlements[seat] or vertex in self.cities[seat]:
                return seat
        return None

    @property
    def buildings(self) -> list[set[int]]:
        """The vertices with a building of each seat."""
        return [self.settlements[seat] | self.cities[seat] for seat in range(self.seats)]

    def is_land(self, tiles: Iterable[int]) -> bool:
        """True if one of the tiles is land."""
        return any(self.board.tiles[tile].terrain != Terrain.SEA for tile in tiles)

    def is_free(self, edge: int) -> bool:
        return self.is_land(EDGE_TILES[edge]) and all(edge not in roads for roads in self.roads)

    def keeps_distance(self, vertex: int) -> bool:
        """True if neither the vertex, which is on land, nor a neighbour has a building."""
        return self.is_land(VERTEX_TILES[vertex]) and all(
            self.owner(v) is None for v in (vertex, *VERTEX_NEIGHBOURS[vertex])
        )

    def has_road_at(self, seat: int, vertex: int) -> bool:
        return any(edge in self.roads[seat] for edge in VERTEX_EDGES[vertex])

    def can_lay(self, seat: int, edge: int) -> bool:
        """A free edge at a building or road of the seat, but not past another seat's building."""
        return self.is_free(edge) and any(
            self.owner(v) == seat or (self.owner(v) is None and self.has_road_at(seat, v))
            for v in EDGE_VERTICES[edge]
        )

    def can_lay_any(self, seat: int) -> bool:
        return len(self.roads[seat]) < STOCK["roads"] and any(
            self.can_lay(seat, edge) for edge in range(72)
        )

    def road_length(self, seat: int) -> int:
        others = set().union(*self.buildings[:seat], *self.buildings[seat + 1 :])
        return longest_trail(frozenset(self.roads[seat]), frozenset(others))

    def rate(self, seat: int, resource: int) -> int:
        """The best rate for trading with the bank."""
        if not self.rules.bank_trade:
            return 100
        rates, built = [4], self.settlements[seat] | self.cities[seat]
        for harbour in self.board.harbours:
            if harbour.resource in (None, resource) and not built.isdisjoint(harbour.vertices):
                rates.append(harbour.rate)
        return min(rates)

    def points(self, seat: int, hidden: bool = True) -> int:
        points = len(self.settlements[seat]) + 2 * len(self.cities[seat])
        points += 2 * (self.longest_road == seat) + 2 * (self.largest_army == seat)
        return points + self.cards[seat][VICTORY_POINT] * hidden

    def victims(self, seat: int, tile: int) -> set[int]:
        """The other seats with a building at the tile."""
        return {self.owner(v) for v in TILE_VERTICES[tile]} - {None, seat}

    def is_protected(self, seat: int, tile: int) -> bool:
        """True if a friendly robber keeps away from the tile while `seat` moves it."""
        return self.rules.friendly_robber and any(
            self.points(victim, hidden=False) < 3 for victim in self.victims(seat, tile)
        )

    # Cards changing hands.

    def gain(self, seat: int, resource: int, n: int) -> None:
        self.hands[seat][resource] += n
        self.known[seat][resource] += n

    def lose(self, seat: int, resource: int, n: int) -> None:
        self.hands[seat][resource] -= n
        self.known[seat][resource] = max(0, self.known[seat][resource] - n)

    def stock(self, resource: int) -> int:
        """The cards that the bank can give; an endless one until all hands hold 127 (C227)."""
        if self.rules.endless_bank:
            return 127 - sum(sum(hand) for hand in self.hands)
        return self.bank[resource]

    def draw(self, seat: int, resource: int, n: int) -> None:
        self.bank[resource] -= n
        self.gain(seat, resource, n)

    def pay(self, seat: int, price: dict[Resource, int]) -> None:
        for resource, n in price.items():
            self.bank[resource] += n
            self.lose(seat, resource, n)

    def can_pay(self, seat: int, price: dict[Resource, int]) -> bool:
        return all(self.hands[seat][resource] >= n for resource, n in price.items())

    # Effects of actions.

    def play(self, event: Event) -> None:
        """Apply an event."""
        getattr(self, f"_{event.action.kind.name.lower()}")(event, *event.action.args)
        if self.rules.win_at_once and self.turn > 0:
            self._look_for_winner()

    def _look_for_winner(self) -> bool:
        if self.points(self.turn_seat) >= self.rules.points_to_win:
            self.winner, self.phase, self.seat = self.turn_seat, Phase.OVER, self.turn_seat
        return self.winner is not None

    def _roll(self, event: Event) -> None:
        self.roll = sum(event.outcome)
        if self.roll == 7 and self.rules.robber_moves:
            sizes = [sum(hand) for hand in self.hands]
            self.owed = [n // 2 if n > self.rules.hand_limit else 0 for n in sizes]
            self.after = Phase.MAIN
            self._go_on_discarding()
            return
        self.phase = Phase.MAIN
        for resource in Resource:
            due = [self._due(seat, resource) for seat in range(self.seats)]
            owed = [seat for seat in range(self.seats) if due[seat]]
            if sum(due) <= self.stock(resource):
                for seat in owed:
                    self.draw(seat, resource, due[seat])
            elif len(owed) == 1:
                self.draw(owed[0], resource, self.stock(resource))

    def _due(self, seat: int, resource: int) -> int:
        return sum(
            (v in self.settlements[seat]) + 2 * (v in self.cities[seat])
            for t, tile in enumerate(self.board.tiles)
            if tile.token == self.roll and tile.terrain == resource and t != self.robber
            for v in TILE_VERTICES[t]
        )

    def _go_on_discarding(self) -> None:
        for k in range(self.seats):
            seat = (self.turn_seat + k) % self.seats
            if self.owed[seat]:
                self.phase, self.seat = Phase.DISCARD, seat
                return
        self.phase, self.seat = Phase.ROBBER, self.turn_seat

    def _discard(self, event: Event, resource: Resource) -> None:
        self.pay(event.seat, {resource: 1})
        self.owed[event.seat] -= 1
        self._go_on_discarding()

    def _move_robber(self, event: Event, tile: int, victim: int | None) -> None:
        self.robber = tile
        self.phase = self.after
        if event.outcome is None:
            return
        loser = (event.seat + victim) % self.seats
        size = sum(self.hands[loser])
        for resource in Resource:
            self.known[event.seat][resource] += self.known[loser][resource] == size
            self.known[loser][resource] = max(0, self.known[loser][resource] - 1)
        self.hands[loser][event.outcome] -= 1
        self.hands[event.seat][event.outcome] += 1

    def _settlement(self, event: Event, vertex: int) -> None:
        seat = event.seat
        self.settlements[seat].add(vertex)
        if self.phase == Phase.PLACE_SETTLEMENT:
            if len(self.settlements[seat]) == 2:
                for tile in VERTEX_TILES[vertex]:
                    if self.board.tiles[tile].terrain < 5:
                        self.draw(seat, self.board.tiles[tile].terrain, 1)
            self.placed.append(vertex)
            self.phase = Phase.PLACE_ROAD
        else:
            self.pay(seat, SETTLEMENT)
        self._award_longest_road()

    def _city(self, event: Event, vertex: int) -> None:
        self.pay(event.seat, CITY)
        self.settlements[event.seat].remove(vertex)
        self.cities[event.seat].add(vertex)

    def _road(self, event: Event, edge: int) -> None:
        seat = event.seat
        self.roads[seat].add(edge)
        self._award_longest_road()
        if self.phase == Phase.PLACE_ROAD:
            self._go_on_placing()
        elif self.free_roads:
            self.free_roads -= 1
            if self.phase == Phase.FREE_ROAD and not (self.free_roads and self.can_lay_any(seat)):
                self.free_roads, self.phase = 0, self.after
        else:
            self.pay(seat, ROAD)

    def _go_on_placing(self) -> None:
        there = [(self.first_seat + k) % self.seats for k in range(self.seats)]
        order = there + there[::-1]
        if len(self.placed) < len(order):
            self.phase = Phase.PLACE_SETTLEMENT
            self.seat = self.turn_seat = order[len(self.placed)]
        else:
            self.phase, self.turn = Phase.ROLL, 1
            self.seat = self.turn_seat = self.first_seat

    def _award_longest_road(self) -> None:
        lengths = [self.road_length(seat) for seat in range(self.seats)]
        longest = max(lengths)
        owners = [seat for seat in range(self.seats) if lengths[seat] == longest]
        if longest < 5 or not self.rules.awards:
            self.longest_road = None
        elif self.longest_road not in owners:
            self.longest_road = owners[0] if len(owners) == 1 else None

    def _buy_development_card(self, event: Event) -> None:
        self.pay(event.seat, CARD)
        self.deck[event.outcome] -= 1
        self.cards[event.seat][event.outcome] += 1
        self.bought[event.outcome] += 1

    def _put_down(self, seat: int, card: DevelopmentCard) -> None:
        self.cards[seat][card] -= 1
        self.played[seat][card] += 1
        self.card_played = True

    def _play_knight(self, event: Event) -> None:
        self._put_down(event.seat, KNIGHT)
        army = self.played[event.seat][KNIGHT]
        others = [self.played[s][KNIGHT] for s in range(self.seats) if s != event.seat]
        if army >= 3 and army > max(others) and self.rules.awards:
            self.largest_army = event.seat
        self.after, self.phase = self.phase, Phase.ROBBER

    def _play_road_building(self, event: Event) -> None:
        self._put_down(event.seat, ROAD_BUILDING)
        self.free_roads = min(2, STOCK["roads"] - len(self.roads[event.seat]))
        if self.rules.free_roads_at_once:
            self.after, self.phase = self.phase, Phase.FREE_ROAD

    def _play_year_of_plenty(self, event: Event, a: Resource, b: Resource) -> None:
        self._put_down(event.seat, YEAR_OF_PLENTY)
        for resource in (a, b):
            if self.stock(resource):
                self.draw(event.seat, resource, 1)

    def _play_monopoly(self, event: Event, resource: Resource) -> None:
        self._put_down(event.seat, MONOPOLY)
        for seat in set(range(self.seats)) - {event.seat}:
            n = self.hands[seat][resource]
            assert event.outcome[seat] == n
            self.lose(seat, resource, n)
            self.gain(event.seat, resource, n)

    def _bank_trade(self, event: Event, give: Resource, get: Resource, rate: int | None) -> None:
        self.pay(event.seat, {give: rate or self.rate(event.seat, give)})
        self.draw(event.seat, get, 1)

    def _offer(self, event: Event, to: int, give: Any, get: Any) -> None:
        self.seat = (event.seat + to) % self.seats
        self.offer = (event.seat, self.seat, give, get)
        self.offers += 1
        self.phase = Phase.ANSWER

    def _accept(self, event: Event) -> None:
        asker, asked, give, get = self.offer
        for resource in Resource:
            for giver, taker, n in (asker, asked, give[resource]), (asked, asker, get[resource]):
                self.lose(giver, resource, n)
                self.gain(taker, resource, n)
        self._reject(event)

    def _reject(self, _: Event) -> None:
        self.offer, self.seat, self.phase = None, self.turn_seat, Phase.MAIN

    def _end_turn(self, _: Event) -> None:
        if not self.rules.win_at_once and self._look_for_winner():
            return
        self.bought, self.card_played = [0] * 5, False
        self.free_roads = self.offers = self.roll = 0
        self.turn += 1
        self.turn_seat = self.seat = (self.turn_seat + 1) % self.seats
        self.phase = Phase.ROLL

    # Comparison with a game.

    def written_down(self) -> dict[str, Any]:
        """The state, by the names of the attributes of Game."""
        return {
            "phase": self.phase,
            "seat": self.seat,
            "turn_seat": self.turn_seat,
            "turn": self.turn,
            "roll": self.roll,
            "robber": self.robber,
            "bank": tuple(max(n, 0) for n in self.bank),
            "deck_size": sum(self.deck),
            "free_roads": self.free_roads,
            "card_played": self.card_played,
            "offer": self.offer,
            "winner": self.winner,
            "longest_road_seat": self.longest_road,
            "largest_army_seat": self.largest_army,
        } | {
            f"{name}({seat})": value
            for seat in range(self.seats)
            for name, value in self._of_seat(seat).items()
        }

    def _of_seat(self, seat: int) -> dict[str, Any]:
        built = self.roads[seat], self.settlements[seat], self.cities[seat]
        return {
            "settlements": tuple(sorted(self.settlements[seat])),
            "cities": tuple(sorted(self.cities[seat])),
            "roads": tuple(sorted(self.roads[seat])),
            "pieces": tuple(n - len(on) for n, on in zip(STOCK.values(), built, strict=True)),
            "hand": tuple(self.hands[seat]),
            "known": tuple(self.known[seat]),
            "hand_size": sum(self.hands[seat]),
            "cards": tuple(self.cards[seat]),
            "new_cards": tuple(self.bought) if seat == self.turn_seat else (0,) * 5,
            "card_count": sum(self.cards[seat]),
            "played": tuple(self.played[seat]),
            "knights": self.played[seat][KNIGHT],
            "trade_rates": tuple(self.rate(seat, resource) for resource in Resource),
            "road_length": self.road_length(seat),
            "points": self.points(seat),
            "owes": self.owed[seat],
        }


def expected_by(game: Game, names: Iterable[str]) -> dict[str, Any]:
    """The same of a game, by the names of `Book.written_down`."""
    values = {}
    for name in names:
        asked, _, seat = name.partition("(")
        value = getattr(game, asked)
        values[name] = value(int(seat[:-1])) if seat else value
    return values
