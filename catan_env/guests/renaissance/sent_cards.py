"""Cards as sent by a server, which may play with data other than ours."""

from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.cards import (
    AMOUNT,
    CARD_FAITH,
    COLOUR,
    COLOURS,
    COST,
    DEPOT,
    DISCOUNT,
    FAITH,
    FAITH_OPEN,
    GOOD,
    GOODS,
    INPUT,
    KIND,
    LEADER_POINTS,
    LEVEL,
    NEEDS,
    NEEDS_AT_MOST,
    NEEDS_GOODS,
    NUM_CARDS,
    NUM_LEADERS,
    OUTPUT,
    POINTS,
)
from catan_env.guests.renaissance.snapshot import LEADER_TYPES


def read_cards(state: Any, game: m.UpdateGame, base: int) -> None:
    """Write the cards and leaders of a game; `base` is the number of a base production in it."""
    recipes = {recipe.id: recipe for recipe in game.productions}
    for card in game.developmentCards:
        _check_card(card, recipes)
        row, recipe = state["dev"][card.id], recipes[card.production]
        row[COLOUR], row[LEVEL] = COLOURS.index(card.color), card.level
        row[POINTS] = card.victoryPoints
        row[COST : COST + GOODS] = m.goods_of(card.cost.requirements)
        row[INPUT : INPUT + GOODS] = m.goods_of(recipe.input)
        row[OUTPUT : OUTPUT + GOODS] = m.goods_of(recipe.output)
        row[CARD_FAITH] = m.faith_of(recipe.output)
    for leader in game.leaderCards:
        _read_leader(state, leader, recipes, game.resContainers)
    state["base_faith_open"] = _is_faith_open(recipes[base])


def _read_leader(
    state: Any, card: m.LeaderCard, recipes: dict[int, m.Recipe], boxes: list[m.Container]
) -> None:
    sizes = {box.id: box.size for box in boxes}
    _check_leader(card, sizes)
    row, kind = state["leaders"][card.id], LEADER_TYPES.index(_kind_of(card))
    row[:] = 0
    row[KIND], row[GOOD] = kind, m.marble_of(card.resourceType)
    row[LEADER_POINTS] = card.victoryPoints
    if isinstance(card.devCardRequirement, m.CardRequirement):
        for k, entry in enumerate((card.devCardRequirement.entries or [])[:NEEDS_AT_MOST]):
            colour = COLOURS.index(entry.color)
            row[NEEDS + 3 * k : NEEDS + 3 * k + 3] = colour, entry.level, entry.quantity
    if isinstance(card.resourceRequirement, m.Requirements):
        asked = m.goods_of(card.resourceRequirement.requirements)
        row[NEEDS_GOODS : NEEDS_GOODS + GOODS] = asked
    if kind == DISCOUNT:
        row[AMOUNT] = card.discount
    elif kind == DEPOT:
        row[AMOUNT] = sizes[card.containerId]
    elif card.production in recipes:
        row[FAITH_OPEN] = _is_faith_open(recipes[card.production])


def _check_card(card: m.DevelopmentCard, recipes: dict[int, m.Recipe]) -> None:
    of, number, recipe = "of developmentCards", card.id, card.production
    _check(0 <= number < NUM_CARDS, f"id {of}", number, f"0..{NUM_CARDS - 1}")
    _check(card.color in COLOURS, f"color {of}", card.color, ", ".join(COLOURS))
    _check(recipe in recipes, f"production {of}", recipe, "ids of productions")


def _check_leader(card: m.LeaderCard, sizes: dict[int, int]) -> None:
    of, number, kind = "of leaderCards", card.id, _kind_of(card)
    _check(0 <= number < NUM_LEADERS, f"id {of}", number, f"0..{NUM_LEADERS - 1}")
    _check(kind in LEADER_TYPES, f"leaderType {of}", card.leaderType, ", ".join(LEADER_TYPES))
    has_box = kind != LEADER_TYPES[DEPOT] or card.containerId in sizes
    _check(has_box, f"containerId {of}", card.containerId, "ids of resContainers")


def _kind_of(card: m.LeaderCard) -> str:
    return card.leaderType.removesuffix("Leader").upper()


def _check(is_known: bool, field: str, value: Any, allowed: str) -> None:
    if not is_known:
        raise ValueError(f"{field} is {value!r}; allowed are {allowed}")


def _is_faith_open(recipe: m.Recipe) -> bool:
    """True if faith may be chosen as output."""
    return FAITH not in map(m.good_of, recipe.outputBlanksExclusions or ())
