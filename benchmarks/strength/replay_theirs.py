"""Replays of kept games in catanatron: its own engine accepts each action with its outcome."""

from operator import itemgetter
from typing import Any

from catanatron import Game  # type: ignore[import-not-found]
from catanatron.models.enums import ActionRecord  # type: ignore[import-not-found]
from catanatron.models.player import Player  # type: ignore[import-not-found]

from benchmarks.catanatron_match import COLORS
from benchmarks.strength.replay import board_to_json
from catan_env import Action, ActionKind, DevelopmentCard, geometry
from catan_env.catanatron.information import WORD, information_in_state
from catan_env.catanatron.log import entry_of
from catan_env.catanatron.places import CatanatronPlaces
from catan_env.catanatron.speech import Speech
from catan_env.game.event import from_code


class Buildings:
    """Which seats have buildings at which tiles, as `speech.Seated`."""

    def __init__(self, state: Any, places: CatanatronPlaces) -> None:
        self.seats: int = len(state.colors)
        self._known = information_in_state(state, 0, places)

    def seats_at(self, tile: int) -> list[int]:
        """The seats with a settlement or city at a tile."""
        corners = set(geometry.TILE_VERTICES[tile])
        at = zip(self._known.settlements, self._known.cities, strict=True)
        return [seat for seat, (some, cities) in enumerate(at) if corners & {*some, *cities}]


def replay_theirs(kept: dict[str, Any]) -> list[str]:
    """Where catanatron's replay of a kept game differs from it; empty if nowhere."""
    game = Game([Player(color) for color in COLORS[: len(kept["seats"])]], seed=kept["seed"])
    places = CatanatronPlaces.of_map(game.state.board.map)
    if not same_board(board_to_json(places.board), kept["board"]):
        return ["another map; Python's hashes must be fixed with PYTHONHASHSEED=0"]
    speech = Speech(places, game.state.colors)
    for at, (seat, index, code, *_) in enumerate(kept["log"]):
        color, ours = game.state.colors[seat], Action.from_index(index)
        view = Buildings(game.state, places)
        same = [
            action
            for action in game.playable_actions
            if action.color == color and ours in speech.choices(entry_of(action), view)
        ]
        if not same:
            return [f"event {at}, seat {seat}: {ours} is not playable"]
        result = result_of(ours, from_code(ours.kind, code, view.seats))
        game.execute(same[0], action_record=ActionRecord(same[0], result))
    return end(kept, game, places)


def same_board(one: list[Any], other: list[Any]) -> bool:
    """True if tiles and harbours are equal; older records have the harbours in another order.

    >>> same_board([[], [[0, 5, None], [2, 7, 0]]], [[], [[2, 7, 0], [0, 5, None]]])
    True
    """
    (tiles, harbours), (other_tiles, other_harbours) = one, other
    places = itemgetter(0, 1)
    in_order = sorted(harbours, key=places), sorted(other_harbours, key=places)
    return bool(tiles == other_tiles and in_order[0] == in_order[1])


def result_of(action: Action, outcome: Any) -> Any:
    """The outcome in catanatron's words."""
    if action.kind == ActionKind.MOVE_ROBBER and outcome is not None:
        return WORD[outcome]
    if action.kind == ActionKind.BUY_DEVELOPMENT_CARD:
        return DevelopmentCard(outcome).name
    return outcome


def end(kept: dict[str, Any], game: Any, places: CatanatronPlaces) -> list[str]:
    """Where the end differs from what was kept: the winner, points and hands."""
    state, winner = game.state, game.winning_color()
    seats = range(len(state.colors))
    found = {
        "winner": None if winner is None else state.colors.index(winner),
        "points": [state.player_state[f"P{seat}_ACTUAL_VICTORY_POINTS"] for seat in seats],
        "hands": [list(information_in_state(state, seat, places).hand) for seat in seats],
    }
    return [f"{name} {now}, kept {kept[name]}" for name, now in found.items() if now != kept[name]]
