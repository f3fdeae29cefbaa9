"""A simple hand-written policy that builds where the pips are, whenever it can.

Each turn it picks the next building that it could pay for (a city, a settlement, the road to a
place for one, a development card) and trades for that alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain

from catan_env import Action, ActionKind, Board, Phase, Resource, SeatView, geometry
from catan_env.core.constants import CARD_PRICE as CARD
from catan_env.core.constants import CITY_PRICE as CITY
from catan_env.core.constants import ROAD_PRICE as ROAD
from catan_env.core.constants import SETTLEMENT_PRICE as SETTLEMENT

Counts = tuple[int, ...]
"""A number per Resource."""


PIP_VALUES = (1.0, 1.1, 1.0, 1.1, 0.8)
"""The value of a pip of each resource."""
NEW_KIND = 1.5
"""The extra value of a resource's first pip."""
HARBOUR = 1.0
"""The value of a harbour, in pips."""
NEAR_WIN = 2
"""Public points short of a win from which a seat gets no trade."""
FIRST_OFFER = Action.offer(1, Resource.BRICK, Resource.GRAIN).index or 0


class Builder:
    """Builds the best piece it can; it makes no random choices, so the seed has no effect.

    >>> from catan_env import Game
    >>> Builder().act(Game(seed=7).view(0)) in range(52, 106)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, view: SeatView) -> int:
        """The flat index of a legal action."""
        indices = view.legal_actions.indices
        if len(indices) == 1:
            return int(indices[0])
        index = DECISIONS[view.phase](Look(view)).index
        assert index is not None
        return index


class Look:
    """A view prepared for the decisions below, with its legal actions sorted by kind."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.seat = view.viewer
        self.hand = view.hand(self.seat)
        self.others = [seat for seat in range(view.seats) if seat != self.seat]
        self.pips = pips_at(view.board)
        self.may: dict[ActionKind, list[Action]] = defaultdict(list)
        indices = view.legal_actions.indices
        for index in indices[indices < FIRST_OFFER].tolist():
            action = Action.from_index(index)
            self.may[action.kind].append(action)
        self.may_offer = bool(indices[-1] >= FIRST_OFFER)

    def one(self, kind: ActionKind) -> Action | None:
        """The first legal action of a kind."""
        return self.may[kind][0] if self.may[kind] else None

    def income(self) -> Counts:
        """The pips of the seat's buildings, by resource."""
        view, seat = self.view, self.seat
        built = chain(view.settlements(seat), view.cities(seat), view.cities(seat))
        return total(self.pips[vertex] for vertex in built)

    def vertex_score(self, vertex: int) -> float:
        """The score of a settlement at the vertex, in pips."""
        income = self.income()
        score = HARBOUR if any(vertex in h.vertices for h in self.view.board.harbours) else 0.0
        for resource, pips in enumerate(self.pips[vertex]):
            score += PIP_VALUES[resource] * pips
            if pips and not income[resource]:
                score += NEW_KIND
        return score

    def blocked(self) -> set[int]:
        """The vertices with a building on them or next to them."""
        view = self.view
        built = {v for s in range(view.seats) for v in (*view.settlements(s), *view.cities(s))}
        return built.union(*(geometry.VERTEX_NEIGHBOURS[vertex] for vertex in built))

    def touched(self) -> set[int]:
        """The vertices that the seat's roads touch."""
        return {v for edge in self.view.roads(self.seat) for v in geometry.EDGE_VERTICES[edge]}

    def spots(self) -> set[int]:
        """The vertices where a settlement could be built now."""
        return self.touched() - self.blocked()

    def road_score(self, edge: int) -> float:
        """The best settlement score that a road leads to: at its end, or half of one beyond."""
        touched, blocked = self.touched(), self.blocked()
        best = 0.0
        for end in geometry.EDGE_VERTICES[edge]:
            if end not in touched and end not in blocked:
                best = max(best, self.vertex_score(end))
            for beyond in geometry.VERTEX_NEIGHBOURS[end]:
                if beyond not in touched and beyond not in blocked:
                    best = max(best, self.vertex_score(beyond) / 2)
        return best

    def goals(self) -> list[Counts]:
        """The costs to save for, the closest to affordable first."""
        view, seat = self.view, self.seat
        roads, settlements, cities = view.pieces(seat)
        wanted = []
        spots = self.spots()
        if cities and view.settlements(seat):
            wanted.append(CITY)
        if settlements and spots:
            wanted.append(SETTLEMENT)
        if settlements and roads and not spots:
            wanted.append(ROAD)
        if view.deck_size:
            wanted.append(CARD)
        return sorted(wanted, key=lambda cost: sum(missing(cost, self.hand)) - sum(cost))


