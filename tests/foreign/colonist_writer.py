"""A writer of Colonist's replay JSON, made from descriptions of the format, not from the reader."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Any

from catan_env import ActionKind, DevelopmentCard, Event, Game, Resource, Terrain
from catan_env.game import geometry
from tests.foreign.games import shuffled_numbers

CARD = {"LUMBER": 1, "BRICK": 2, "WOOL": 3, "GRAIN": 4, "ORE": 5}
TILE = {"FOREST": 1, "HILLS": 2, "PASTURE": 3, "FIELDS": 4, "MOUNTAINS": 5, "DESERT": 0}
DEVELOPMENT = {
    "KNIGHT": 11, "VICTORY_POINT": 12, "MONOPOLY": 13, "ROAD_BUILDING": 14, "YEAR_OF_PLENTY": 15,
}  # fmt: skip
COLORS = (5, 1, 3, 2)

Lines = list[dict[str, Any]]
"""Lines of the site's log, each with its `type`."""


def spread(counts: Any) -> list[int]:
    """Five counts as a list of card numbers."""
    return [CARD[card.name] for card in Resource for _ in range(counts[card])]


def developments(counts: Any) -> list[int]:
    """Counts of development cards as a list of card numbers."""
    return [DEVELOPMENT[card.name] for card in DevelopmentCard for _ in range(counts[card])]


@dataclass
class Step:
    """Events that the site says together, after they were played."""

    events: list[Event]
    outcome: Any
    """That of the last event."""
    hand: tuple[int, ...]
    """The hand of the first event's seat before them."""
    moved: list[int]
    """Seats with other cards than before."""
    change: dict[str, Any]
    """The site's `stateChange`."""

    @property
    def first(self) -> Event:
        return self.events[0]

    @property
    def color(self) -> int:
        """The colour of the seat that acts."""
        return COLORS[self.first.seat]


