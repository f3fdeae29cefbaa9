"""A seat's view as a native game in which the unknown cards are still to be written."""

from typing import Any

from catan_env.guests.hanabi.native.memory import GAME, NOBODY
from catan_env.guests.hanabi.observation import card_index, discards_bits
from catan_env.guests.hanabi.view import SeatView
from catan_env.kernel.memory import new_blocks

NO_LIMIT = -1  # the turns left before the last card is drawn


def game_of(view: SeatView) -> Any:
    """The view as a block: (1,) `GAME`, without the viewer's cards, the deck and last actions."""
    block = new_blocks(1, GAME)
    g, rules = block[0], view.rules
    g["tokens"], g["mistakes"], g["points"] = view.tokens, view.mistakes, view.points
    g["seat"], g["moves"], g["left"] = view.seat, len(view.events), view.deck_size
    g["turns_left"] = NO_LIMIT if view.turns_left is None else view.turns_left
    g["last_seat"] = g["last_target"] = NOBODY
    g["discards"] = discards_bits(view)
    for colour, top in enumerate(view.tops):
        first = colour * rules.ranks
        g["tops"] |= 1 << first + top - 1 if top else 0
        g["playable"] |= 1 << first + top if top < rules.ranks else 0
    for seat, hand in enumerate(view.hands):
        g["count"][seat] = len(hand)
        for place, card in enumerate(hand):
            if card is not None:
                g["hand"][seat, place] = 1 << card_index(rules, card)
    return block
