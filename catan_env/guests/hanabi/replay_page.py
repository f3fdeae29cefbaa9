"""A game as one web page: every position, from any seat, without a server."""

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catan_env.guests.hanabi.cards import LETTERS, Card
from catan_env.guests.hanabi.event import Event
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.hanab_live import NAMES
from catan_env.guests.hanabi.position import HanabiPosition, said_of
from catan_env.guests.hanabi.record import deck_of

HERE = Path(__file__).parent


def page_of(game: Game, names: Sequence[str] = NAMES) -> str:
    """The page of a game."""
    names = names[: game.players]
    shown = json.dumps(contents_of(game, names)).replace("<", "\\u003c")
    template = (HERE / "replay.html").read_text(encoding="utf-8")
    title = html.escape(f"Hanabi: {', '.join(names)}")
    return template.replace("{{title}}", title).replace("{{game}}", shown)


def contents_of(game: Game, names: Sequence[str]) -> dict[str, Any]:
    """The positions and actions of a game, as the page reads them."""
    replayed = Game(game.players, 0, game.rules, deck_of(game))
    steps = [_position(replayed)]
    said = ["The cards are dealt."]
    for event in game.events:
        said.append(sentence(event, names))
        replayed.play(event.action)
        steps.append({**_position(replayed), "by": event.seat, **_marks(event, game.players)})
    return {
        "names": list(names),
        "suits": LETTERS[: game.rules.suits],
        "best": game.rules.max_score,
        "steps": steps,
        "said": said,
    }


def sentence(event: Event, names: Sequence[str]) -> str:
    """An event as a sentence.

    >>> from catan_env.guests.hanabi import Action
    >>> sentence(Event(1, Action.hint_number(1, 3), touched=(0, 2)), ["Ann", "Ben"])
    'Ben hints 3 to Ann: 2 cards'
    """
    name, action = names[event.seat], event.action
    if action.is_hint:
        other = names[(event.seat + action.target) % len(names)]
        what = str(action).split(" ")[1]
        count = len(event.touched)
        return f"{name} hints {what} to {other}: {count} card{'s' * (count != 1)}"
    if not str(action).startswith("play"):
        return f"{name} discards {event.card}"
    return f"{name} plays {event.card}" + ("" if event.is_placed else ", which does not fit")


def _position(game: HanabiPosition) -> dict[str, Any]:
    return {
        "hands": [[_text(card) for card in hand] for hand in game.hands],
        "known": [[said_of(game.rules, known) for known in hand] for hand in game.knowledge],
        "hinted": [[int(known.is_hinted) for known in hand] for hand in game.knowledge],
        "tops": list(game.tops),
        "tokens": game.tokens,
        "lives": game.lives,
        "deck": game.deck_size,
        "discards": sorted(map(str, game.discards)),
        "score": game.score,
        "turn": None if game.is_over else game.seat,
        "left": game.turns_left,
    }


def _marks(event: Event, players: int) -> dict[str, Any]:
    """The cards that an event points out, in the hand after it."""
    if not event.action.is_hint:
        return {}
    seat = (event.seat + event.action.target) % players
    return {"to": seat, "touched": list(event.touched)}


def _text(card: Card | None) -> str:
    assert card is not None, "a game knows all its cards"
    return str(card)
