"""Commands as sentences."""

from collections.abc import Iterable, Iterator, Sequence

from catan_env.guests.renaissance.command import (
    Buy,
    ChooseGoods,
    EndTurn,
    KeepLeaders,
    LeaderAction,
    Payment,
    Produce,
    Swap,
    TakeFromMarket,
)
from catan_env.guests.renaissance.game import LORENZO, Event, Game
from catan_env.guests.renaissance.native.actions import BASE, FIRST_LEADER, SOURCES
from catan_env.guests.renaissance.native.cards import (
    COLOURS,
    CROSS_1_AND_SHUFFLE,
    CROSS_2,
    FAITH,
    GOOD,
    GOODS,
    KIND,
    LEADER_POINTS,
    POINTS,
    RESOURCES,
    ROWS,
    TOKENS,
)
from catan_env.guests.renaissance.native.state import POPES, SHELVES, WON
from catan_env.guests.renaissance.speech import marbles_in

LEADERS = ("a discount on {}s", "a depot for {}s", "a production from {}s", "{}s for white marbles")
"""The gift of a leader, by its kind."""


def said(event: Event, before: Game, after: Game, names: Sequence[str]) -> str:
    """The command of an event, with its consequences, from the positions before and after it."""
    name = names[event.seat]
    sentences = [f"{name} {_done(event, before, after)}."]
    return " ".join([*sentences, *_consequences(before, after, names)])


def _done(event: Event, before: Game, after: Game) -> str:
    command = event.command
    if isinstance(command, KeepLeaders):
        return "keeps two leaders"
    if isinstance(command, ChooseGoods):
        return "chooses the starting goods"
    if isinstance(command, TakeFromMarket):
        return _taken(command, before)
    if isinstance(command, Buy):
        card = int(before.state["top"][command.colour, command.level])
        points = int(before.state["dev"][card, POINTS])
        colour = COLOURS[command.colour].lower()
        return (
            f"buys the {colour} card of level {command.level + 1} ({_points(points)}) "
            f"into slot {command.slot + 1} for {_pieces(_paid([command.payment]))}"
        )
    if isinstance(command, Produce):
        return _produced(command, event.seat, before, after)
    if isinstance(command, LeaderAction):
        return _leader(command, event.seat, before)
    if isinstance(command, Swap):
        return f"exchanges {_place(command.a)} and {_place(command.b)}"
    assert isinstance(command, EndTurn)
    return "ends the turn"


def _taken(command: TakeFromMarket, before: Game) -> str:
    marbles = marbles_in(command.line, before.state)
    is_row = command.line < ROWS
    line = f"row {command.line + 1}" if is_row else f"column {command.line - ROWS + 1}"
    drawn = [sum(counts) for counts in command.placed]
    discarded = sum(counts[-1] for counts in command.placed)
    lost = f", discarding {discarded}" if discarded else ""
    return f"takes {line} of the market: {_pieces(drawn, marbles.count(FAITH))}{lost}"


def _produced(command: Produce, seat: int, before: Game, after: Game) -> str:
    paid = _paid(one.payment for one in command.productions)
    goods = zip(after.goods(seat), before.goods(seat), paid, strict=True)
    gained = [now - was + gone for now, was, gone in goods]
    faith = int(after.state["faith"][seat]) - int(before.state["faith"][seat])
    sources = _listed([_source(one.number) for one in command.productions])
    return f"produces with {sources}: {_pieces(paid)} for {_pieces(gained, faith)}"


def _source(number: int) -> str:
    if number == BASE:
        return "the base production"
    return f"slot {number}" if number < FIRST_LEADER else "a leader"


def _leader(command: LeaderAction, seat: int, before: Game) -> str:
    if not command.activates:
        return "discards a leader for 1 faith"
    row = before.state["leaders"][int(before.state["leader"][seat, command.leader])]
    gift = LEADERS[int(row[KIND])].format(RESOURCES[int(row[GOOD])].lower())
    return f"activates a leader: {gift} ({_points(int(row[LEADER_POINTS]))})"


def _place(place: int) -> str:
    return f"shelf {place + 1}" if place < SHELVES else f"depot {place - SHELVES + 1}"


def _consequences(before: Game, after: Game, names: Sequence[str]) -> Iterator[str]:
    """Lorenzo's token, reports, the last round, and the end."""
    token = int(after.state["last_token"])
    if after.seats == 1 and after.events[-1].token is not None:
        yield _token(token)
    for k in range(POPES):
        if after.state["reported"][k] and not before.state["reported"][k]:
            won = [names[i] for i in range(after.seats) if after.state["tile"][i, k] == WON]
            yield f"Report {k + 1}: the tile goes to {_listed(won) or 'no player'}."
    if after.state["last_round"] and not before.state["last_round"]:
        yield "The last round begins."
    if after.is_over:
        if after.winner == LORENZO:
            yield "Lorenzo wins."
        else:
            yield f"{names[after.winner]} wins with {_points(after.scores()[after.winner])}."


def _token(token: int) -> str:
    effect = int(TOKENS[token])
    if effect == CROSS_2:
        return "Lorenzo moves two spaces."
    if effect == CROSS_1_AND_SHUFFLE:
        return "Lorenzo moves one space and shuffles the tokens."
    return f"Lorenzo discards two {COLOURS[effect].lower()} cards."


def _paid(payments: Iterable[Payment]) -> list[int]:
    """Pieces by good of several payments."""
    total = [0] * GOODS
    for payment in payments:
        for piece, count in enumerate(payment):
            total[piece // SOURCES] += count
    return total


def _pieces(counts: Sequence[int], faith: int = 0) -> str:
    """Counts of goods, and faith.

    >>> _pieces([1, 2, 0, 0], 1)
    '1 coin, 2 stones and 1 faith'
    """
    names = [name.lower() for name in RESOURCES]
    parts = [
        f"{n} {name}{'s' if n > 1 else ''}" for n, name in zip(counts, names, strict=True) if n
    ]
    return _listed([*parts, *([f"{faith} faith"] if faith else [])]) or "nothing"


def _points(n: int) -> str:
    return "1 point" if n == 1 else f"{n} points"


def _listed(words: Sequence[str]) -> str:
    """A list as in a sentence.

    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = words or [""]
    return f"{', '.join(most)} and {last}" if most else last
