"""catanatron's JSON (`catanatron-play --output DIR --output-format json`) as a game of ours.

A record has the map, every action with its outcome, and the last position. The actions are played
under our rules, and the last position must be the one in which they end. catanatron's rules differ
from ours (`catan_env/catanatron/__init__.py`): a game breaks at the first step where that matters.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

import msgspec

from catan_env.catanatron.entry import Entry
from catan_env.catanatron.places import RESOURCE, At, CatanatronPlaces, MapTile
from catan_env.catanatron.speech import Speech
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.foreign import catanatron_end
from catan_env.foreign.boards import checked_board
from catan_env.foreign.catanatron_messages import Logged, Record, Recorded, Tile
from catan_env.foreign.errors import ForeignError
from catan_env.foreign.steps import Steps
from catan_env.game import geometry
from catan_env.game.action import Action
from catan_env.game.event import Event
from catan_env.game.game import Game
from catan_env.game.hand_bounds import dues
from catan_env.game.rules import Rules

CHANCE = ("ROLL", "BUY_DEVELOPMENT_CARD")
OF_CARDS = ("DISCARD", "DISCARD_RESOURCE", "MARITIME_TRADE", "PLAY_YEAR_OF_PLENTY")
"""Actions whose value is one card, or a list of cards."""


def is_one(value: Any) -> bool:
    """True if a JSON value looks like a record of catanatron's."""
    return isinstance(value, dict) and "tiles" in value and "player_state" in value


def read(data: bytes, points_to_win: int) -> tuple[Game, tuple[str, ...]]:
    """The game in a record, and the colours by seat; ForeignError if it breaks somewhere."""
    try:
        record = msgspec.json.decode(data, type=Record)
    except msgspec.ValidationError as error:
        raise ForeignError(f"not catanatron's JSON: {error}") from None
    reading = Reading(record, points_to_win)
    reading.play()
    differences = catanatron_end.differences(record, reading.game, reading.places)
    if differences:
        raise ForeignError(
            f"after {len(reading.steps)} steps the game ends differently under our rules: "
            f"{'; '.join(differences)}"
        )
    return reading.game, record.colors


class Reading:
    """A game that is played from a record."""

    def __init__(self, record: Record, points_to_win: int) -> None:
        try:
            self.places = places_of(record)
            seats = len(record.colors)
            rules = Rules.duel() if seats == 2 else replace(Rules.base(), player_trade=False)
            rules = replace(rules, points_to_win=points_to_win)
            self.game = Game(seats, seed=0, rules=rules, board=self.places.board)
            self.steps = steps_of(record)
        except (ValueError, LookupError) as error:
            raise ForeignError(str(error)) from None
        if len(set(record.colors)) < seats:
            raise ForeignError(f"the colours {', '.join(record.colors)} are not all different")
        self._colors = record.colors
        self._speech = Speech(self.places, record.colors)
        self._is_new = record.action_records is not None
        self._playing = Steps(self.game)

    def play(self) -> None:
        """Play every step; ForeignError names the first one that breaks."""
        for number in range(1, len(self.steps) + 1):
            entry = None
            try:
                entry = self.entry(number)
                self._step(entry)
            except KeyError as error:
                raise self._broken(number, entry, f"unknown: {error}") from None
            except (ValueError, TypeError) as error:
                raise self._broken(number, entry, str(error)) from None
        if self._playing.is_within_one:
            raise self._broken(len(self.steps), None, "the record ends within a step")

    def _broken(self, number: int, entry: Entry | None, reason: str) -> ForeignError:
        if entry is not None:
            result = "" if entry.result is None else f" ({entry.result})"
            reason = f"{entry.color} {entry.kind} {entry.value}{result}: {reason}"
        return ForeignError(reason, number, (self.game, self._colors))

    def entry(self, number: int) -> Entry:
        """The step of that number, from 1, as an entry of the log of catanatron 3.3."""
        step = self.steps[number - 1]
        if self._is_new:
            return entry_of(*msgspec.json.decode(step, type=Recorded))
        return entry_of(msgspec.json.decode(step, type=Logged), None)

    def _step(self, entry: Entry) -> None:
        game, seat = self.game, self._speech.seat_of[entry.color]
        if game.phase == Phase.DISCARD and entry.kind == "DISCARD":
            cards = [action.args[0] for action in self._speech.choices(entry, game)]
            self._playing.discard(seat, cards)
            return
        if seat != game.seat:
            raise ValueError(f"seat {game.seat} is to act, not seat {seat}")
        action = self._speech.choices(entry, game)[0]
        outcome = self._outcome(entry, action)
        check(entry, game, action)
        self._playing.act(seat, action, outcome)

    def _outcome(self, entry: Entry, action: Action) -> Any:
        """The outcome of chance in the entry; ValueError if it is missing or impossible."""
        if entry.kind == "ROLL":
            return tuple(entry.result)
        if entry.kind == "BUY_DEVELOPMENT_CARD":
            return DevelopmentCard[entry.result]
        if entry.kind == "MOVE_ROBBER":
            victim = Event(self.game.seat, action).victim(self.game.seats)
            cards = 0 if victim is None else self.game.hand_size(victim)
            if (entry.result is None) != (cards == 0):
                raise ValueError(f"seat {victim} has {cards} cards")
            return None if entry.result is None else RESOURCE[entry.result]
        return None