def place_settlement(look: Look) -> Action:
    """The vertex with the highest score."""
    return max(
        look.may[ActionKind.SETTLEMENT], key=lambda action: look.vertex_score(action.args[0])
    )


def lay_road(look: Look) -> Action:
    """The road with the highest score."""
    return max(look.may[ActionKind.ROAD], key=lambda action: look.road_score(action.args[0]))


def roll(look: Look) -> Action:
    """Roll, after a knight if the robber is on one of the seat's tiles."""
    knight = look.one(ActionKind.PLAY_KNIGHT)
    corners = geometry.TILE_VERTICES[look.view.robber]
    built = {*look.view.settlements(look.seat), *look.view.cities(look.seat)}
    if knight and built.intersection(corners):
        return knight
    return Action.roll()


def discard(look: Look) -> Action:
    """The card with the largest surplus."""
    goals = look.goals()
    cost = goals[0] if goals else CARD

    def spare(action: Action) -> int:
        resource: int = action.args[0]
        return look.hand[resource] - cost[resource]

    return max(look.may[ActionKind.DISCARD], key=spare)


def move_robber(look: Look) -> Action:
    """The move that harms the others most, the leader above all, and robs a seat with cards."""
    view = look.view

    def harm(seat: int, tile: int) -> int:
        corners = geometry.TILE_VERTICES[tile]
        settlements, cities = view.settlements(seat), view.cities(seat)
        weight = sum((v in settlements) + 2 * (v in cities) for v in corners)
        return weight * view.board.tiles[tile].pips

    def gain(action: Action) -> float:
        tile, victim = action.args
        score = -20.0 * harm(look.seat, tile)
        score += sum(harm(seat, tile) * view.points(seat, hidden=False) for seat in look.others)
        if victim is not None:
            robbed = (look.seat + victim) % view.seats
            score += view.points(robbed, hidden=False) + min(view.hand_size(robbed), 5)
        return score

    return max(look.may[ActionKind.MOVE_ROBBER], key=gain)


def answer(look: Look) -> Action:
    """Accept an offer that brings the next building closer, unless its seat is about to win."""
    offer, goals = look.view.offer, look.goals()
    assert offer is not None
    if not look.may[ActionKind.ACCEPT] or not goals or is_dangerous(look, offer.seat):
        return Action.reject()
    pairs = zip(look.hand, offer.give, offer.get, strict=True)
    after = tuple(held + gained - given for held, gained, given in pairs)
    is_nearer = sum(missing(goals[0], after)) < sum(missing(goals[0], look.hand))
    return Action.accept() if is_nearer and sum(after) >= sum(look.hand) - 1 else Action.reject()


def main(look: Look) -> Action:
    """Build, play a card, trade towards a building, buy, or end the turn; in that order."""
    for choose in (build, play_card, trade_with_bank, offer, spend):
        action = choose(look)
        if action is not None:
            return action
    return Action.end_turn()


def build(look: Look) -> Action | None:
    """A city at the most productive place, a settlement, or a free road."""
    if look.may[ActionKind.CITY]:
        return max(look.may[ActionKind.CITY], key=lambda city: sum(look.pips[city.args[0]]))
    if look.may[ActionKind.SETTLEMENT]:
        return place_settlement(look)
    return lay_road(look) if look.view.free_roads and look.may[ActionKind.ROAD] else None


