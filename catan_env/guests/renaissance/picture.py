"""A position as text."""

from collections.abc import Iterable
from typing import Any

from catan_env.guests.renaissance.native.cards import (
    COLOURS,
    COLUMNS,
    COST,
    GOOD,
    KIND,
    KINDS,
    LEVELS,
    POINTS,
    RESOURCES,
    ROWS,
)
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    EMPTY,
    LORENZO,
    NOBODY,
    SHELVES,
    SLOTS,
    WON,
)

LETTERS = "CSVHF."  # coin, stone, servant, shield, faith, white


def picture(position: Any) -> str:
    """Market, grid and boards as lines of text."""
    state = position.state
    lines = [_head(position), *_market(state), *_grid(state)]
    if position.seats == 1:
        lines.append(f"Lorenzo's cross {state['cross']}")
    lines += [line for seat in range(position.seats) for line in _board(position, seat)]
    return "\n".join(lines)


def _head(position: Any) -> str:
    if position.is_over:
        who = "Lorenzo has" if position.winner == LORENZO else f"seat {position.winner} has"
        return f"{who} won, scores {position.scores()}"
    on_turn = "no seat" if position.seat == NOBODY else f"seat {position.seat}"
    last = ", last round" if position.state["last_round"] else ""
    return f"round {position.round}, {on_turn} decides: {position.phase}{last}"


def _market(state: Any) -> Iterable[str]:
    market = "".join(LETTERS[marble] for marble in state["market"])
    for row in range(ROWS):
        yield f"  {market[COLUMNS * row : COLUMNS * (row + 1)]}"
    yield f"  slide {market[-1]}  (C coin, S stone, V servant, H shield, F faith, . white)"


def _grid(state: Any) -> Iterable[str]:
    for level in range(LEVELS):
        cards = []
        for colour, name in enumerate(COLOURS):
            card = state["top"][colour, level]
            left = state["left"][colour, level]
            cards.append(f"{name} {_card(state, card)} x{left}" if card != EMPTY else f"{name} -")
        yield f"  level {level + 1}: " + " | ".join(cards)


def _card(state: Any, card: int) -> str:
    row = state["dev"][card]
    return f"{row[POINTS]}p for {_goods(row[COST : COST + 4])}"


def _goods(counts: Iterable[int]) -> str:
    return (
        "".join(letter * count for letter, count in zip(LETTERS, counts, strict=False) if count)
        or "-"
    )


def _board(position: Any, seat: int) -> Iterable[str]:
    state = position.state
    tiles = sum(int(tile == WON) for tile in state["tile"][seat])
    yield (
        f"seat {seat}: faith {state['faith'][seat]}, {tiles} tiles, {position.points(seat)} points"
        f"{' (away)' if state['away'][seat] else ''}"
    )
    shelves = [
        LETTERS[state["shelf_good"][seat, k]] * state["shelf_count"][seat, k] or "-"
        for k in range(SHELVES)
    ]
    slots = [
        "/".join(str(card) for card in state["slot"][seat, k][: state["height"][seat, k]]) or "-"
        for k in range(SLOTS)
    ]
    yield (
        f"  shelves {' '.join(shelves)}  strongbox {_goods(state['strongbox'][seat])}"
        f"  slots {' '.join(slots)}{_leaders(state, seat)}"
    )


def _leaders(state: Any, seat: int) -> str:
    active = [
        f"{KINDS[state['leaders'][leader, KIND]]} {RESOURCES[state['leaders'][leader, GOOD]]}"
        + (f" ({state['depot'][seat, i]})" if state["depot"][seat, i] else "")
        for i, leader in enumerate(state["leader"][seat])
        if state["leader_state"][seat, i] == ACTIVE
    ]
    return f"  leaders {', '.join(active)}" if active else ""
