"""Cards as sent by a server, which may play with data other than ours."""

from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.ids import Ids, depots_of, leader_recipes_of
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
    OUTPUT,
    POINTS,
    PRODUCTION,
    TOKENS,
    WHITE_MARBLE,
)
from catan_env.guests.renaissance.snapshot import LEADER_TYPES, TOKEN_KINDS


def read_cards(state: Any, game: m.UpdateGame, ids: Ids, base: int) -> None:
    """Write the cards and leaders of a game; `base` is the number of a base production in it."""
    recipes = {recipe.id: recipe for recipe in game.productions}
    for card in game.developmentCards:
        _check_card(card, recipes)
        row, recipe = state["dev"][ids.cards.index(card.id)], recipes[card.production]
        row[COLOUR], row[LEVEL] = COLOURS.index(card.color), card.level
        row[POINTS] = card.victoryPoints
        row[COST : COST + GOODS] = m.goods_of(card.cost.requirements)
        row[INPUT : INPUT + GOODS] = m.goods_of(recipe.input)
        row[OUTPUT : OUTPUT + GOODS] = m.goods_of(recipe.output)
        row[CARD_FAITH] = m.faith_of(recipe.output)
    for leader in game.leaderCards:
        _read_leader(state["leaders"][ids.leaders.index(leader.id)], leader, game, recipes)
    state["base_faith_open"] = _is_faith_open(recipes[base])


def rows_of_tokens(tokens: list[m.ActionToken]) -> dict[int, int]:
    """The row of each token by its id: of those with its effect, the first that is free."""
    free, rows = list(range(len(TOKENS))), {}
    for token in sorted(tokens, key=lambda token: token.id):
        colour = m.colour_of(token.discardedDevCardColor or "")
        effect = TOKEN_KINDS.get(token.kind) if colour is None else colour
        row = next((row for row in free if TOKENS[row] == effect), None)
        if row is not None:
            free.remove(row)
            rows[token.id] = row
    return rows


def _read_leader(
    row: Any, card: m.LeaderCard, game: m.UpdateGame, recipes: dict[int, m.Recipe]
) -> None:
    sizes, of, recipe = depots_of(game), "of leaderCards", card.production
    kind = _kind_of(card, sizes, leader_recipes_of(game))
    has_box, has_recipe = kind != DEPOT or card.containerId in sizes, recipe in recipes
    _check(has_box, f"containerId {of}", card.containerId, "ids of resContainers")
    _check(kind != PRODUCTION or has_recipe, f"production {of}", recipe, "ids of productions")
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
    elif kind == PRODUCTION:
        row[FAITH_OPEN] = _is_faith_open(recipes[recipe])


def _check_card(card: m.DevelopmentCard, recipes: dict[int, m.Recipe]) -> None:
    of, recipe = "of developmentCards", card.production
    _check(card.color in COLOURS, f"color {of}", card.color, ", ".join(COLOURS))
    _check(recipe in recipes, f"production {of}", recipe, "ids of productions")


def _kind_of(card: m.LeaderCard, sizes: dict[int, int], recipes: dict[int, m.Recipe]) -> int:
    """A leader's kind by the name of its type, or by its fields if the name is unknown."""
    name = card.leaderType.removesuffix("Leader").upper()
    if name in LEADER_TYPES:
        return LEADER_TYPES.index(name)
    if card.discount > 0:
        return DISCOUNT
    if card.containerId in sizes:
        return DEPOT
    return PRODUCTION if card.production in recipes else WHITE_MARBLE


def _check(is_known: bool, field: str, value: Any, allowed: str) -> None:
    if not is_known:
        raise ValueError(f"{field} is {value!r}; allowed are {allowed}")


def _is_faith_open(recipe: m.Recipe) -> bool:
    """True if faith may be chosen as output."""
    return FAITH not in map(m.good_of, recipe.outputBlanksExclusions or ())
