"""Tables of the game for the page's scripts, from the definitions that Python plays by."""

from base64 import b64encode
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from catan_env.core.actions import NUM_ACTIONS, WORD_STARTS
from catan_env.core.board import HALF, SMALL_MAP, STANDARD_MAP
from catan_env.core.constants import (
    CARDS_PER_RESOURCE,
    DECK,
    DESERT,
    DRAW,
    GENERIC,
    HIDDEN,
    NOTHING,
    SEATS,
    VERTICES,
    DevelopmentCard,
    Layout,
    Phase,
    Resource,
    Terrain,
)
from catan_env.core.state import GAME
from catan_env.game import board_code, geometry
from catan_env.game.action import Action, ActionKind, seat_named
from catan_env.game.observation import OBSERVATION_SIZE
from catan_env.game.rules import Rules
from catan_env.game.start import board_for, fresh_states
from catan_env.notation import places, setup, values, writer
from catan_env.notation.setup import Agreement, from_agreement
from catan_env.policies.judge import judge
from catan_env.policies.network import pointer
from catan_env.policies.search import playouts
from catan_env.policies.value.choice import MOST, PLACES
from catan_env.policies.value.weights import weights_for
from catan_env.policies.value.win_network import net_for, num_features
from catan_env.render import artwork, judged, layout, place_names
from catan_env.render.steps import preset_of
from catan_env.render.svg import empty_board_parts
from catan_env.web.choices import MOST_HINTS
from catan_env.web.shown_table import COSTS
from catan_env.web.table import CHANCE, MOST_BUNDLED

WORLDS, FUTURES = 64, 32
"""Playouts per move, and per position, when advice is asked for."""


def tables(players: Sequence[str], rules: Rules, board: str) -> dict[str, Any]:
    """The tables of a page for a game between these players, ready for JSON."""
    seats = len(players)
    given, laid = board_for(board, rules)
    states = fresh_states(seats, rules, 0, given)
    if laid is not None:
        states["layout"] = laid
    agreement = from_agreement(Agreement(rules, layout=laid or Layout.GIVEN))[setup.AGREED]
    return {
        "players": list(players),
        "preset": preset_of(rules),
        "template": packed(states),
        **memory(),
        **words(),
        **drawing(rules.small_map),
        "code": coding(rules.small_map),
        "notation": {**notation(), "rules": agreement["rules"], "layout": agreement["layout"]},
        **policies(seats),
        "judgement": judgement(),
    }


def packed(array: Any) -> str:
    """The bytes of an array as text."""
    return b64encode(np.ascontiguousarray(array).tobytes()).decode()


def memory() -> dict[str, Any]:
    """A game's memory: by field its type, the number of its values, and where it begins."""
    described = {
        name: (field.base.name, prod(field.shape), offset)
        for name, (field, offset, *_) in (GAME.fields or {}).items()
    }
    return {
        "size": GAME.itemsize,
        "fields": described,
        "word_starts": WORD_STARTS,
        "half": HALF,
        "draw": DRAW,
        "nothing": NOTHING,
        "hidden": HIDDEN,
        "generic": GENERIC,
        "desert": DESERT,
        "cards_per_resource": CARDS_PER_RESOURCE,
    }


def words() -> dict[str, Any]:
    """Actions, and the names of everything."""
    actions = [Action.from_index(index) for index in range(NUM_ACTIONS)]
    return {
        "actions": [{"kind": action.kind.name, "args": action.args} for action in actions],
        "words": [str(action) for action in actions],
        "seat_names": [seat_named(step) if step else "" for step in range(SEATS)],
        "phases": [phase.name for phase in Phase],
        "resources": [resource.name.lower() for resource in Resource],
        "terrains": [terrain.name.lower() for terrain in Terrain],
        "cards": [card.name.lower().replace("_", " ") for card in DevelopmentCard],
        "chance": sorted(kind.name for kind in CHANCE),
        "answers": {"accept": ActionKind.ACCEPT, "reject": ActionKind.REJECT},
        "most_bundled": MOST_BUNDLED,
        "most_hints": MOST_HINTS,
        "deck": DECK,
        "costs": COSTS,
        "corner_names": place_names.CORNERS,
        "side_names": place_names.SIDES,
        "geometry": {
            name: getattr(geometry, name.upper())
            for name in (
                "vertex_tiles", "tile_vertices", "edge_tiles", "tile_edges", "edge_vertices",
                "tile_coords", "vertex_edges",
            )
        },
    }  # fmt: skip