class Writer:
    """Writes one game; `chance` numbers the places."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        chance = Random(seed)
        self.done = game
        self.game = Game(game.seats, seed=0, rules=game.rules, board=game.board)
        self.hexes = shuffled_numbers(19, chance)
        self.corners = shuffled_numbers(54, chance)
        self.edges = shuffled_numbers(72, chance)
        self.lines = 0
        self.events: list[dict[str, Any]] = []

    def replay(self) -> dict[str, Any]:
        """The whole file."""
        initial = {"mapState": self.map(), "mechanicRobberState": self.robber(), "gameLogState": {}}
        self.note([{"type": 44}], {})
        for events in grouped(self.done.events):
            self.write(events)
        order = list(COLORS[: self.game.seats])
        rules = self.game.rules
        return {
            "data": {
                "eventHistory": {
                    "events": self.events,
                    "initialState": initial,
                    "endGameState": {"players": self.standings(), "totalTurnCount": self.game.turn},
                },
                "playerUserStates": [
                    {"selectedColor": color, "username": f"player {color}", "isBot": False}
                    for color in reversed(order)
                ],
                "playOrder": order,
                "gameDetails": {"isRanked": False},
                "gameSettings": {
                    "extensionSetting": 0, "scenarioSetting": 0, "mapSetting": 0,
                    "victoryPointsToWin": rules.points_to_win,
                    "cardDiscardLimit": rules.hand_limit, "friendlyRobber": rules.friendly_robber,
                },
            }
        }  # fmt: skip

    def map(self) -> dict[str, Any]:
        """The map: a corner is the north or south one of a hex, an edge one of three sides."""
        board = self.game.board
        side = {"NW": 0, "W": 1}
        edges = [
            (q + 1, r - 1, 2) if s == "NE" else (q, r, side[s]) for q, r, s in geometry.EDGE_NAMES
        ]
        tiles = {
            str(self.hexes[k]): {
                "x": q, "y": r, "type": TILE[Terrain(board.tiles[k].terrain).name],
                "diceNumber": board.tiles[k].token,
            }
            for k, (q, r) in enumerate(geometry.TILE_COORDS)
        }  # fmt: skip
        ports = {}
        for k, harbour in enumerate(board.harbours):
            x, y, z = edges[geometry.EDGE_VERTICES.index(harbour.vertices)]
            kind = 1 if harbour.resource is None else CARD[harbour.resource.name] + 1
            ports[str(k)] = {"x": x, "y": y, "z": z, "type": kind}
        return {
            "tileHexStates": tiles,
            "tileCornerStates": {
                str(self.corners[k]): {"x": q, "y": r, "z": "NS".index(side)}
                for k, (q, r, side) in enumerate(geometry.VERTEX_NAMES)
            },
            "tileEdgeStates": {
                str(self.edges[k]): {"x": x, "y": y, "z": z} for k, (x, y, z) in enumerate(edges)
            },
            "portEdgeStates": ports,
        }

    def robber(self) -> dict[str, Any]:
        return {"locationTileIndex": self.hexes[self.game.robber], "isActive": True}

    def note(self, texts: list[dict[str, Any]], change: dict[str, Any]) -> None:
        """Add an event with these lines of the log."""
        log = {}
        for text in texts:
            log[str(self.lines)] = {"text": text, "from": text.get("playerColor")}
            self.lines += 1
        full = {**change, **({"gameLogState": log} if log else {})}
        self.events.append({"input": {"deltaS": 1.5}, "stateChange": full})

    def write(self, events: list[Event]) -> None:
        """Add what the site would say of these events, which belong together."""
        step = self.played(events)
        kind = step.first.action.kind
        if kind == ActionKind.MOVE_ROBBER:
            self.write_robber(step)
        else:
            texts = LINES[kind](self, step)
            self.note(texts, step.change)

    def played(self, events: list[Event]) -> Step:
        """Play the events; the step has the cards that they moved."""
        game = self.game
        hands = [game.hand(seat) for seat in range(game.seats)]
        bank = game.bank
        outcomes = [game.play(event.action, event.outcome).outcome for event in events]
        moved = [seat for seat in range(game.seats) if game.hand(seat) != hands[seat]]
        change: dict[str, Any] = {}
        if moved:
            change["playerStates"] = {
                str(COLORS[seat]): {"resourceCards": {"cards": spread(game.hand(seat))[::-1]}}
                for seat in moved
            }
        if game.bank != bank:
            counts = {str(CARD[c.name]): game.bank[c] for c in Resource if game.bank[c] != bank[c]}
            change["bankState"] = {"resourceCards": counts}
        return Step(events, outcomes[-1], hands[events[0].seat], moved, change)

    def roll(self, step: Step) -> Lines:
        a, b = step.first.outcome
        step.change["diceState"] = {"dice1": a, "dice2": b, "diceThrown": True}
        gains = [
            {
                "type": 47, "playerColor": COLORS[seat], "cardsToBroadcast": [],
                "distributionType": 1,
            }
            for seat in step.moved
        ]  # fmt: skip
        return [{"type": 10, "playerColor": step.color, "firstDice": a, "secondDice": b}, *gains]

    def end_turn(self, step: Step) -> Lines:
        turn = {"currentTurnPlayerColor": COLORS[self.game.turn_seat]}
        step.change.update(currentState=turn, diceState={"diceThrown": False})
        return [{"type": 44}]

    def piece(self, step: Step) -> Lines:
        (place,), kind = step.first.action.args, step.first.action.kind
        is_free = self.game.hand(step.first.seat) == step.hand or self.game.turn == 0
        text = {"type": 4 if is_free else 5, "playerColor": step.color}
        if kind == ActionKind.ROAD:
            roads = {str(self.edges[place]): {"owner": step.color, "type": 1}}
            step.change["mapState"] = {"tileEdgeStates": roads}
            return [{**text, "pieceEnum": 0, "isVp": False}]
        is_city = kind == ActionKind.CITY
        new = {"buildingType": 2} if is_city else {"owner": step.color, "buildingType": 1}
        step.change["mapState"] = {"tileCornerStates": {str(self.corners[place]): new}}
        return [{**text, "pieceEnum": 3 if is_city else 2, "isVp": True}]

    def purchase(self, step: Step) -> Lines:
        game, seat = self.game, step.first.seat
        cards = {
            "developmentCards": {"cards": developments(game.cards(seat))},
            "developmentCardsBoughtThisTurn": developments(game.new_cards(seat)),
        }
        step.change["mechanicDevelopmentCardsState"] = {
            "players": {str(step.color): cards},
            "bankDevelopmentCards": {"cards": [10] * game.deck_size},
        }
        return [{"type": 1, "playerColor": step.color}]

    def played_card(self, step: Step) -> Lines:
        card = step.first.action.kind.name.removeprefix("PLAY_")
        return [{"type": 20, "playerColor": step.color, "cardEnum": DEVELOPMENT[card]}]

    def monopoly(self, step: Step) -> Lines:
        """The card is an event of its own."""
        self.note(self.played_card(step), {})
        card = CARD[Resource(step.first.action.args[0]).name]
        taken = sum(step.outcome)
        return [{"type": 86, "playerColor": step.color, "cardEnum": card, "amountStolen": taken}]

    def year_of_plenty(self, step: Step) -> Lines:
        taken = [CARD[Resource(card).name] for card in step.first.action.args]
        gain = {"type": 21, "playerColor": step.color, "cardEnums": taken[::-1]}
        return [*self.played_card(step), gain]

    def discard(self, step: Step) -> Lines:
        cards = [CARD[Resource(event.action.args[0]).name] for event in step.events]
        line = {"type": 55, "playerColor": step.color, "cardEnums": cards}
        return [{**line, "areResourceCards": True}]

    def bank_trade(self, step: Step) -> Lines:
        left = self.game.hand(step.first.seat)
        given = [max(0, a - b) for a, b in zip(step.hand, left, strict=True)]
        received = [CARD[Resource(step.first.action.args[1]).name]]
        line = {"type": 116, "playerColor": step.color, "givenCardEnums": spread(given)}
        return [{**line, "receivedCardEnums": received}]

    def offer(self, step: Step) -> Lines:
        """An offer that is accepted is an event of its own, before the trade."""
        to, give, get = step.first.action.args
        given, wanted = spread(give), spread(get)
        line = {"type": 118, "playerColor": step.color, "offeredCardEnums": given}
        texts = [{**line, "wantedCardEnums": wanted}]
        if step.events[-1].action.kind != ActionKind.ACCEPT:
            step.change["tradeState"] = {"activeOffers": {"a": None}}
            return texts
        self.note(texts, {"tradeState": {"activeOffers": {"a": {"creator": step.color}}}})
        other = COLORS[(step.first.seat + to) % self.game.seats]
        return [self.trade(step.color, other, given, wanted)]

    def trade(self, color: int, other: int, give: list[int], get: list[int]) -> dict[str, Any]:
        """The line of a trade; half of them were counter-offers, made by the other player."""
        if self.lines % 2:
            color, other, give, get = other, color, get, give
        return {
            "type": 115, "playerColor": color, "acceptingPlayerColor": other,
            "givenCardEnums": give, "receivedCardEnums": get,
        }  # fmt: skip

    def write_robber(self, step: Step) -> None:
        """Two events, or one if there is nothing to choose."""
        game, event, color = self.game, step.first, step.color
        terrain, token = game.board.tiles[game.robber]
        kind = TILE[Terrain(terrain).name]
        info = {"tileType": kind, "diceNumber": token, "resourceType": kind}
        line = {"type": 11, "playerColor": color, "pieceEnum": 5, "tileInfo": info}
        if event.outcome is None:
            self.note(
                [line, {"type": 74, "playerColor": color}], {"mechanicRobberState": self.robber()}
            )
            return
        victim = COLORS[event.victim(game.seats) or 0]
        card = [CARD[Resource(event.outcome).name]]
        theft = [
            {"type": 14, "playerColor": victim, "cardEnums": card},
            {"type": 15, "playerColor": color, "cardEnums": card},
        ]
        if game.seats > 2:
            public = {"playerColorThief": color, "playerColorVictim": victim, "cardBacks": [0]}
            theft.append({"type": 16, **public})
        if self.lines % 2:
            self.note([line, *theft], {**step.change, "mechanicRobberState": self.robber()})
        else:
            self.note([line], {"mechanicRobberState": self.robber()})
            self.note(theft, step.change)

    def standings(self) -> dict[str, Any]:
        """The end of the game by colour."""
        game, found = self.game, {}
        for seat in range(game.seats):
            points = {
                "0": len(game.settlements(seat)),
                "1": len(game.cities(seat)),
                "2": game.cards(seat)[DevelopmentCard.VICTORY_POINT],
            }
            if game.largest_army_seat == seat:
                points["3"] = 1
            if game.longest_road_seat == seat:
                points["4"] = 1
            found[str(COLORS[seat])] = {
                "color": COLORS[seat], "victoryPoints": points,
                "winningPlayer": game.winner == seat,
            }  # fmt: skip
        return found


LINES: dict[ActionKind, Callable[[Writer, Step], Lines]] = {
    ActionKind.ROLL: Writer.roll,
    ActionKind.END_TURN: Writer.end_turn,
    ActionKind.SETTLEMENT: Writer.piece,
    ActionKind.CITY: Writer.piece,
    ActionKind.ROAD: Writer.piece,
    ActionKind.BUY_DEVELOPMENT_CARD: Writer.purchase,
    ActionKind.PLAY_KNIGHT: Writer.played_card,
    ActionKind.PLAY_ROAD_BUILDING: Writer.played_card,
    ActionKind.PLAY_MONOPOLY: Writer.monopoly,
    ActionKind.PLAY_YEAR_OF_PLENTY: Writer.year_of_plenty,
    ActionKind.DISCARD: Writer.discard,
    ActionKind.BANK_TRADE: Writer.bank_trade,
    ActionKind.OFFER: Writer.offer,
}
"""The lines of the log for an action; a method may add to the change, or an event before."""


def grouped(events: tuple[Event, ...]) -> Iterator[list[Event]]:
    """The events that the site says together: a seat's discards, an offer and its answers."""

    def key(item: tuple[int, Event]) -> Any:
        k, event = item
        if event.action.kind == ActionKind.DISCARD:
            return ("discard", event.seat)
        if event.action.kind in (ActionKind.ACCEPT, ActionKind.REJECT):
            return offers[-1]
        if event.action.kind == ActionKind.OFFER:
            offers.append(k)
        return k

    offers: list[int] = []
    for _, group in groupby(enumerate(events), key):
        yield [event for _, event in group]
