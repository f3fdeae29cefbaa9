"""The sheet of a game: its rules and number of players, in the form compiled functions read."""

from typing import Any

from catan_env.guests.hanabi.action import ActionKind, all_actions
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.native.memory import SHEET
from catan_env.guests.hanabi.observation import card_index, discard_starts, observation_size
from catan_env.guests.hanabi.rules import Rules
from catan_env.kernel.memory import new_blocks


def sheet_of(rules: Rules, players: int) -> Any:
    """The sheet, one block: (1,) `SHEET`."""
    sheet = new_blocks(1, SHEET)
    s = sheet[0]
    s["players"], s["places"] = players, rules.cards_in_hand(players)
    s["kinds"], s["suits"], s["ranks"] = len(rules.kinds), rules.suits, rules.ranks
    s["hints"], s["colours"] = rules.named_colours + rules.ranks, rules.named_colours
    s["max_tokens"], s["max_lives"] = rules.max_information_tokens, rules.max_life_tokens
    s["errors"], s["max_points"] = rules.errors, rules.max_score
    s["empty_hints"], s["discard_at_max"] = rules.empty_hints, rules.discard_at_max
    s["ends_complete"] = rules.end_at_25
    s["width"] = observation_size(rules, players)
    s["keeps_score"] = rules.score_after_explosion == "kept"
    _write_cards(s, rules)
    _write_hints(s, rules, players)
    _write_actions(s, rules, players)
    return sheet


def _write_cards(s: Any, rules: Rules) -> None:
    s["box_size"] = len(rules.box)
    s["box"][: len(rules.box)] = [card_index(rules, card) for card in rules.box]
    starts = discard_starts(rules)
    for i, card in enumerate(rules.kinds):
        s["pile"][i] = ((1 << rules.copies(card)) - 1) << starts[card]
    s["any_card"] = (1 << len(rules.kinds)) - 1
    s["first_cards"] = sum(1 << card_index(rules, Card(c, 1)) for c in range(rules.suits))
    s["last_cards"] = sum(1 << card_index(rules, Card(c, rules.ranks)) for c in range(rules.suits))


def _write_hints(s: Any, rules: Rules, players: int) -> None:
    kinds, after_target = len(rules.kinds), 2 * players + 4
    for colour in range(rules.named_colours):
        touched = [card for card in rules.kinds if rules.touches(colour, card)]
        s["hint_cards"][colour] = sum(1 << card_index(rules, card) for card in touched)
        s["hint_name"][colour] = 1 << kinds + colour
        s["hint_last"][colour] = 1 << after_target + colour
    for number in range(1, rules.ranks + 1):
        hint = rules.named_colours + number - 1
        touched = [card for card in rules.kinds if card.number == number]
        s["hint_cards"][hint] = sum(1 << card_index(rules, card) for card in touched)
        s["hint_name"][hint] = 1 << kinds + rules.suits + number - 1
        s["hint_last"][hint] = 1 << after_target + rules.suits + number - 1


def _write_actions(s: Any, rules: Rules, players: int) -> None:
    actions = all_actions(rules, players)
    s["actions"] = len(actions)
    for i, action in enumerate(actions):
        s["kind"][i], s["target"][i] = action.kind, action.target
        is_number = action.kind == ActionKind.HINT_NUMBER
        s["value"][i] = rules.named_colours + action.value - 1 if is_number else action.value
