"""A seat's view as text: the board, every seat, its hand, the numbered legal actions.

Corners, roads and tiles have numbers, so that a reader can follow adjacency; a road is written as
its two corners. Only what the seat may know is in the text.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from catan_env.core.constants import DevelopmentCard, Phase, Resource, Terrain
from catan_env.game import geometry
from catan_env.game.action import Action, ActionKind
from catan_env.game.event import from_code
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.render.place_names import described, tile_names

TO_DO = {
    Phase.PLACE_SETTLEMENT: "places a settlement",
    Phase.PLACE_ROAD: "places a road next to its last settlement",
    Phase.ROLL: "rolls the dice, or plays a card before",
    Phase.DISCARD: "discards one card after another",
    Phase.ROBBER: "moves the robber",
    Phase.MAIN: "trades, builds, plays a card or ends the turn",
    Phase.FREE_ROAD: "places a free road",
    Phase.ANSWER: "accepts or rejects an offer",
    Phase.OVER: "has nothing to do: the game is over",
}


RULES = {
    "placement": "the table places the first settlements and roads",
    "chosen_discards": "after a seven the most numerous cards of a large hand are discarded",
    "win_at_once": "a seat wins at the end of its turn",
    "free_roads_at_once": "the roads of a road building card may be placed at any time of the turn",
    "player_trade": "seats do not trade with each other",
    "bank_trade": "the bank does not trade",
    "robber_moves": "a seven changes nothing",
    "development_cards": "there are no development cards",
    "awards": "there is no Longest Road and no Largest Army",
    "endless_bank": "the bank never runs out of cards",
    "hand_limit": "a seven halves hands of more than {hand_limit} cards",
    "friendly_robber": "the robber keeps away from tiles of other seats with at most 2 points",
    "balanced_dice": "rolls come from a deck of the 36 outcomes, and repeated totals are rarer",
    "small_map": "the map has seven tiles",
}
"""The settings that are not the booklet's, as a player would say them."""


def position_text(view: SeatView) -> str:
    """The position as its viewer knows it, and the numbered actions if it is to act.

    >>> from catan_env import Game
    >>> text = position_text(Game(seats=2, seed=1).view(0))
    >>> print(text.splitlines()[0])
    Catan with 2 seats, 10 points to win. You are seat 0.
    >>> print(text.splitlines()[-1][:29])
    54. build a settlement at the
    """
    blocks = [_heading(view), *_rules(view), _board(view), *_seats(view), _box(view)]
    if view.seat == view.viewer and not view.is_over:
        blocks.append("\n".join(["Your actions:", *numbered(view)]))
    return "\n\n".join(blocks)


def numbered(view: SeatView) -> list[str]:
    """The legal actions as lines, "1. roll the dice" and so on; offers of the same cards on one."""
    lines: list[str] = []
    cards_offered = None
    for number, action in enumerate(view.legal_actions, 1):
        first, *later = listed_texts(view, number, action)
        if action.kind != ActionKind.OFFER:
            lines.append(first)
        elif cards_offered == action.args[:2]:
            lines[-1] += f"; {later[0]}"
        else:
            cards_offered = action.args[:2]
            lines.append(first)
    return lines


def listed_texts(view: SeatView, number: int, action: Action) -> tuple[str, ...]:
    """An action as it is listed, and an offer also as it follows one of the same cards."""
    if action.kind == ActionKind.OFFER:
        later = f"{number}. {cards_text(action.args[2])}"
        return f"{_offered(view, action)} {later}", later
    return (f"{number}. {action_text(view, action)}",)


def action_text(view: SeatView, action: Action) -> str:
    """An action of the viewer with names of places and their numbers."""
    match action.kind:
        case ActionKind.SETTLEMENT | ActionKind.CITY:
            return f"{described(action, view.board)} [corner {action.args[0]}]"
        case ActionKind.ROAD:
            return f"{described(action, view.board)} [{road_name(action.args[0])}]"
        case ActionKind.MOVE_ROBBER:
            return _robber_text(view, *action.args)
        case ActionKind.OFFER:
            return f"{_offered(view, action)} {cards_text(action.args[2])}"
    return str(action)


def _offered(view: SeatView, action: Action) -> str:
    to, give, _ = action.args
    return f"offer {cards_text(give)} to seat {(view.viewer + to) % view.seats} for"


def _robber_text(view: SeatView, tile: int, step: int | None) -> str:
    whom = "no seat" if step is None else f"seat {(view.viewer + step) % view.seats}"
    return f"move the robber to {tile_names(view.board)[tile]} [tile {tile}] and rob {whom}"


def road_name(edge: int) -> str:
    """An edge as its two corners: "7-8"."""
    return "-".join(map(str, geometry.EDGE_VERTICES[edge]))


def cards_text(counts: Sequence[int]) -> str:
    """Resource cards by number and name; "none" for an empty hand."""
    cards = [f"{n} {Resource(kind).name.lower()}" for kind, n in enumerate(counts) if n]
    return ", ".join(cards) or "none"


