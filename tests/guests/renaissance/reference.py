"""The rules once more, slowly and without the engine: legal actions, observations and scores.

Reads only a game's facts; tries out sequences to their end.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.native.actions import PAIRS, SWAPS

KEEP, LINE, WHITE, PLACE, BUY, PAY, GAIN, PRODUCE, DONE = 0, 6, 13, 15, 21, 57, 69, 74, 80
ACTIVATE, DISCARD, SWAP, END = 81, 83, 85, 95
GOLD = {3: 1, 6: 2, 9: 4, 12: 6, 15: 9, 18: 12, 21: 16, 24: 20}
DISCOUNT, DEPOT, PRODUCTION, WHITE_MARBLE = range(4)
Containers = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], tuple[int, ...]]
"""Shelves (good, pieces), open depots (good, pieces), strongbox by good."""


def containers(game: Game, seat: int) -> Containers:
    state = game.state
    shelves = zip(
        state["shelf_good"][seat].tolist(), state["shelf_count"][seat].tolist(), strict=True
    )
    depots = tuple(
        (leader_row(game, seat, i)["good"], int(state["depot"][seat, i]))
        if is_active(game, seat, i, DEPOT)
        else (-1, 0)
        for i in range(2)
    )
    return tuple(shelves), depots, tuple(state["strongbox"][seat].tolist())


def leader_row(game: Game, seat: int, i: int) -> dict[str, Any]:
    row = game.state["leaders"][game.state["leader"][seat, i]].tolist()
    needs = [(row[4], row[5], row[6]), (row[7], row[8], row[9])]
    return {
        "kind": row[0],
        "good": row[1],
        "points": row[2],
        "faith": row[3],
        "cards": needs,
        "goods": row[10:14],
    }


def is_active(game: Game, seat: int, i: int, kind: int) -> bool:
    return game.state["leader_state"][seat, i] == 1 and leader_row(game, seat, i)["kind"] == kind


def sources(held: Containers) -> dict[tuple[int, int], int]:
    """Pieces by good and source: 0 shelf, 1 depot, 2 strongbox."""
    shelves, depots, box = held
    found: dict[tuple[int, int], int] = {}
    for good, count in shelves:
        if count:
            found[good, 0] = count
    for good, count in depots:
        if good >= 0 and count:
            found[good, 1] = count
    for good, count in enumerate(box):
        if count:
            found[good, 2] = count
    return found


def totals(held: Containers) -> list[int]:
    return [sum(n for (kind, _), n in sources(held).items() if kind == good) for good in range(4)]


def cards(game: Game, seat: int) -> list[list[int]]:
    """Rows of the cards in each slot, bottom first."""
    state = game.state
    return [
        [int(card) for card in state["slot"][seat, slot][: state["height"][seat, slot]]]
        for slot in range(3)
    ]


def points_by_the_rules(game: Game, seat: int) -> int:
    """R084 without goods."""
    state = game.state
    points = max([0, *(worth for space, worth in GOLD.items() if space <= state["faith"][seat])])
    points += sum(
        worth for worth, tile in zip((2, 3, 4), state["tile"][seat], strict=True) if tile == 1
    )
    points += sum(int(state["dev"][card][2]) for slot in cards(game, seat) for card in slot)
    kept = (i for i in range(2) if state["leader_state"][seat, i] == 1)
    return points + sum(leader_row(game, seat, i)["points"] for i in kept)


def legal_actions(game: Game) -> set[int]:
    seat = game.seat
    steps = {
        "keep": lambda: set(range(KEEP, KEEP + len(PAIRS))),
        "main": lambda: main(game, seat),
        "white": lambda: {WHITE, WHITE + 1},
        "place": lambda: place(game, seat),
        "pay": lambda: payment(game, seat),
        "gain": lambda: gain(game, seat),
        "produce": lambda: productions(game, seat) | {DONE},
    }
    return steps[game.phase]()


def main(game: Game, seat: int) -> set[int]:
    actions: set[int] = set()
    for i in range(2):
        if game.state["leader_state"][seat, i] == 0:
            actions.add(DISCARD + i)
            if meets(game, seat, leader_row(game, seat, i)):
                actions.add(ACTIVATE + i)
    actions |= {SWAP + k for k in range(10) if may_swap(game, seat, SWAPS[k, 0], SWAPS[k, 1])}
    if game.state["main_done"]:
        return actions | {END}
    return actions | set(range(LINE, LINE + 7)) | purchases(game, seat) | productions(game, seat)


def meets(game: Game, seat: int, row: dict[str, Any]) -> bool:
    owned = [game.state["dev"][card][:2].tolist() for slot in cards(game, seat) for card in slot]
    for colour, level, count in row["cards"]:
        if sum(c == colour and (level in (0, n)) for c, n in owned) < count:
            return False
    held = totals(containers(game, seat))
    return all(have >= want for have, want in zip(held, row["goods"], strict=True))


def may_swap(game: Game, seat: int, a: int, b: int) -> bool:
    shelves, depots, _ = containers(game, seat)
    places = [*shelves, *depots]
    if game.state["swaps"] >= 4 or any(p >= 3 and places[p][0] < 0 for p in (a, b)):
        return False
    contents = [place if place[1] else (-1, 0) for place in places]
    if contents[a] == contents[b]:
        return False
    contents[a], contents[b] = contents[b], contents[a]
    kinds = [good for good, count in contents[:3] if count]
    fits = all(count <= size for (_, count), size in zip(contents[:3], (1, 2, 3), strict=True))
    for i in (3, 4):
        good, count = contents[i]
        fits = fits and count <= 2 and (count == 0 or good == places[i][0])
    return fits and len(kinds) == len(set(kinds))


def cost(game: Game, seat: int, card: int) -> list[int]:
    price = game.state["dev"][card][3:7].tolist()
    for i in range(2):
        if is_active(game, seat, i, DISCOUNT):
            good = leader_row(game, seat, i)["good"]
            price[good] = max(0, price[good] - 1)
    return price


def purchases(game: Game, seat: int) -> set[int]:
    held, found = totals(containers(game, seat)), set()
    for colour in range(4):
        for level in range(3):
            card = int(game.state["top"][colour, level])
            if card < 0:
                continue
            price = cost(game, seat, card)
            if all(have >= want for have, want in zip(held, price, strict=True)):
                heights = game.state["height"][seat]
                slots = [slot for slot in range(3) if heights[slot] == level]
                found |= {BUY + 9 * colour + 3 * level + slot for slot in slots}
    return found


def recipe(game: Game, seat: int, production: int) -> tuple[list[int], int] | None:
    """Goods that a production takes, and the number of any kind; None if it does not exist."""
    if production == 0:
        return [0] * 4, 2
    if production < 4:
        pile = cards(game, seat)[production - 1]
        return (game.state["dev"][pile[-1]][7:11].tolist(), 0) if pile else None
    if not is_active(game, seat, production - 4, PRODUCTION):
        return None
    goods = [0] * 4
    goods[leader_row(game, seat, production - 4)["good"]] = 1
    return goods, 0


def productions(game: Game, seat: int) -> set[int]:
    held, found = totals(containers(game, seat)), set()
    chosen = np.flatnonzero(game.state["chosen"])
    for production in range(int(chosen.max()) + 1 if len(chosen) else 0, 6):
        takes = recipe(game, seat, production)
        if takes is None:
            continue
        if all(have >= want for have, want in zip(held, takes[0], strict=True)):
            if sum(held) >= sum(takes[0]) + takes[1]:
                found.add(PRODUCE + production)
    return found


@lru_cache(maxsize=200_000)
def can_pay(
    left: frozenset[tuple[int, int]], owed: tuple[int, ...], any_good: int, last: int
) -> bool:
    """True if pieces can be paid in ascending order until nothing is owed."""
    if not any(owed) and not any_good:
        return True
    return any(
        can_pay(*after)
        for after in (paid(left, owed, any_good, piece, last) for piece in range(12))
        if after
    )


def paid(left: Any, owed: tuple[int, ...], any_good: int, piece: int, last: int) -> Any:
    """The remainder after a piece, or None if it may not be paid."""
    counts, good = dict(left), piece // 3
    if piece < last or not counts.get(piece):
        return None
    if any(owed):
        if not owed[good]:
            return None
        owed = tuple(n - (k == good) for k, n in enumerate(owed))
    else:
        any_good -= 1
    counts[piece] -= 1
    return frozenset(counts.items()), owed, any_good, piece


def payment(game: Game, seat: int) -> set[int]:
    state = game.state
    counts = {3 * good + source: n for (good, source), n in sources(containers(game, seat)).items()}
    owed, last = tuple(state["owed"].tolist()), int(state["last"])
    left, any_good = frozenset(counts.items()), int(state["owed_any"])
    found = set()
    for piece in range(12):
        after = paid(left, owed, any_good, piece, last)
        if after and can_pay(*after):
            found.add(PAY + piece)
    return found


def gain(game: Game, seat: int) -> set[int]:
    if not game.is_playing:
        last = int(game.state["last"])
        return {
            GAIN + good
            for good in range(4)
            if good >= last and any(fits(game, seat, good, shelf) for shelf in range(3))
        }
    now = int(game.state["now"])
    is_open = (
        game.state["base_faith_open"] if now == 0 else leader_row(game, seat, now - 4)["faith"]
    )
    return set(range(GAIN, GAIN + 4 + int(is_open)))


def fits(game: Game, seat: int, good: int, place: int) -> bool:
    shelves, depots, _ = containers(game, seat)
    if place >= 3:
        return depots[place - 3][0] == good and depots[place - 3][1] < 2
    elsewhere = any(kind == good and count for k, (kind, count) in enumerate(shelves) if k != place)
    kind, count = shelves[place]
    return not elsewhere and count <= place and (count == 0 or kind == good)


def place(game: Game, seat: int) -> set[int]:
    good, last = int(game.state["kind"]), int(game.state["last"])
    if not game.is_playing:
        shelves = {shelf for shelf in range(3) if fits(game, seat, good, shelf)}
        if game.state["gains"] and good == 3:
            shelves -= {0}
        return {PLACE + shelf for shelf in shelves}
    places = {spot for spot in range(max(last, 0), 5) if fits(game, seat, good, spot)}
    return {PLACE + spot for spot in places | {5}}


def observation_of(game: Game, viewer: int) -> np.ndarray:
    """The 886 bytes, block after block, as documented on the page."""
    state, seats = game.state, game.seats
    decides = game.seat == viewer and not game.is_over
    on_turn = (game.turn_seat - viewer) % seats
    blocks: list[Any] = [
        one_hot(7, ["keep", "main", "white", "place", "pay", "gain", "produce"].index(game.phase))
        if decides
        else [0] * 7,
        one_hot(4, int(state["transaction"])) if decides else [0] * 4,
        one_hot(4, seats - 1),
        one_hot(4, viewer),
        one_hot(4, on_turn) if game.is_playing else [0] * 4,
        [state["main_done"], state["last_round"]],
        [4 - state["swaps"] if game.is_playing and on_turn == 0 else 0],
        *(one_hot(6, int(marble)) for marble in state["market"]),
    ]
    for colour in range(4):
        for level in range(3):
            card = int(state["top"][colour, level])
            row = state["dev"][card].tolist()
            blocks.append([1, row[2], *row[3:16]] if card >= 0 else [0] * 15)
            blocks.append([state["left"][colour, level]])
    for step in range(4):
        blocks.append(board(game, viewer, (viewer + step) % seats) if step < seats else [0] * 118)
    blocks += own_leaders(game, viewer)
    blocks += [[state["cross"]], state["token_out"]] if seats == 1 else [[0] * 8]
    blocks.append(one_hot(7, int(state["last_token"])))
    blocks += pending(state) if decides else [[0] * 33]
    return np.concatenate([np.asarray(block, dtype=np.int64) for block in blocks])


def one_hot(size: int, at: int) -> list[int]:
    return [int(k == at) for k in range(size)]


def board(game: Game, viewer: int, seat: int) -> list[int]:
    state = game.state
    shelves, depots, box = containers(game, seat)
    if seat != viewer and seat == game.seat and game.sequence and game.is_playing:
        before = list(
            zip(state["was_shelf_good"].tolist(), state["was_shelf_count"].tolist(), strict=True)
        )
        depots = tuple(
            (good, int(n)) for (good, _), n in zip(depots, state["was_depot"], strict=True)
        )
        shelves, box = tuple(before), tuple(state["was_strongbox"].tolist())
    if seat != viewer and not game.is_playing:
        shelves = ((-1, 0),) * 3
    row = [
        1,
        1 - int(state["away"][seat]),
        int(state["faith"][seat]),
        points_by_the_rules(game, seat),
    ]
    row += [int(tile == 1) for tile in state["tile"][seat]]
    row += [int(tile == 2) for tile in state["tile"][seat]]
    for kind, count in shelves:
        row += [count if good == kind else 0 for good in range(4)]
    row += [sum(count for kind, count in depots if kind == good) for good in range(4)]
    row += [int(any(kind == good for kind, _ in depots)) for good in range(4)]
    row += [min(count, 255) for count in box]
    for pile in cards(game, seat):
        faces = [state["dev"][card].tolist() for card in pile]
        row += [len(pile)]
        for level in range(3):
            row += one_hot(4, faces[level][0]) if level < len(faces) else [0] * 4
        row += faces[-1][7:16] if faces else [0] * 9
    shown = game.is_playing or (seat == viewer and state["has_kept"][seat])
    states = state["leader_state"][seat].tolist() if shown else []
    row += [states.count(0) if shown else 4, states.count(2)]
    active = {int(state["leader"][seat, i]) for i, how in enumerate(states) if how == 1}
    return row + [int(leader in active) for leader in range(16)]


def own_leaders(game: Game, viewer: int) -> list[list[int]]:
    state = game.state
    if not state["has_kept"][viewer]:
        return [one_hot(16, int(leader)) for leader in state["dealt"][viewer]] + [[0] * 6]
    ids = [one_hot(16, int(leader)) for leader in state["leader"][viewer]]
    return [*ids, [0] * 32, *(one_hot(3, int(how)) for how in state["leader_state"][viewer])]


def pending(state: Any) -> list[Any]:
    return [
        state["to_place"],
        [state["whites"]],
        one_hot(4, int(state["kind"])),
        state["owed"],
        [state["owed_any"], state["gains"]],
        state["chosen"],
        one_hot(6, int(state["now"])),
        state["promised"],
        [state["promised_faith"], state["discarded"]],
    ]