def check(entry: Entry, game: Game, action: Action) -> None:
    """Raise ValueError if the entry describes the action differently from our rules."""
    if entry.kind == "MARITIME_TRADE":
        *given, _ = entry.value
        given = [card for card in given if card is not None]
        rate = game.trade_rates(game.seat)[int(action.args[0])]
        if given != [given[0]] * rate:
            raise ValueError(f"{len(given)} cards for one; the rate is {rate} of a kind")
    if entry.kind == "PLAY_YEAR_OF_PLENTY" and len(entry.value) != 2:
        raise ValueError("one card from the bank; the rules take two")
    if entry.kind == "ROLL":
        check_bank(game, sum(entry.result))


def check_bank(game: Game, roll: int) -> None:
    """Raise ValueError if only our rules pay the last cards of a resource to the only seat due."""
    for resource, due in dues(game, roll).items():
        bank, total = game.bank[resource], sum(due)
        if max(due) == total and 0 < bank < total:
            raise ValueError(
                f"the bank has {bank} {resource.name.lower()} of {total} due to one seat: "
                "catanatron pays none of them, the rules pay what is left"
            )


def steps_of(record: Record) -> list[msgspec.Raw]:
    """The steps as they are in the file."""
    steps = record.actions if record.action_records is None else record.action_records
    if steps is None:
        raise ValueError("neither action_records nor actions: the record has no steps")
    return steps


def entry_of(action: Logged, result: Any) -> Entry:
    """An entry; its result is in the action up to catanatron 3.2, and in both since 3.3."""
    color, kind, value = action
    if kind in OF_CARDS and not value:
        raise ValueError(f"{kind} of {color} has no cards")
    if kind in ("DISCARD", "DISCARD_RESOURCE"):
        cards = [value] if isinstance(value, str) else value
        if result not in (None, value):
            raise ValueError(f"{color} discards {value} and {result}")
        return Entry(color, "DISCARD", None, cards)
    if kind in CHANCE:
        if result not in (None, value):
            raise ValueError(f"{kind} of {color} has two outcomes, {value} and {result}")
        return Entry(color, kind, None, value)
    if kind == "MOVE_ROBBER":
        at, victim, *card = value
        return Entry(color, kind, (tuple(at), victim), card[0] if card else result)
    if kind == "BUILD_ROAD":
        a, b = value
        value = (a, b)
    if result is not None:
        raise ValueError(f"{kind} of {color} has no outcome, but the record has {result}")
    return Entry(color, kind, value)


def places_of(record: Record) -> CatanatronPlaces:
    """The map, checked against what the record says twice, and against the standard one."""
    laid = {tile.coordinate: tile.tile for tile in record.tiles}
    if len(laid) < len(record.tiles) or any(sum(at) for at in laid):
        raise ValueError("the map has two tiles at one place, or a place that is not a hex")
    land = [tile for tile in laid.values() if tile.type in ("RESOURCE_TILE", "DESERT")]
    desert = [{tile.type == "DESERT", tile.resource is None, tile.number is None} for tile in land]
    if any(len(signs) > 1 for signs in desert):
        raise ValueError("the deserts of the map are not its tiles without resource and number")
    tiles = [
        MapTile(at, tile.resource, tile.number, tile.direction)
        for at, tile in laid.items()
        if tile.type != "WATER"
    ]
    corners: dict[tuple[At, str], int] = {}
    for name, node in record.nodes.items():
        if str(node.id) != name:
            raise ValueError(f"node {name} has the number {node.id}")
        corners[node.tile_coordinate, node.direction] = node.id
    places = CatanatronPlaces(tiles, corners)
    checked_board(places.board.tiles, places.board.harbours)
    check_neighbours(record, places, laid)
    return places


def check_neighbours(
    record: Record, places: CatanatronPlaces, laid: dict[tuple[int, int, int], Tile]
) -> None:
    """Raise ValueError if a node's tiles are not those of the map around it."""
    around: dict[int, list[Tile]] = {
        vertex: [laid[at] for at, tile in places.tile.items() if tile in tiles]
        for vertex, tiles in enumerate(geometry.VERTEX_TILES)
    }
    for node, vertex in places.vertex.items():
        if Counter(record.adjacent_tiles.get(str(node), ())) != Counter(around[vertex]):
            raise ValueError(f"the tiles at node {node} are not those of the map")
