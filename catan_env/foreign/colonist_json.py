"""Colonist's replay JSON as a game of ours.

A replay has the map, and a list of events: each has lines of the game's log, which say what
happened, and changes of the game's state, which say where, and repeat the hands and the bank. The
lines are played under our rules, and the changes must agree with our game after each event.

Trades are played as offers of the seat on turn; other offers are not part of the game, because they
change nothing. The dice are those of the replay, so the site's balanced dice are not simulated.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.foreign.colonist_messages import Change, Data, Happening, Replay, Text
from catan_env.foreign.colonist_places import Places, counted, listed, resource_of, terrain_of
from catan_env.foreign.errors import ForeignError
from catan_env.foreign.steps import Steps
from catan_env.game.action import Action
from catan_env.game.game import Game
from catan_env.game.rules import Rules

CARDS = {
    11: DevelopmentCard.KNIGHT,
    12: DevelopmentCard.VICTORY_POINT,
    13: DevelopmentCard.MONOPOLY,
    14: DevelopmentCard.ROAD_BUILDING,
    15: DevelopmentCard.YEAR_OF_PLENTY,
}
ROAD, SETTLEMENT, CITY, ROBBER = 0, 2, 3, 5
"""Pieces in the log."""
NEW_TURN = 44
SILENT = frozenset(
    (0, 2, 22, 23, 24, 25, 45, 47, 48, 49, 60, 66, 67, 68, 74, 117, 118, 139, 141, 143, 145, 146)
)
"""Lines that announce a consequence, an offer or a connection; they move nothing by themselves."""
POINTS = ("settlements", "cities", "victory point cards", "largest army", "longest road")


def is_one(value: Any) -> bool:
    """True if a JSON value looks like a replay of Colonist's."""
    data = value.get("data") if isinstance(value, dict) else None
    return isinstance(data, dict) and "eventHistory" in data


def read(data: bytes, points_to_win: int) -> tuple[Game, tuple[str, ...]]:
    """The game in a replay, which has its own number of points, and the players' names by seat.

    ForeignError if it breaks somewhere.
    """
    try:
        replay = msgspec.json.decode(data, type=Replay).data
    except msgspec.ValidationError as error:
        raise ForeignError(f"not Colonist's replay JSON: {error}") from None
    reading = Reading(replay)
    reading.play()
    reading.check_end()
    return reading.game, reading.players