def _heading(view: SeatView) -> str:
    lines = [
        f"Catan with {view.seats} seats, {view.rules.points_to_win} points to win. "
        f"You are seat {view.viewer}."
    ]
    if view.winner is not None:
        hidden = view.points(view.winner, hidden=False) < view.rules.points_to_win
        by = ", with hidden victory points" if hidden else ""
        lines.append(f"The game is over: seat {view.winner} has won{by}.")
        return "\n".join(lines)
    turn = f"Turn {view.turn} of seat {view.turn_seat}" if view.turn else "Set-up"
    rolled = f", {view.roll} was rolled" if view.rolled else ""
    lines.append(f"{turn}{rolled}. {_name(view, view.seat)} {TO_DO[view.phase]}.")
    if (offer := view.offer) is not None:
        lines.append(
            f"Seat {view.turn_seat} gives {cards_text(offer.give)} "
            f"for {cards_text(offer.get)} of seat {offer.to}."
        )
    return "\n".join(lines)


def _rules(view: SeatView) -> Iterator[str]:
    """The rules that are not the booklet's, and the chances of balanced dice."""
    rules = view.rules
    different = [
        text.format(hand_limit=rules.hand_limit)
        for name, text in RULES.items()
        if getattr(rules, name) != getattr(Rules, name)
    ]
    if different:
        yield "\n".join([f"Unlike in the booklet, {'; '.join(different)}.", *_chances(view)])


def _chances(view: SeatView) -> Iterator[str]:
    """The chances of the totals of the next roll, if they are not those of fair dice."""
    if not view.rules.balanced_dice or view.is_over:
        return
    weights = Counter[int]()
    for outcome, weight in enumerate(view.roll_weights()):
        weights[sum(from_code(ActionKind.ROLL, outcome, view.seats))] += weight
    whole = weights.total()
    parts = (f"{total} {100 * n / whole:.1f} %" for total, n in sorted(weights.items()) if n)
    yield f"Chances of the next roll: {', '.join(parts)}."


def _board(view: SeatView) -> str:
    lines = ["Tiles, each with its six corners clockwise from the north:"]
    for tile, name in enumerate(tile_names(view.board)):
        if view.board.tiles[tile].terrain == Terrain.SEA:
            continue
        corners = " ".join(map(str, geometry.TILE_VERTICES[tile]))
        robber = ", robber" if tile == view.robber else ""
        lines.append(f"  tile {tile}, {name}{robber}: {corners}")
    harbours = [
        f"{h.rate}:1{'' if h.resource is None else ' ' + h.resource.name.lower()} at corners "
        + " and ".join(map(str, h.vertices))
        for h in view.board.harbours
    ]
    return "\n".join([*lines, f"Harbours: {'; '.join(harbours)}"])


def _seats(view: SeatView) -> Iterator[str]:
    for seat in range(view.seats):
        lines = [_summary(view, seat)]
        if seat == view.viewer:
            lines += _own(view)
        elif any(view.known(seat)):
            lines.append(f"  cards known to be in its hand: {cards_text(view.known(seat))}")
        places = (("settlements", view.settlements(seat)), ("cities", view.cities(seat)))
        lines += [f"  {name}: {' '.join(map(str, at))}" for name, at in places if at]
        if roads := view.roads(seat):
            lines.append(f"  roads: {' '.join(map(road_name, roads))}")
        yield "\n".join(lines)


def _summary(view: SeatView, seat: int) -> str:
    """A seat's public counts in one line."""
    facts = [
        _counted(view.points(seat, hidden=seat == view.viewer), "point"),
        _counted(view.hand_size(seat), "resource card"),
        _counted(view.card_count(seat), "development card"),
        _counted(view.knights(seat), "knight") + " played",
        f"longest road {view.road_length(seat)}",
    ]
    awards = (("Longest Road", view.longest_road_seat), ("Largest Army", view.largest_army_seat))
    facts += [f"has {name}" for name, holder in awards if holder == seat]
    if not view.is_playing(seat):
        facts.append("has left the game")
    return f"{_name(view, seat)}: {', '.join(facts)}"


def _own(view: SeatView) -> list[str]:
    """The facts that only the viewer knows."""
    seat = view.viewer
    lines = [f"  your hand: {cards_text(view.hand(seat))}"]
    if any(view.cards(seat)):
        lines.append(f"  your development cards: {_development(view.cards(seat))}")
    if any(view.new_cards(seat)):
        lines.append(f"  of these bought this turn: {_development(view.new_cards(seat))}")
    rates = view.trade_rates(seat)
    prices = [f"{rate}:1 {r.name.lower()}" for r, rate in zip(Resource, rates, strict=True)]
    lines.append(f"  your prices at the bank: {', '.join(prices)}")
    if view.owes(seat):
        lines.append(f"  you must discard {_counted(view.owes(seat), 'card')}")
    left = zip(("roads", "settlements", "cities"), view.pieces(seat), strict=True)
    lines.append(f"  your pieces left: {', '.join(f'{n} {name}' for name, n in left)}")
    return lines


def _box(view: SeatView) -> str:
    return f"Bank: {cards_text(view.bank)}; {_counted(view.deck_size, 'development card')}."


def _name(view: SeatView, seat: int) -> str:
    return f"Seat {seat} (you)" if seat == view.viewer else f"Seat {seat}"


def _development(counts: Sequence[int]) -> str:
    names = (kind.name.lower().replace("_", " ") for kind in DevelopmentCard)
    return ", ".join(f"{n} {name}" for name, n in zip(names, counts, strict=True) if n)


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
