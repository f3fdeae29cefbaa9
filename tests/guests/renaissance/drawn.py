"""Small positions drawn by hand: letters C coin, S stone, V servant, H shield, F faith, . white."""

from typing import Any

import numpy as np

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.native import actions as at
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.state import ACTIVE, EMPTY, IN_HAND

LETTERS = "CSVHF."
KEEP, LINE, WHITE, PLACE, BUY, PAY, GAIN, PRODUCE = (
    at.KEEP_AT,
    at.LINE_AT,
    at.WHITE_AT,
    at.PLACE_AT,
    at.BUY_AT,
    at.PAY_AT,
    at.GAIN_AT,
    at.PRODUCE_AT,
)
DONE, ACTIVATE, DISCARD, SWAP, END = (
    at.DONE_ACTION,
    at.ACTIVATE_AT,
    at.DISCARD_AT,
    at.SWAP_AT,
    at.END_ACTION,
)
AWAY = at.DISCARD_PLACE
SWAPS = [(at.SWAPS[k, 0], at.SWAPS[k, 1]) for k in range(10)]


def fresh(seats: int = 2, seed: int = 1, cards: str = "printed") -> Game:
    """A game after its set-up in which no seat holds or has moved anything."""
    game = Game(seats, seed, cards)
    while not game.is_playing:
        game.play(first_legal(game))
    state = game.state
    state["faith"] = 0
    for seat in range(seats):
        shelves(game, seat)
    return refresh(game)


def refresh(game: Game) -> Game:
    """Write the mask of the state."""
    doors.renew_mask(game._states, 0)
    return game


def legal(game: Game) -> set[int]:
    """The flat indices in the mask."""
    return {int(k) for k in np.flatnonzero(game.action_mask)}


def first_legal(game: Game) -> int:
    return int(np.flatnonzero(game.action_mask)[0])


def shelves(game: Game, seat: int, *contents: str) -> Game:
    """Set the goods on a seat's shelves, from the smallest on."""
    for shelf, letters in enumerate((*contents, "", "", "")[:3]):
        game.state["shelf_count"][seat, shelf] = len(letters)
        game.state["shelf_good"][seat, shelf] = LETTERS.index(letters[0]) if letters else EMPTY
    return refresh(game)


def shelves_of(game: Game, seat: int) -> list[str]:
    """A seat's shelves, in the form of `shelves`."""
    goods, counts = game.state["shelf_good"][seat], game.state["shelf_count"][seat]
    return [LETTERS[good] * int(count) for good, count in zip(goods, counts, strict=True)]


def strongbox(game: Game, seat: int, letters: str) -> Game:
    """Set the goods in a seat's strongbox."""
    game.state["strongbox"][seat] = [letters.count(letter) for letter in LETTERS[:4]]
    return refresh(game)


def strongbox_of(game: Game, seat: int) -> str:
    """A seat's strongbox, in the form of `strongbox`."""
    counts = game.state["strongbox"][seat]
    return "".join(letter * int(n) for letter, n in zip(LETTERS, counts, strict=False))


def leaders(game: Game, seat: int, *ids: int, state: int = ACTIVE) -> Game:
    """Give a seat these leaders, all in one state; ids that are left out are in hand."""
    for i, leader in enumerate(ids):
        game.state["leader"][seat, i] = leader
        game.state["leader_state"][seat, i] = state
    return refresh(game)


def in_hand(game: Game, seat: int, *ids: int) -> Game:
    """Give a seat these leaders face down."""
    return leaders(game, seat, *ids, state=IN_HAND)


def slots(game: Game, seat: int, *cards: tuple[int, ...]) -> Game:
    """Fill a seat's slots with these cards, bottom first, and take them from their stacks."""
    for slot, ids in enumerate(cards):
        game.state["slot"][seat, slot] = EMPTY
        game.state["height"][seat, slot] = len(ids)
        for level, card in enumerate(ids):
            game.state["slot"][seat, slot, level] = card
    return refresh(game)


def market(game: Game, rows: str, slide: str) -> Game:
    """Set the marbles: three rows of four, as in "CSVH CSVH ....", and the slide."""
    letters = rows.replace(" ", "") + slide
    game.state["market"] = [LETTERS.index(letter) for letter in letters]
    return refresh(game)


def market_of(game: Game) -> tuple[str, str]:
    """The market in the form of `market`."""
    letters = "".join(LETTERS[marble] for marble in game.state["market"])
    return " ".join(letters[k : k + 4] for k in (0, 4, 8)), letters[-1]


def top(game: Game, *cards: int) -> Game:
    """Turn these cards up on their stacks."""
    for card in cards:
        colour, level = game.state["dev"][card][:2]
        stack = game.state["stack"][colour, level - 1]
        where = int(np.flatnonzero(stack == card)[0])
        last = game.state["left"][colour, level - 1] - 1
        stack[where], stack[last] = stack[last], stack[where]
        game.state["top"][colour, level - 1] = card
    return refresh(game)


def buy(game: Game, card: int, slot: int) -> int:
    """The action that buys a card."""
    colour, level = game.state["dev"][card][:2]
    return BUY + 9 * int(colour) + 3 * (int(level) - 1) + slot


def pay(letter: str, source: int) -> int:
    """The action that pays a piece: source 0 shelf, 1 depot, 2 strongbox."""
    return PAY + 3 * LETTERS.index(letter) + source


def play(game: Game, *actions: int) -> Game:
    """Play all these."""
    for action in actions:
        game.play(action)
    return game


def take(game: Game, line: int, *places: int) -> Game:
    """Take a line; its goods go to these places, the rest is discarded."""
    play(game, LINE + line)
    for place in places:
        if game.phase == "place":
            game.play(PLACE + place)
    while game.phase == "place":
        game.play(PLACE + AWAY)
    return game


def end_turns(game: Game, seats: int) -> Game:
    """Play `seats` turns in which a line is taken and everything discarded."""
    for _ in range(seats):
        pass_turn(game)
    return game


def pass_turn(game: Game) -> Game:
    """Let the seat on turn take a line, discard as the mask allows, and end its turn."""
    if not game.state["main_done"]:
        game.play(LINE)
        while game.phase == "white":
            game.play(WHITE)
        while game.phase == "place":
            game.play(PLACE + AWAY)
    game.play(END)
    return game


def tiles(game: Game, seat: int) -> list[int]:
    """The state of each report's tile: 0 open, 1 won, 2 lost."""
    return [int(tile) for tile in game.state["tile"][seat]]


def faith(game: Game) -> list[int]:
    """The spaces of all markers."""
    return [int(n) for n in game.state["faith"][: game.seats]]


def bytes_of(game: Game) -> Any:
    """All bytes of the block."""
    return game._array.tobytes()
