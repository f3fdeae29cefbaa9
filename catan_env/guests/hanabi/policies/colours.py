"""A network with the same weights for every colour.

The part of the observation about a colour is read with the same weights for each of the five,
together with the mean of all colours and the part that belongs to no colour: tokens, deck, hinted
numbers. What is learned about one colour therefore holds for all. From the mean, the trunk computes
the value, an output for each discard, play and number hint, and a query that scores the colours'
hints.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.arrays import Join, relu
from catan_env.adapters.weights import write
from catan_env.guests.hanabi.action import ActionKind, all_actions
from catan_env.guests.hanabi.observation import observation_size, sections
from catan_env.guests.hanabi.rules import Rules

Columns = list[list[int]]
GAME = "hanabi"
"""The name of the game in a weights file."""
KIND = "colours"
"""The name of this network in a weights file."""
VERSION = 1
"""The version of the layout that `observation.sections` gives."""


@cache
def columns(rules: Rules, players: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """The columns of an observation for each colour, in the same order for all, and the rest."""
    if rules.suits != rules.named_colours:
        raise ValueError("wild cards have no colour: this network cannot represent them")
    place = sections(rules, players)
    by_colour: Columns = [[] for _ in range(rules.suits)]
    hand, kinds = rules.cards_in_hand(players), len(rules.kinds)

    def note(start: int, width: int) -> None:
        for colour, shown in enumerate(by_colour):
            shown.extend(range(start + width * colour, start + width * (colour + 1)))

    for k in range((players - 1) * hand):
        note(place["hands"].start + k * kinds, rules.ranks)
    note(place["board"].start + len(rules.box) - players * hand, rules.ranks)
    note(place["discards"].start, len(rules.box) // rules.suits)
    note(place["last_action"].start + 2 * players + 4, 1)
    note(place["last_action"].stop - 2 - kinds, rules.ranks)
    for k in range(players * hand):
        start = place["knowledge"].start + k * (kinds + rules.suits + rules.ranks)
        note(start, rules.ranks)
        note(start + kinds, 1)
    of_colours = {column for shown in by_colour for column in shown}
    rest = [c for c in range(observation_size(rules, players)) if c not in of_colours]
    return tuple(map(tuple, by_colour)), tuple(rest)


@cache
def shapes(
    rules: Rules, players: int, local: int = 192, hidden: int = 256
) -> dict[str, tuple[int, ...]]:
    """The shape of every array of weights: `local` wide at a colour, `hidden` in the trunk."""
    (first, *_), rest = columns(rules, players)
    plain = len(all_actions(rules, players)) - rules.suits * (players - 1)
    named = players - 1
    return {
        "colour": (len(first), local), "rest": (len(rest), local), "colour_bias": (local,),
        "among": (local, local), "mean": (local, local), "among_bias": (local,),
        "trunk": (local + len(rest), hidden), "trunk_bias": (hidden,),
        "query": (hidden, named * local), "query_bias": (named * local,),
        "action": (hidden, plain), "action_bias": (plain,),
        "value": (hidden, 1), "value_bias": (1,),
    }  # fmt: skip


@cache
def tables(rules: Rules, players: int) -> dict[str, np.ndarray[Any, Any]]:
    """The constants that `facts` and `outputs` need, by name.

    `order`: the columns of `facts`; `colours`: an empty array whose length is their number;
    `actions`: the place of action k among the outputs, plain ones first, then hints of colours.
    """
    by_colour, rest = columns(rules, players)
    return {
        "order": np.array([c for shown in (*by_colour, rest) for c in shown]),
        "colours": np.zeros((rules.suits, 0), np.int64),
        "actions": np.array(list(places_of_actions(rules, players))),
    }


def places_of_actions(rules: Rules, players: int) -> Iterator[int]:
    """The place of each action among the joined outputs: plain ones, then colours by target."""
    actions = all_actions(rules, players)
    plain = naming = 0
    num_plain = sum(action.kind != ActionKind.HINT_COLOUR for action in actions)
    for action in actions:
        if action.kind == ActionKind.HINT_COLOUR:
            yield num_plain + naming
            naming += 1
        else:
            yield plain
            plain += 1


def facts(observations: Any, tables: Mapping[str, Any], join: Join) -> Any:
    """The observations, (n, size), colour by colour and then the rest; `join` is not needed."""
    return observations[:, tables["order"]]


def outputs(
    weights: Mapping[str, Any], facts: Any, tables: Mapping[str, Any], join: Join
) -> tuple[Any, Any]:
    """Outputs and value of `facts`, (n, size): (n, actions) and (n,)."""
    w, suits, n = weights, len(tables["colours"]), len(facts)
    split = suits * len(w["colour"])
    rest = facts[:, split:]
    shown = facts[:, :split].reshape(n, suits, -1)
    seen = relu(shown @ w["colour"] + (rest @ w["rest"] + w["colour_bias"])[:, None])
    common = seen.mean(1) @ w["mean"] + w["among_bias"]
    seen = relu(seen @ w["among"] + common[:, None])
    trunk = relu(join([seen.mean(1), rest], 1) @ w["trunk"] + w["trunk_bias"])
    query = (trunk @ w["query"] + w["query_bias"]).reshape(n, -1, seen.shape[2])
    named = (query @ seen.swapaxes(1, 2)).reshape(n, -1)
    plain = trunk @ w["action"] + w["action_bias"]
    value = (trunk @ w["value"] + w["value_bias"])[:, 0]
    return join([plain, named], 1)[:, tables["actions"]], value


def save(path: str | Path, weights: Mapping[str, Any], rules: Rules, players: int) -> None:
    """Write a weights file, an `.npz` of float16; ValueError if a number is not finite."""
    write(
        path,
        weights,
        game=GAME,
        kind=KIND,
        observation_version=VERSION,
        observation_size=observation_size(rules, players),
    )