def drawing(small_map: bool) -> dict[str, Any]:
    """Where everything is on the page, and the parts of the board's picture."""
    laid = SMALL_MAP if small_map else STANDARD_MAP
    harbours = [geometry.EDGE_VERTICES[edge] for edge in laid.harbour_edges]
    return {
        "colours": artwork.SEAT_COLOURS,
        "vertices": [[round(x, 1), round(y, 1)] for x, y in layout.VERTEX_POINTS],
        "edges": [[round(x, 1), round(y, 1), round(a, 1)] for (x, y), a in layout.EDGE_PLACES],
        "tiles": [[round(x, 1), round(y, 1)] for x, y in layout.TILE_CENTRES],
        "picture": empty_board_parts(harbours, small_map)._asdict(),
    }


def coding(small_map: bool) -> dict[str, Any]:
    """The letters of a board's code, and the places that they stand for in it."""
    laid = SMALL_MAP if small_map else STANDARD_MAP
    return {
        "tiles": laid.tiles,
        "frame": [sorted(geometry.EDGE_VERTICES[edge]) for edge in laid.harbour_edges],
        "letters": board_code.LETTERS,
        "any": board_code.ANY,
        "desert": board_code.DESERT,
        "rates": board_code.RATES,
    }


def notation() -> dict[str, Any]:
    """The codes of Settlers Game Notation."""
    return {
        "namespace": list(writer.NAMESPACE.bytes),
        "letters": values.LETTERS,
        "card_codes": [values.CARD_CODES[card] for card in DevelopmentCard],
        "dice": values.DICE,
        "agreed": setup.AGREED,
        "sea": setup.SEA,
        "terrains": [setup.TERRAIN_CODES[terrain] for terrain in Terrain],
        "vertices": [places.intersection(vertex) for vertex in range(VERTICES)],
        "hexes": [{"tile": place, "number": places.tile_number(place)} for place in places.HEXES],
    }


def policies(seats: int) -> dict[str, Any]:
    """The value function and the judge, and the sizes of the network's memory."""
    net = net_for(seats)
    return {
        "value": {
            "weights": packed(weights_for(seats)),
            "most": MOST,
            "places": PLACES,
            "vertices": VERTICES,
        },
        "judge": {
            "net": packed(net),
            "net_shape": net.shape,
            "features": num_features(seats),
            "candidates": judge.CANDIDATES,
            "worlds": WORLDS,
            "futures": FUTURES,
            "rounds": playouts.SHORT,
            "games": playouts.WORLDS,
        },
        "network": {
            "inputs": pointer.NUM_INPUTS,
            "places": VERTICES + pointer.QUERIES,
            "size": OBSERVATION_SIZE,
            "actions": NUM_ACTIONS,
        },
    }


def judgement() -> dict[str, Any]:
    """The numbers by which a game is judged when it has ended."""
    return {
        "first_look": judged.FIRST_LOOK,
        "second_look": judged.SECOND_LOOK,
        "looked_at_twice": judged.LOOKED_AT_TWICE,
        "marked": judged.MARKED,
        "least": judged.LEAST,
        "alternatives": judged.ALTERNATIVES,
        "trade_futures": judged.TRADE_FUTURES,
        "forced": sorted(kind.name for kind in judged.FORCED),
    }


__all__ = ["packed", "tables"]
