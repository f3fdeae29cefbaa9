"""The requirements on each entry point's parameters, so that no argument crashes machine code.

`native.front` knows the types. This table adds the lengths and the ranges: by a parameter's name,
and by entry point and name where the same name has another meaning. A parameter without a row is an
error of the build.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from catan_env.core.actions import (
    BUY_ACTION,
    DISCARD_START,
    MONOPOLY_START,
    NUM_ACTIONS,
    OFFER_START,
    ROBBER_START,
    ROLL_ACTION,
)
from catan_env.core.constants import CARD_KINDS, HIDDEN, NOTHING, RESOURCES, SEATS, VERTICES
from catan_env.core.dice import OUTCOMES
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.rules_shown import ADDED_SIZE
from catan_env.guests.hanabi.native import memory as hanabi
from catan_env.guests.renaissance.native import actions as renaissance_actions
from catan_env.guests.renaissance.native import cards as renaissance_cards
from catan_env.guests.renaissance.native import layout as renaissance_layout
from catan_env.guests.renaissance.native import lookahead
from catan_env.guests.renaissance.native import state as renaissance_state
from catan_env.guests.renaissance.native.cards import GOODS
from catan_env.policies.network import features, pointer
from catan_env.policies.rerank.features import FEATURES as RERANK_FEATURES
from catan_env.policies.search.playouts import WORLDS
from catan_env.policies.value.choice import MOST, PLACES
from catan_env.policies.value.features import OF_SEAT, OF_TABLE
from catan_env.policies.value.weights import weights_for


@dataclass(frozen=True)
class Length:
    """A condition on one length of an array: `plus` and `times` the number that `of` names."""

    rule: str
    """"exactly", "at least", or "at least, or 0"."""
    plus: int = 0
    of: str = ""
    """A parameter that is a number, "len NAME" for another array, or "ARRAY.FIELD" of a record."""
    times: int = 1


@dataclass(frozen=True)
class Wanted:
    """The requirement on one parameter."""

    lengths: tuple[Length, ...] = ()
    low: int | None = None
    high: int | None = None
    by: str = ""
    """A number whose value chooses among `highs`, the upper bounds."""
    highs: tuple[int, ...] = ()


def exactly(plus: int, of: str = "", times: int = 1) -> Length:
    """A length of this and nothing else."""
    return Length("exactly", plus, of, times)


def at_least(plus: int, of: str = "", times: int = 1) -> Length:
    """A length of this or more."""
    return Length("at least", plus, of, times)


def array(*lengths: Length, low: int | None = None, high: int | None = None) -> Wanted:
    """An array; `low` and `high` bound the values of a 1-D one."""
    return Wanted(lengths, low, high)


def number(low: int | None = None, high: int | None = None) -> Wanted:
    """A number, from low to high."""
    return Wanted((), low, high)


def highest_outcomes() -> tuple[int, ...]:
    """The highest outcome of each action (see `core.rules.apply`)."""
    highs = [0] * NUM_ACTIONS
    highs[ROLL_ACTION] = OUTCOMES - 1
    highs[BUY_ACTION] = max(CARD_KINDS - 1, HIDDEN)
    for action in range(MONOPOLY_START, DISCARD_START):
        highs[action] = (1 << 8 * SEATS) - 1
    for action in range(ROBBER_START, OFFER_START):
        highs[action] = max(RESOURCES - 1, HIDDEN)
    return tuple(highs)


FREE = number()
ROW = at_least(0, "stop")
"""A row for each of the games `start <= i < stop`."""
ROW_IF_ANY = Length("at least, or 0", 0, "stop")
ONE = array(at_least(1))
ROWS = array(ROW)
WHOLE = number(0, (1 << 62) - 1)
SEAT = number(0, SEATS - 1)

BY_NAME: dict[str, Wanted] = {
    "start": WHOLE,
    "stop": WHOLE,
    "i": WHOLE,
    "autoreset": FREE,
    "seed": FREE,
    "count": WHOLE,
    "spread": WHOLE,
    "random": FREE,
    "max_turns": FREE,
    "max_rounds": FREE,
    "template": ONE,
    "blank": ONE,
    "sheet": ONE,
    "seeds": ROWS,
    "actions": ROWS,
    "done": ROWS,
    "results": ROWS,
    "picks": ROWS,
    "seats": ROWS,
    "winners": ROWS,
    "turns": ROWS,
    "rounds": ROWS,
    "decisions": ROWS,
    "scores": ROWS,
    "observations": array(ROW_IF_ANY, exactly(OBSERVATION_SIZE)),
    "action_masks": array(ROW_IF_ANY, exactly(NUM_ACTIONS)),
    "viewer": SEAT,
    "seat": SEAT,
    # the value function
    "weights": array(exactly(len(weights_for(2)))),
    "tries": array(at_least(PLACES)),
    "vertex_scores": array(at_least(VERTICES)),
    "moves": array(at_least(MOST)),
    "net": array(exactly(2, "len features"), exactly(0, "len hidden")),
    "hidden": array(at_least(1)),
    "worlds": array(at_least(WORLDS)),
    # Renaissance
    "scratch": array(at_least(lookahead.SCRATCH)),
    "tried": array(at_least(lookahead.SCRATCH)),
}

VALUE_SCORES = array(at_least(MOST))
HANABI_OBSERVATIONS = array(ROW_IF_ANY, exactly(0, "sheet.width"))
HANABI_MASKS = array(ROW_IF_ANY, at_least(0, "sheet.actions"))
HANABI_WORLDS = array(ROW, exactly(hanabi.MOST_CARDS))
SHOWN = array(ROW_IF_ANY, at_least(renaissance_layout.OBSERVATION_SIZE))

PLACE_OF_GOODS = number(0, renaissance_state.PLACES_OF_GOODS - 1)

PLAYOUTS = {
    "views": ONE,
    "candidates": array(at_least(0, "alive"), low=0, high=NUM_ACTIONS - 1),
    "alive": WHOLE,
    "sums": array(at_least(0, "alive")),
    "first": FREE,
    "turns": WHOLE,
    "features": array(at_least(OF_TABLE, "views.seats", OF_SEAT)),
    "scores": VALUE_SCORES,
}
"""Of the entry points that play candidates on in worlds."""
NETWORK = {
    "line": array(exactly(3)),
    "units": array(exactly(RERANK_FEATURES + 1), at_least(1)),
    "shares": array(exactly(1, "len units 1")),
    "seen": array(exactly(RERANK_FEATURES)),
}
"""A network of `policies/rerank`."""

BY_ENTRY: dict[str, dict[str, Wanted]] = {
    "core_doors": {
        "states": array(at_least(1, "i")),
        "action": number(0, NUM_ACTIONS - 1),
        "outcome": Wanted((), NOTHING, (1 << 32) - 1, "action", highest_outcomes()),
        "out": array(at_least(1)),
        "step": number(1, SEATS - 1),
        "give": array(exactly(RESOURCES)),
        "get": array(exactly(RESOURCES)),
        "chances": array(exactly(OUTCOMES)),
    },
    "core_doors_write_mask_bytes": {"out": array(at_least(1), exactly(NUM_ACTIONS))},
    "core_doors_observe_game": {"out": array(at_least(1), exactly(OBSERVATION_SIZE))},
    "core_doors_observe_table": {"out": array(at_least(1), exactly(ADDED_SIZE))},
    "core_doors_play_bank_trade": {
        "give": number(0, RESOURCES - 1),
        "get": number(0, RESOURCES - 1),
        "rate": number(1, 127),
    },
    "core_batch": {"states": ROWS},
    "core_batch_observe_seats": {
        "seats": array(ROW, low=0, high=SEATS - 1),
        "observations": array(ROW, exactly(OBSERVATION_SIZE)),
    },
    "core_batch_observe_tables": {"shown": array(ROW, exactly(ADDED_SIZE))},
    "core_batch_observe_games": {"observations": array(ROW, exactly(OBSERVATION_SIZE))},
    "core_batch_expand_masks": {"action_masks": array(ROW, exactly(NUM_ACTIONS))},
    "core_batch_play_out": {"states": ONE},
    "value_doors": {"states": ROWS, "scores": VALUE_SCORES},
    "value_doors_rank_actions": {
        "out_moves": array(ROW, at_least(0)),
        "out_scores": array(ROW, exactly(0, "len out_moves 1")),
    },
    "value_doors_play_out": {
        "states": ONE,
        "weights": array(at_least(0, "template.seats"), exactly(len(weights_for(2)))),
    },
    "value_doors_play_runs": {
        "mine": array(ROW, at_least(0, "states.seats")),
        "history": array(ROW, at_least(0)),
        "played": array(ROW, low=0, high=(1 << 62) - 1),
        "decided": array(ROW, at_least(0, "states.seats")),
    },
    "value_win_probability_write_features_of_games": {
        "states": ROWS,
        "asked": array(ROW, low=0, high=SEATS - 1),
        "features": array(ROW, at_least(OF_TABLE, "states.seats", OF_SEAT)),
    },
    "set_up_doors_rate_placements": {
        "states": array(at_least(1, "i")),
        "ends": ONE,
        "candidates": array(at_least(0), low=0, high=NUM_ACTIONS - 1),
        "wins": array(at_least(0, "len candidates")),
        "ways": number(1, (1 << 62) - 1),
        "features": array(at_least(OF_TABLE, "states.seats", OF_SEAT)),
        "scores": VALUE_SCORES,
    },
    "search_playouts_deal": {"states": array(at_least(1, "i"))},
    "search_playouts_try_candidates": PLAYOUTS,
    "search_placements_try_placements": PLAYOUTS,
    "search_reranked_try_reranked": {
        **PLAYOUTS,
        **NETWORK,
        "inner": array(exactly(0, "len units 1")),
        "inputs": array(exactly(RERANK_FEATURES)),
    },
    "judge_futures_play_futures": {
        "tables": ONE,
        "sums": array(at_least(0, "tables.seats")),
        "turns": WHOLE,
        "features": array(at_least(OF_TABLE, "tables.seats", OF_SEAT)),
        "scores": VALUE_SCORES,
    },
    "rerank_doors": {
        "states": ROWS,
        **NETWORK,
        "sums": array(exactly(0, "len units 1")),
        "features": array(exactly(RERANK_FEATURES)),
        "scores": VALUE_SCORES,
        "actions": array(ROW),
    },
    "rerank_doors_write_siblings": {
        "states": array(at_least(1, "i")),
        "siblings": array(at_least(0), low=0, high=NUM_ACTIONS - 1),
        "log_odds": array(at_least(0, "len siblings")),
        "inputs": array(at_least(0, "len siblings"), exactly(RERANK_FEATURES)),
    },
    "rerank_doors_rate_siblings": {
        "states": array(at_least(1, "i")),
        "siblings": array(at_least(0), low=0, high=NUM_ACTIONS - 1),
        "log_odds": array(at_least(0, "len siblings")),
        "wins": array(at_least(0, "len siblings")),
    },
    "network_forward": {
        "observations": array(ROW, exactly(OBSERVATION_SIZE)),
        "trunk": array(exactly(pointer.TRUNK_INPUTS + 1), at_least(1)),
        "body": array(exactly(1, "len trunk 1"), exactly(0, "len trunk 1")),
        "vertex": array(exactly(pointer.VERTEX_INPUTS + 1), at_least(1)),
        "query": array(exactly(1, "len trunk 1"), exactly(0, "len vertex 1", pointer.QUERIES)),
        "action": array(exactly(1, "len trunk 1"), at_least(pointer.PLAIN_ACTIONS)),
        "scale": array(exactly(pointer.NUM_INPUTS)),
        "actions": number(1, NUM_ACTIONS),
        "views": number(1, 12),
        "moved": array(
            at_least(0, "views", pointer.NUM_INPUTS), low=0, high=pointer.NUM_INPUTS - 1
        ),
        "images": array(at_least(0, "views", NUM_ACTIONS), low=0, high=NUM_ACTIONS - 1),
        "inputs": array(exactly(2), exactly(pointer.NUM_INPUTS)),
        "hidden": array(exactly(2), exactly(0, "len trunk 1")),
        "keys": array(exactly(features.VERTICES + pointer.QUERIES), exactly(0, "len vertex 1")),
        "scores": array(exactly(3), exactly(NUM_ACTIONS)),
        "out": array(ROW, exactly(NUM_ACTIONS)),
    },
    "hanabi_doors": {
        "games": ROWS,
        "observations": HANABI_OBSERVATIONS,
        "action_masks": HANABI_MASKS,
        "seats": array(ROW, low=0, high=hanabi.SEATS - 1),
    },
    "hanabi_doors_play_out": {"games": ONE, "moves": ROWS},
    "hanabi_blueprint_doors": {"games": ROWS, "pictures": ROWS, "worlds": HANABI_WORLDS},
    "hanabi_blueprint_doors_play_actions": {
        "actions": array(ROW, low=0, high=hanabi.MOST_ACTIONS - 1),
    },
    "hanabi_blueprint_doors_play_games": {"games": ONE, "pictures": array(at_least(2))},
    "hanabi_blueprint_doors_draw_worlds": {
        "games": ONE,
        "pictures": ONE,
        "base": ONE,
        "masks": array(at_least(hanabi.PLACES)),
        "hints": array(at_least(hanabi.PLACES)),
        "left": array(at_least(hanabi.MOST_CARDS)),
        "past": array(at_least(0, "len past_actions")),
        "past_pictures": array(at_least(0, "len past_actions")),
        "past_hands": array(at_least(0, "len past_actions"), exactly(hanabi.PLACES)),
        "past_actions": array(at_least(0)),
    },
    "hanabi_blueprint_doors_try_actions": {
        "games": ONE,
        "pictures": ONE,
        "base": ONE,
        "picture": ONE,
        "actions": array(exactly(0, "len scores 1"), low=0, high=hanabi.MOST_ACTIONS - 1),
        "scores": array(ROW, at_least(0)),
    },
    "renaissance_batch": {"states": ROWS, "out": SHOWN},
    "renaissance_batch_step_games": {
        "rewards": array(ROW, exactly(renaissance_state.SEATS)),
        "masks": array(ROW_IF_ANY, exactly(renaissance_actions.NUM_ACTIONS)),
    },
    "renaissance_batch_observe_seats": {
        "seats": array(ROW, low=0, high=renaissance_state.SEATS - 1),
        "out": array(ROW, at_least(renaissance_layout.OBSERVATION_SIZE)),
    },
    "renaissance_doors": {
        "states": array(at_least(1, "i")),
        "out": array(at_least(1), exactly(renaissance_layout.OBSERVATION_SIZE)),
        "action": number(0, renaissance_actions.NUM_ACTIONS - 1),
        "seat": number(0, renaissance_state.SEATS - 1),
        "viewer": number(0, renaissance_state.SEATS - 1),
        "good": number(0, GOODS - 1),
        "card": number(0, renaissance_cards.NUM_CARDS - 1),
        "leader": number(0, renaissance_cards.NUM_LEADERS - 1),
        "a": PLACE_OF_GOODS,
        "b": PLACE_OF_GOODS,
    },
    "renaissance_doors_redact_all": {"states": array(at_least(0))},
    "renaissance_lookahead": {"states": array(at_least(0, "len out"))},
    "renaissance_lookahead_action_values": {
        "out": array(at_least(0), exactly(renaissance_actions.NUM_ACTIONS))
    },
    "renaissance_lookahead_prospects": {
        "out": array(at_least(0), exactly(renaissance_state.SEATS))
    },
}


def wanted(symbol: str, parameter: Mapping[str, Any]) -> Wanted:
    """The requirement on a parameter of an entry point; ValueError if no row has it."""
    module = symbol.rsplit("_", 1)[0]
    while symbol:
        row = BY_ENTRY.get(symbol, {})
        if parameter["name"] in row:
            return row[parameter["name"]]
        symbol, _, _ = symbol.rpartition("_")
    if parameter["name"] not in BY_NAME:
        raise ValueError(f"native/entries.py has no row for {parameter['name']} of {module}")
    return BY_NAME[parameter["name"]]
