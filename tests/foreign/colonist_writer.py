"""A writer of Colonist's replay JSON, made from descriptions of the format, not from the reader."""

from collections.abc import Iterator
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


def spread(counts: Any) -> list[int]:
    """Five counts as a list of card numbers."""
    return [CARD[card.name] for card in Resource for _ in range(counts[card])]


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
        game, first = self.game, events[0]
        hands = [game.hand(seat) for seat in range(game.seats)]
        bank = game.bank
        for event in events:
            outcome = game.play(event.action, event.outcome).outcome
        who = COLORS[first.seat]
        change: dict[str, Any] = {}
        moved = [s for s in range(game.seats) if game.hand(s) != hands[s]]
        if moved:
            change["playerStates"] = {
                str(COLORS[seat]): {"resourceCards": {"cards": spread(game.hand(seat))[::-1]}}
                for seat in moved
            }
        if game.bank != bank:
            change["bankState"] = {
                "resourceCards": {
                    str(CARD[c.name]): game.bank[c] for c in Resource if game.bank[c] != bank[c]
                }
            }
        kind, args = first.action.kind, first.action.args
        texts: list[dict[str, Any]] = []
        if kind == ActionKind.ROLL:
            a, b = first.outcome
            texts = [{"type": 10, "playerColor": who, "firstDice": a, "secondDice": b}]
            change["diceState"] = {"dice1": a, "dice2": b, "diceThrown": True}
            texts += [
                {
                    "type": 47,
                    "playerColor": COLORS[s],
                    "cardsToBroadcast": [],
                    "distributionType": 1,
                }
                for s in moved
            ]
        elif kind == ActionKind.END_TURN:
            texts = [{"type": 44}]
            change["currentState"] = {"currentTurnPlayerColor": COLORS[game.turn_seat]}
            change["diceState"] = {"diceThrown": False}
        elif kind in (ActionKind.SETTLEMENT, ActionKind.CITY, ActionKind.ROAD):
            texts = [self.piece(first, who, change, hands[first.seat])]
        elif kind == ActionKind.BUY_DEVELOPMENT_CARD:
            texts = [{"type": 1, "playerColor": who}]
            owned = [
                DEVELOPMENT[card.name]
                for card in DevelopmentCard
                for _ in range(game.cards(first.seat)[card])
            ]
            change["mechanicDevelopmentCardsState"] = {
                "players": {
                    str(who): {
                        "developmentCards": {"cards": owned},
                        "developmentCardsBoughtThisTurn": [
                            DEVELOPMENT[card.name]
                            for card in DevelopmentCard
                            for _ in range(game.new_cards(first.seat)[card])
                        ],
                    }
                },
                "bankDevelopmentCards": {"cards": [10] * game.deck_size},
            }
        elif kind == ActionKind.PLAY_KNIGHT:
            texts = [{"type": 20, "playerColor": who, "cardEnum": 11}]
        elif kind == ActionKind.PLAY_ROAD_BUILDING:
            texts = [{"type": 20, "playerColor": who, "cardEnum": 14}]
        elif kind == ActionKind.PLAY_MONOPOLY:
            self.note([{"type": 20, "playerColor": who, "cardEnum": 13}], {})
            card = CARD[Resource(args[0]).name]
            texts = [
                {"type": 86, "playerColor": who, "cardEnum": card, "amountStolen": sum(outcome)}
            ]
        elif kind == ActionKind.PLAY_YEAR_OF_PLENTY:
            taken = [CARD[Resource(card).name] for card in args]
            texts = [
                {"type": 20, "playerColor": who, "cardEnum": 15},
                {"type": 21, "playerColor": who, "cardEnums": taken[::-1]},
            ]
        elif kind == ActionKind.DISCARD:
            cards = [CARD[Resource(event.action.args[0]).name] for event in events]
            texts = [{"type": 55, "playerColor": who, "cardEnums": cards, "areResourceCards": True}]
        elif kind == ActionKind.MOVE_ROBBER:
            self.write_robber(first, who, change, moved)
            return
        elif kind == ActionKind.BANK_TRADE:
            given = [a - b for a, b in zip(hands[first.seat], game.hand(first.seat), strict=True)]
            texts = [
                {
                    "type": 116, "playerColor": who,
                    "givenCardEnums": spread([max(0, n) for n in given]),
                    "receivedCardEnums": [CARD[Resource(args[1]).name]],
                }
            ]  # fmt: skip
        elif kind == ActionKind.OFFER:
            to, give, get = args
            texts = [
                {
                    "type": 118, "playerColor": who, "offeredCardEnums": spread(give),
                    "wantedCardEnums": spread(get),
                }
            ]  # fmt: skip
            if events[-1].action.kind == ActionKind.ACCEPT:
                other = COLORS[(first.seat + to) % game.seats]
                self.note(texts, {"tradeState": {"activeOffers": {"a": {"creator": who}}}})
                texts = [self.trade(who, other, spread(give), spread(get))]
            else:
                change["tradeState"] = {"activeOffers": {"a": None}}
        self.note(texts, change)

    def trade(self, who: int, other: int, give: list[int], get: list[int]) -> dict[str, Any]:
        """The line of a trade; half of them were counter-offers, made by the other player."""
        if self.lines % 2:
            who, other, give, get = other, who, get, give
        return {
            "type": 115, "playerColor": who, "acceptingPlayerColor": other,
            "givenCardEnums": give, "receivedCardEnums": get,
        }  # fmt: skip

    def piece(
        self, event: Event, who: int, change: dict[str, Any], hand: tuple[int, ...]
    ) -> dict[str, Any]:
        """The line of a piece; `change` gets its place."""
        (place,), kind = event.action.args, event.action.kind
        is_free = self.game.hand(event.seat) == hand or self.game.turn == 0
        text = {"type": 4 if is_free else 5, "playerColor": who}
        if kind == ActionKind.ROAD:
            roads = {str(self.edges[place]): {"owner": who, "type": 1}}
            change["mapState"] = {"tileEdgeStates": roads}
            return {**text, "pieceEnum": 0, "isVp": False}
        new = {"buildingType": 2} if kind == ActionKind.CITY else {"owner": who, "buildingType": 1}
        change["mapState"] = {"tileCornerStates": {str(self.corners[place]): new}}
        return {**text, "pieceEnum": 3 if kind == ActionKind.CITY else 2, "isVp": True}

    def write_robber(self, event: Event, who: int, change: dict[str, Any], moved: Any) -> None:
        """Two events, or one if there is nothing to choose."""
        game = self.game
        terrain, token = game.board.tiles[game.robber]
        kind = TILE[Terrain(terrain).name]
        info = {"tileType": kind, "diceNumber": token, "resourceType": kind}
        line = {"type": 11, "playerColor": who, "pieceEnum": 5, "tileInfo": info}
        if event.outcome is None:
            self.note(
                [line, {"type": 74, "playerColor": who}], {"mechanicRobberState": self.robber()}
            )
            return
        victim = COLORS[event.victim(game.seats) or 0]
        card = [CARD[Resource(event.outcome).name]]
        theft = [
            {"type": 14, "playerColor": victim, "cardEnums": card},
            {"type": 15, "playerColor": who, "cardEnums": card},
        ]
        if game.seats > 2:
            public = {"playerColorThief": who, "playerColorVictim": victim, "cardBacks": [0]}
            theft.append({"type": 16, **public})
        if self.lines % 2:
            self.note([line, *theft], {**change, "mechanicRobberState": self.robber()})
        else:
            self.note([line], {"mechanicRobberState": self.robber()})
            self.note(theft, change)

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
