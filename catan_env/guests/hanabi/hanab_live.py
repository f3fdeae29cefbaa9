"""Games in the JSON of hanab.live, read and written; every action is checked by our rules.

An object of `players` (names), `deck` (cards in the order of the deal, player by player, and then
of the draws), `actions` and `options`. Actions name a card by its place in the deck, a player by
its place at the table. Suits are red, yellow, green, blue and purple; our white stands for purple.

A game there may end before ours does: by a vote, on time, or when no further point is possible.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from catan_env.adapters.records import object_in
from catan_env.guests.hanabi.action import Action, ActionKind
from catan_env.guests.hanabi.cards import Card, Colour
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.record import deck_of
from catan_env.guests.hanabi.rules import OFFICIAL, Rules
from catan_env.kernel.shown import shown

NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily")
PLAY, DISCARD, COLOUR, NUMBER, END = range(5)
SUITS = (Colour.RED, Colour.YELLOW, Colour.GREEN, Colour.BLUE, Colour.WHITE, Colour.MULTI)
VARIANTS = {
    "No Variant": OFFICIAL,
    "6 Suits": Rules(multicolour="suit"),
    "Black (6 Suits)": Rules(multicolour="short"),
    "Rainbow (6 Suits)": Rules(multicolour="wild"),
    "4 Suits": Rules(colors=4),
    "3 Suits": Rules(colors=3),
}
OTHER_RULES = ("deckPlays", "allOrNothing", "cardCycle", "detrimentalCharacters")
"""Options that change the rules in ways that ours do not have."""


class LiveGame(NamedTuple):
    """A record as it was read."""

    names: tuple[str, ...]
    rules: Rules
    deck: tuple[Card, ...]
    """Our order: the hands of our seats, then the draws."""
    orders: tuple[int, ...]
    """The place of each of these cards in the record's deck."""
    actions: tuple[dict[str, int], ...]
    first: int
    """The player who is our seat 0."""


def dumps(game: Game, names: Sequence[str] = NAMES) -> str:
    """A game as text; ValueError if its rules are not those of a variant there.

    >>> game = Game(players=2, seed=5)
    >>> event = game.play(game.legal_actions[0])
    >>> loads(dumps(game)) == game
    True
    """
    variant, options = _variant_of(game)
    record = {
        "players": list(names[: game.players]),
        "deck": [
            {"suitIndex": _suit_of(game.rules, card.colour), "rank": card.number}
            for card in deck_of(game)
        ],
        "actions": list(_actions_of(game)),
        "options": {"variant": variant, **options},
    }
    return json.dumps(record) + "\n"


def loads(text: str) -> Game:
    """The final position of a game; ValueError if the record is invalid."""
    return list(positions(text))[-1]


def positions(text: str) -> Iterator[Game]:
    """The game before its first action and after each: one object, changed in place."""
    record = read(text)
    game = Game(len(record.names), 0, record.rules, record.deck)
    yield game
    hands, drawn = _dealt_orders(game, record.orders), iter(record.orders[_dealt(game) :])
    for count, given in enumerate(record.actions, 1):
        if given["type"] == END:
            return
        try:
            action = _action(game, given, hands[game.seat], record.first)
            event = game.play(action)
        except ValueError as error:
            raise ValueError(f"action {count} of the record: {error}") from None
        if not action.is_hint:
            del hands[event.seat][action.value]
            if event.has_drawn:
                hands[event.seat].append(next(drawn))
        yield game


def is_live(text: str) -> bool:
    """True if the text looks like a record of hanab.live."""
    try:
        return isinstance(object_in(text).get("deck"), list)
    except ValueError:
        return False


def read(text: str) -> LiveGame:
    """The record, not played yet; ValueError if it is invalid."""
    record = object_in(text)
    names = _checked(record, "players", str)
    options = record.get("options")
    if options is None:
        options = {}
    if not isinstance(options, dict):
        raise ValueError(f"'options' is {shown(options)}, not an object")
    rules = _rules(options, len(names))
    rules.check_players(len(names))
    cards = [_card(rules, card) for card in _checked(record, "deck", dict)]
    if len(cards) != len(rules.box):
        raise ValueError(f"a deck of {len(cards)} cards; the box holds {len(rules.box)}")
    first = options.get("startingPlayer", 0)
    if type(first) is not int or first not in range(len(names)):
        raise ValueError(f"startingPlayer is {shown(first)}; allowed are 0..{len(names) - 1}")
    orders = _our_orders(len(cards), rules.cards_in_hand(len(names)), len(names), first)
    actions = tuple(_whole_numbers(action) for action in _checked(record, "actions", dict))
    deck = tuple(cards[order] for order in orders)
    return LiveGame(tuple(names), rules, deck, orders, actions, first)


def _variant_of(game: Game) -> tuple[str, dict[str, Any]]:
    """The variant's name and the options that differ from its usual ones."""
    rules, usual = game.rules, replace(game.rules, hand_size=None)
    options: dict[str, Any] = {}
    extra = rules.cards_in_hand(game.players) - usual.cards_in_hand(game.players)
    if extra in (1, -1):
        options["oneExtraCard" if extra > 0 else "oneLessCard"] = True
    if rules.empty_hints:
        options["emptyClues"] = True
    plain = replace(usual, empty_hints=False)
    for name, variant in VARIANTS.items():
        if variant == plain and abs(extra) <= 1:
            return name, options
    raise ValueError(f"{rules} is not a variant of hanab.live; those are {', '.join(VARIANTS)}")


