"""Records: a game as JSON text, from which it can be replayed.

A record holds the rules, the number of players, the deck in the order of the deal and the draws,
and the numbers of the actions, which determine the game.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from typing import Any

from catan_env.adapters.records import check_fields, object_in
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.rules import OFFICIAL, Rules
from catan_env.kernel.shown import LONGEST, shortened, shown

FORMAT = "hanabi 1"
FIELDS = {"players": int, "rules": dict, "deck": str, "actions": list, "score": int}


def dumps(game: Game) -> str:
    """A game as text; options with their official values are left out.

    >>> game = Game(players=3, seed=5)
    >>> event = game.play(game.legal_actions[0])
    >>> loads(dumps(game)) == game
    True
    """
    official = asdict(OFFICIAL)
    rules = {name: value for name, value in asdict(game.rules).items() if value != official[name]}
    record = {
        "format": FORMAT,
        "players": game.players,
        "rules": rules,
        "deck": " ".join(map(str, deck_of(game))),
        "actions": [game.number_of(event.action) for event in game.events],
        "score": game.score,
    }
    return json.dumps(record, indent=1) + "\n"


def loads(text: str) -> Game:
    """The final position of a recorded game; ValueError if the record is invalid."""
    return list(positions(text))[-1]


def positions(text: str) -> Iterator[Game]:
    """The recorded game before its first action and after each: one object, changed in place."""
    record = _read(text)
    game = Game(record["players"], 0, _rules(record["rules"]), _deck(record["deck"]))
    yield game
    for count, number in enumerate(record["actions"], 1):
        try:
            game.play(number)
        except IllegalActionError as error:
            raise ValueError(f"action {count} of the record: {error}") from None
        yield game
    if record["score"] != game.score:
        raise ValueError(
            f"the record's score is {shown(record['score'])}; the game's is {game.score}"
        )


def deck_of(game: Game) -> list[Card]:
    """All cards in the order of the deal and then of the draws."""
    dealt = [card for hand in game.dealt for card in hand]
    drawn = [event.drawn for event in game.events]
    return [card for card in [*dealt, *drawn] if card is not None] + game.deck


def _read(text: str) -> dict[str, Any]:
    record = object_in(text)
    if record.get("format") != FORMAT:
        raise ValueError(f"not a record of format {FORMAT!r}")
    check_fields(record, FIELDS)
    for number in record["actions"]:
        if type(number) is not int:
            raise ValueError(f"a record's actions are numbers, not {shown(number)}")
    return record


def _rules(options: dict[str, Any]) -> Rules:
    allowed = [field.name for field in fields(Rules)]
    unknown = sorted(options.keys() - set(allowed))
    if unknown:
        names = shortened(", ".join(unknown), LONGEST)
        raise ValueError(f"unknown rules: {names}; allowed are {', '.join(allowed)}")
    try:
        return Rules(**options)
    except TypeError as error:
        raise ValueError(f"rules {shown(options)}: {error}") from None


def _deck(text: str) -> list[Card]:
    return [Card.from_text(word) for word in text.split()]
