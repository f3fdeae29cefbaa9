"""Positions written in a few letters."""

from catan_env.guests.hanabi import Card, Game, Rules
from catan_env.guests.hanabi.rules import rules_of


def deck(text: str, rules: Rules | str = "official", last: str = "") -> list[Card]:
    """A whole deck that begins with the cards of `text` and ends with those of `last`.

    Cards are written like "R1"; the rest of the box is in between, sorted.
    """
    first, end = ([Card.from_text(card) for card in cards.split()] for cards in (text, last))
    rest = list(rules_of(rules).box)
    for card in (*first, *end):
        rest.remove(card)
    return [*first, *rest, *end]


def game_of(
    hands: str, then: str = "", rules: Rules | str = "official", players: int = 2, last: str = ""
) -> Game:
    """A game with these hands, seat by seat, whose draws begin with `then` and end with `last`."""
    return Game(players, rules=rules, deck=deck(f"{hands} {then}", rules, last))


def to_last_card(game: Game) -> None:
    """Discard the oldest card or hint until one card is left to draw; no card is played."""
    while game.deck_size > 1:
        discard = next((a for a in game.legal_actions if a.kind == 0), None)
        game.play(discard or game.legal_actions[-1])