def _rules(options: dict[str, Any], players: int) -> Rules:
    variant = options.get("variant", "No Variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise ValueError(f"variant {shown(variant)}; allowed are {', '.join(VARIANTS)}")
    other = [name for name in OTHER_RULES if _is_set(options, name)]
    if other:
        raise ValueError(f"{', '.join(other)}: games with this option have other rules")
    rules = replace(VARIANTS[variant], empty_hints=_is_set(options, "emptyClues"))
    extra = _is_set(options, "oneExtraCard") - _is_set(options, "oneLessCard")
    return replace(rules, hand_size=rules.cards_in_hand(players) + extra) if extra else rules


def _is_set(options: dict[str, Any], name: str) -> bool:
    given = options.get(name)
    if given is not None and type(given) is not bool:
        raise ValueError(f"{name} is {shown(given)}; allowed are true and false")
    return bool(given)


def _suits(rules: Rules) -> tuple[int, ...]:
    """Our colour of each suit."""
    return SUITS[: rules.suits] if rules.colors == 5 else tuple(range(rules.suits))


def _suit_of(rules: Rules, colour: int) -> int:
    return _suits(rules).index(colour)


def _card(rules: Rules, given: dict[str, Any]) -> Card:
    suit, rank = given.get("suitIndex"), given.get("rank")
    if type(suit) is int and type(rank) is int:
        if suit in range(rules.suits) and rank in range(1, rules.ranks + 1):
            return Card(_suits(rules)[suit], rank)
    raise ValueError(
        f"no card {shown(given)}; suits are 0..{rules.suits - 1}, ranks 1..{rules.ranks}"
    )


def _our_orders(cards: int, hand: int, players: int, first: int) -> tuple[int, ...]:
    """The record's deck places in our order, in which the first player's hand comes first."""
    hands = [range(hand * player, hand * (player + 1)) for player in range(players)]
    dealt = [order for seat in range(players) for order in hands[(seat + first) % players]]
    return (*dealt, *range(hand * players, cards))


def _dealt(game: Game) -> int:
    return game.players * game.rules.cards_in_hand(game.players)


def _dealt_orders(game: Game, orders: Sequence[int]) -> list[list[int]]:
    """By seat, the deck places of the cards in hand."""
    size = game.rules.cards_in_hand(game.players)
    return [list(orders[size * seat : size * (seat + 1)]) for seat in range(game.players)]


def _action(game: Game, given: dict[str, int], hand: list[int], first: int) -> Action:
    """The action of a record; ValueError if there is none like it."""
    kind, target, value = given["type"], given["target"], given.get("value", 0)
    if kind in (PLAY, DISCARD):
        if target not in hand:
            raise ValueError(f"card {shown(target)} is not in the player's hand {hand}")
        place = hand.index(target)
        return Action.play(place) if kind == PLAY else Action.discard(place)
    if kind not in (COLOUR, NUMBER):
        raise ValueError(f"type {shown(kind)}; allowed are 0..{END}")
    if target not in range(game.players):
        raise ValueError(f"target {shown(target)}; allowed are 0..{game.players - 1}")
    step = (target - first - game.seat) % game.players
    if kind == NUMBER:
        return Action.hint_number(step, value)
    if value not in range(game.rules.named_colours):
        raise ValueError(f"colour {shown(value)}; allowed are 0..{game.rules.named_colours - 1}")
    return Action.hint_colour(step, _suits(game.rules)[value])


def _actions_of(game: Game) -> Iterator[dict[str, int]]:
    """The game's actions as a record has them."""
    hands = _dealt_orders(game, range(_dealt(game)))
    drawn = _dealt(game)
    for event in game.events:
        action = event.action
        if action.is_hint:
            is_number = action.kind == ActionKind.HINT_NUMBER
            yield {
                "type": NUMBER if is_number else COLOUR,
                "target": (event.seat + action.target) % game.players,
                "value": action.value if is_number else _suit_of(game.rules, action.value),
            }
            continue
        order = hands[event.seat].pop(action.value)
        yield {"type": PLAY if action.kind == ActionKind.PLAY else DISCARD, "target": order}
        if event.has_drawn:
            hands[event.seat].append(drawn)
            drawn += 1


def _checked(record: dict[str, Any], name: str, kind: type) -> list[Any]:
    """The list of that name, of entries of that kind."""
    entries = record.get(name)
    if not isinstance(entries, list) or not all(isinstance(entry, kind) for entry in entries):
        raise ValueError(f"{name!r} is {shown(entries)}, not a list of {kind.__name__}")
    return entries


def _whole_numbers(action: dict[str, Any]) -> dict[str, int]:
    """An action whose entries are whole numbers."""
    kept = {name: action.get(name, 0) for name in ("type", "target", "value")}
    if "type" not in action or any(type(entry) is not int for entry in kept.values()):
        raise ValueError(
            f"an action has a type, a target and a value in numbers, not {shown(action)}"
        )
    return kept