def play_card(look: Look) -> Action | None:
    """A development card that helps immediately."""
    goals = look.goals()
    needs = missing(goals[0], look.hand) if goals else ()
    for action in look.may[ActionKind.PLAY_YEAR_OF_PLENTY]:
        if 0 < sum(needs) <= 2 and all(n <= action.args.count(r) for r, n in enumerate(needs)):
            return action
    for action in look.may[ActionKind.PLAY_MONOPOLY]:
        if sum(look.view.known(seat)[action.args[0]] for seat in look.others) >= 3:
            return action
    roads = look.one(ActionKind.PLAY_ROAD_BUILDING) if look.view.pieces(look.seat)[0] else None
    return look.one(ActionKind.PLAY_KNIGHT) or roads


def trade_with_bank(look: Look) -> Action | None:
    """A trade towards a building that trades alone can pay for."""
    rates = look.view.trade_rates(look.seat)
    for cost in look.goals():
        needs, spare = missing(cost, look.hand), missing(look.hand, cost)
        bought = sum(n // rate for n, rate in zip(spare, rates, strict=True))
        if not 0 < sum(needs) <= bought:
            continue
        if cost in (ROAD, CARD) and sum(look.hand) <= look.view.rules.hand_limit:
            continue
        for action in look.may[ActionKind.BANK_TRADE]:
            give, get, _ = action.args
            if needs[get] and spare[give] >= rates[give]:
                return action
    return None


def offer(look: Look) -> Action | None:
    """One surplus card for the one card that a building lacks."""
    goals = look.goals()
    if not look.may_offer or not goals or sum(missing(goals[0], look.hand)) != 1:
        return None
    wanted = missing(goals[0], look.hand).index(1)
    spare = missing(look.hand, goals[0])
    given = max(range(5), key=lambda resource: spare[resource])
    if not spare[given] or given == wanted:
        return None
    for seat in look.others:
        if look.view.known(seat)[wanted] and not is_dangerous(look, seat):
            step = (seat - look.seat) % look.view.seats
            return Action.offer(step, Resource(given), Resource(wanted))
    return None


def spend(look: Look) -> Action | None:
    """A development card or a road, unless that delays a building that lacks only one card."""
    goals = [cost for cost in look.goals() if cost in (CITY, SETTLEMENT)]
    is_close = any(sum(missing(cost, look.hand)) <= 1 for cost in goals)
    if is_close and sum(look.hand) <= look.view.rules.hand_limit:
        return None
    roads = look.may[ActionKind.ROAD]
    if roads and not look.spots():
        road = lay_road(look)
        if look.road_score(road.args[0]) > 0:
            return road
    return look.one(ActionKind.BUY_DEVELOPMENT_CARD)


DECISIONS: dict[Phase, Callable[[Look], Action]] = {
    Phase.PLACE_SETTLEMENT: place_settlement,
    Phase.PLACE_ROAD: lay_road,
    Phase.ROLL: roll,
    Phase.DISCARD: discard,
    Phase.ROBBER: move_robber,
    Phase.FREE_ROAD: lay_road,
    Phase.MAIN: main,
    Phase.ANSWER: answer,
}


def missing(cost: Counts, hand: Counts) -> Counts:
    """The cards of `cost` that are not in `hand`."""
    return tuple(max(n - held, 0) for n, held in zip(cost, hand, strict=True))


def is_dangerous(look: Look, seat: int) -> bool:
    """True if that seat is about to win."""
    return look.view.points(seat, hidden=False) >= look.view.rules.points_to_win - NEAR_WIN


def total(counts: Iterable[Counts]) -> Counts:
    """The sums by resource."""
    return tuple(map(sum, zip((0, 0, 0, 0, 0), *counts, strict=True)))


@lru_cache(maxsize=64)
def pips_at(board: Board) -> tuple[Counts, ...]:
    """The pips of a settlement at each vertex, by resource."""
    counts = []
    for tiles in geometry.VERTEX_TILES:
        yields = [0] * 5
        for tile in (board.tiles[k] for k in tiles):
            if tile.terrain < 5:
                yields[tile.terrain] += tile.pips
        counts.append(tuple(yields))
    return tuple(counts)