class Reading:
    """A game that is played from a replay."""

    def __init__(self, replay: Data) -> None:
        history, settings = replay.event_history, replay.game_settings
        self._history, self._order = history, replay.play_order
        try:
            if settings.extension_setting or settings.scenario_setting:
                raise ValueError(
                    "the game has an extension or a scenario; only the base game can be read"
                )
            if len(set(replay.play_order)) < len(replay.play_order):
                raise ValueError(f"the colours {replay.play_order} are not all different")
            self._places = Places(history.initial_state.map_state)
            robber = str(history.initial_state.mechanic_robber_state.location_tile_index)
            board = self._places.board
            if self._places.tile.get(robber) != board.robber_start:
                raise ValueError(f"the robber starts on hex {robber}, which is not the desert")
            rules = Rules.colonist_1v1() if len(replay.play_order) == 2 else Rules.colonist()
            rules = replace(
                rules, balanced_dice=False, points_to_win=settings.victory_points_to_win,
                hand_limit=settings.card_discard_limit, friendly_robber=settings.friendly_robber,
            )  # fmt: skip
            self.game = Game(len(replay.play_order), seed=0, rules=rules, board=board)
        except (ValueError, LookupError) as error:
            raise ForeignError(str(error)) from None
        names = {user.selected_color: user.username for user in replay.player_user_states}
        self.players = tuple(names.get(color) or f"colour {color}" for color in self._order)
        self._steps = Steps(self.game)
        self._card: DevelopmentCard | None = None
        """A card that was played, and whose choice has not been logged yet."""

    def play(self) -> None:
        """Play every event; ForeignError names the first one that breaks."""
        for number, raw in enumerate(self._history.events, 1):
            try:
                self._event(msgspec.json.decode(raw, type=Happening).state_change)
            except KeyError as error:
                raise self._broken(number, f"unknown: {error}") from None
            except (ValueError, TypeError) as error:
                raise self._broken(number, str(error)) from None

    def check_end(self) -> None:
        """Raise ForeignError if the replay's end is not that of our game."""
        end = self._history.end_game_state
        if self._card is not None or self._steps.is_within_one:
            raise self._broken(len(self._history.events), "the replay ends within a step")
        if end is None:
            return
        try:
            for color, standing in end.players.items():
                seat = self._seat(int(color))
                if standing.winning_player != (self.game.winner == seat):
                    raise ValueError(
                        f"winningPlayer of colour {color} is {standing.winning_player}"
                    )
                here = self._points(seat)
                for k, noun in enumerate(POINTS):
                    if standing.victory_points.get(str(k), 0) != here[k]:
                        raise ValueError(f"colour {color} has {here[k]} {noun} here")
        except (ValueError, LookupError) as error:
            raise ForeignError(f"the game ends differently under our rules: {error}") from None

    def _points(self, seat: int) -> tuple[int, ...]:
        game = self.game
        return (
            len(game.settlements(seat)), len(game.cities(seat)),
            game.cards(seat)[DevelopmentCard.VICTORY_POINT],
            int(game.largest_army_seat == seat), int(game.longest_road_seat == seat),
        )  # fmt: skip

    def _broken(self, number: int, reason: str) -> ForeignError:
        return ForeignError(reason, number, (self.game, self.players))

    def _seat(self, color: int | None) -> int:
        if color not in self._order:
            raise ValueError(f"colour {color} does not play; the colours are {self._order}")
        return self._order.index(color)

    def _event(self, change: Change) -> None:
        lines = sorted(change.game_log_state.items(), key=lambda item: int(item[0]))
        texts = [line.text for _, line in lines if line is not None]
        self._check_places(texts, change)
        for text in texts:
            said = LINES.get(text.type)
            if said is not None:
                try:
                    said(self, text, change)
                except KeyError as error:
                    raise ValueError(f"log line of type {text.type}: unknown: {error}") from None
                except (ValueError, TypeError) as error:
                    raise ValueError(f"log line of type {text.type}: {error}") from None
            elif text.type not in SILENT:
                raise ValueError(f"gameLogState has a line of type {text.type}, which is unknown")
        robbery = [text for text in texts if text.type in (14, 15, 16)]
        if robbery:
            self._rob(robbery)
        self._check_after(change)

    def _check_places(self, texts: Iterable[Text], change: Change) -> None:
        """Raise ValueError if something moves on the map that no line of the log announces."""
        pieces = Counter(text.piece_enum for text in texts if text.type in (4, 5))
        corners, edges = change.map_state.tile_corner_states, change.map_state.tile_edge_states
        said = (pieces[SETTLEMENT] + pieces[CITY], pieces[ROAD])
        if said != (len(corners), len(edges)) or sum(said) > 1:
            raise ValueError(
                f"mapState changes {len(corners)} corners and {len(edges)} edges; the log has "
                f"{said[0]} buildings and {said[1]} roads, and one piece at a time can be read"
            )
        moved = change.mechanic_robber_state.location_tile_index is not None
        if moved != any(text.type == 11 for text in texts):
            raise ValueError("mechanicRobberState and the log disagree whether the robber moves")

    def _check_after(self, change: Change) -> None:
        """Raise ValueError if the state after the event is not ours."""
        for color, player in change.player_states.items():
            cards, here = player.resource_cards, self._steps.hand(self._seat(int(color)))
            if cards is not None and 0 not in cards.cards and counted(cards.cards) != here:
                raise ValueError(
                    f"playerStates: the cards of colour {color} are {counted(cards.cards)}, "
                    f"{here} here"
                )
        bank = self._steps.bank()
        for kind, count in change.bank_state.resource_cards.items():
            card = resource_of(int(kind))
            if count != bank[card]:
                raise ValueError(f"bankState: {count} {card.name.lower()}, {bank[card]} here")
        on_turn = change.current_state.current_turn_player_color
        if on_turn is not None and not self.game.is_over and self._seat(on_turn) != self._on_turn():
            expected = self._order[self._on_turn()]
            raise ValueError(f"currentState: colour {on_turn} is on turn, {expected} here")

    def _on_turn(self) -> int:
        return self.game.seat if self.game.turn == 0 else self.game.turn_seat

    def _act(self, text: Text, action: Action, outcome: Any = None) -> Any:
        if self._card is not None:
            raise ValueError(f"the choice for a {self._card.name.lower()} is missing before it")
        return self._steps.act(self._seat(text.player_color), action, outcome).outcome

    def _new_turn(self, text: Text, change: Change) -> None:
        """End the turn, unless none was played: the same line precedes the set-up's turns."""
        game = self.game
        self._steps.settle()
        if self._card is not None:
            raise ValueError(f"the choice for a {self._card.name.lower()} is missing before it")
        if game.turn > 0 and not game.is_over and game.phase != Phase.ROLL:
            self._steps.act(game.turn_seat, Action.end_turn())

    def _roll(self, text: Text, change: Change) -> None:
        dice, shown = (text.first_dice, text.second_dice), change.dice_state
        if shown.dice_thrown and (shown.dice1, shown.dice2) != dice:
            raise ValueError(f"{dice} were rolled, diceState has {(shown.dice1, shown.dice2)}")
        self._act(text, Action.roll(), dice)

    def _place(self, text: Text, change: Change) -> None:
        seat = self._seat(text.player_color)
        if text.piece_enum == ROAD:
            for number, road in change.map_state.tile_edge_states.items():
                if road.owner not in (None, text.player_color):
                    raise ValueError(f"the edge {number} belongs to colour {road.owner}")
                self._act(text, Action.road(self._places.edge[number]))
            return
        wanted = {SETTLEMENT: 1, CITY: 2}.get(text.piece_enum or 0)
        if wanted is None:
            raise ValueError(f"pieceEnum is {text.piece_enum}, which is unknown")
        for number, building in change.map_state.tile_corner_states.items():
            if building.owner not in (None, text.player_color) or building.building_type != wanted:
                raise ValueError(f"the corner {number} becomes {building}")
            vertex = self._places.vertex[number]
            if wanted == 2 and vertex not in self.game.settlements(seat):
                raise ValueError(f"colour {text.player_color} has no settlement at {number}")
            self._act(text, Action.settlement(vertex) if wanted == 1 else Action.city(vertex))

    def _buy(self, text: Text, change: Change) -> None:
        seat = self._seat(text.player_color)
        player = change.mechanic_development_cards_state.players.get(str(text.player_color))
        if player is None or player.development_cards is None:
            raise ValueError("mechanicDevelopmentCardsState does not show the bought card")
        cards = player.development_cards.cards
        if any(card not in CARDS for card in cards):
            raise ValueError(f"developmentCards are {cards}, of which some are hidden or unknown")
        after = Counter(CARDS[card] for card in cards)
        before = Counter({card: self.game.cards(seat)[card] for card in DevelopmentCard})
        bought = list((after - before).elements())
        if len(bought) != 1 or before - after:
            raise ValueError(f"developmentCards are {cards}, which is not one more than before")
        new = player.development_cards_bought_this_turn
        turn = Counter({card: self.game.new_cards(seat)[card] for card in DevelopmentCard})
        turn[bought[0]] += 1
        if new is not None and Counter(CARDS.get(card) for card in new) != turn:
            raise ValueError(
                f"developmentCardsBoughtThisTurn are {new}, but {bought[0].name} is new"
            )
        self._act(text, Action.buy_development_card(), bought[0])

    def _play_card(self, text: Text, change: Change) -> None:
        card = CARDS.get(text.card_enum or 0)
        if card == DevelopmentCard.KNIGHT:
            self._act(text, Action.play_knight())
        elif card == DevelopmentCard.ROAD_BUILDING:
            self._act(text, Action.play_road_building())
        elif card in (DevelopmentCard.MONOPOLY, DevelopmentCard.YEAR_OF_PLENTY):
            self._steps.settle()
            self._card = card
        else:
            raise ValueError(f"cardEnum is {text.card_enum}, which is not a card that is played")

    def _choose(self, card: DevelopmentCard) -> None:
        if self._card != card:
            raise ValueError(f"no {card.name.lower()} was played before it")
        self._card = None

    def _monopoly(self, text: Text, change: Change) -> None:
        self._choose(DevelopmentCard.MONOPOLY)
        taken = self._act(text, Action.play_monopoly(resource_of(text.card_enum)))
        if text.amount_stolen is not None and sum(taken) != text.amount_stolen:
            raise ValueError(f"amountStolen is {text.amount_stolen}, {sum(taken)} here")

    def _plenty(self, text: Text, change: Change) -> None:
        self._choose(DevelopmentCard.YEAR_OF_PLENTY)
        cards = listed(text.card_enums, "cardEnums")
        if len(cards) != 2:
            raise ValueError(f"cardEnums are {text.card_enums}; the rules take two cards")
        self._act(text, Action.play_year_of_plenty(*cards))

    def _robber(self, text: Text, change: Change) -> None:
        if text.piece_enum != ROBBER:
            raise ValueError(f"pieceEnum is {text.piece_enum}, which is unknown")
        at = str(change.mechanic_robber_state.location_tile_index)
        tile, info = self._places.tile[at], text.tile_info
        here = self.game.board.tiles[tile]
        if info is not None and (terrain_of(info.tile_type), info.dice_number) != here:
            raise ValueError(f"tileInfo is {info}, but the tile {at} is a {here.terrain.name}")
        self._steps.move_robber(self._seat(text.player_color), tile)

    def _told(self, text: Text, change: Change) -> None:
        """A part of a robbery, which is played once all parts have been read."""

    def _rob(self, texts: Sequence[Text]) -> None:
        """Steal a card; the lines to the thief, the victim and the others must agree."""
        parts: dict[str, set[Any]] = {"thief": set(), "victim": set(), "card": set()}
        for text in texts:
            if text.type == 16:
                parts["thief"].add(text.player_color_thief)
                parts["victim"].add(text.player_color_victim)
                continue
            parts["victim" if text.type == 14 else "thief"].add(text.player_color)
            cards = listed(text.card_enums, "cardEnums")
            if len(cards) != 1:
                raise ValueError(f"log line of type {text.type}: cardEnums are {text.card_enums}")
            parts["card"].add(cards[0])
        if not parts["card"]:
            raise ValueError("the stolen card is hidden: there is no log line of type 14 or 15")
        if len(self._order) == 2 and len(parts["victim"]) + len(parts["thief"]) == 1:
            other = "thief" if parts["victim"] else "victim"
            parts[other] = set(self._order) - parts["victim"] - parts["thief"]
        for noun, values in parts.items():
            if len(values) != 1:
                raise ValueError(f"log lines of a robbery: the {noun} is {sorted(values, key=str)}")
        (thief,), (victim,), (card,) = parts["thief"], parts["victim"], parts["card"]
        self._steps.rob(self._seat(thief), self._seat(victim), card)

    def _discard(self, text: Text, change: Change) -> None:
        self._steps.discard(self._seat(text.player_color), listed(text.card_enums, "cardEnums"))

    def _trade(self, text: Text, change: Change) -> None:
        self._steps.trade(
            self._seat(text.player_color),
            self._seat(text.accepting_player_color),
            counted(text.given_card_enums or []),
            counted(text.received_card_enums or []),
        )

    def _bank_trade(self, text: Text, change: Change) -> None:
        """One or more trades with the bank, each of cards of one kind at the seat's best rate."""
        seat = self._seat(text.player_color)
        given = listed(text.given_card_enums, "givenCardEnums")
        received = text.received_card_enums
        for card in listed(received, "receivedCardEnums"):
            if not given:
                raise ValueError(f"receivedCardEnums are {received}: too many")
            rate = self.game.trade_rates(seat)[given[0]]
            if given[:rate] != given[:1] * rate:
                raise ValueError(f"givenCardEnums are {text.given_card_enums}; the rate is {rate}")
            self._act(text, Action.bank_trade(given[0], card))
            given = given[rate:]
        if given:
            raise ValueError(f"givenCardEnums are {text.given_card_enums}: too many")


LINES: dict[int, Callable[[Reading, Text, Change], None]] = {
    1: Reading._buy,
    4: Reading._place,
    5: Reading._place,
    10: Reading._roll,
    11: Reading._robber,
    14: Reading._told,
    15: Reading._told,
    16: Reading._told,
    20: Reading._play_card,
    21: Reading._plenty,
    NEW_TURN: Reading._new_turn,
    55: Reading._discard,
    86: Reading._monopoly,
    115: Reading._trade,
    116: Reading._bank_trade,
}
"""The lines of the log that are a step of the game, by type."""
