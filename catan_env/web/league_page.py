"""The pages of a league as HTML: standings, history, heads-to-heads, entrants and games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib import resources
from itertools import count
from math import ceil, floor
from typing import Any

from catan_env.arena.league.result import Result
from catan_env.arena.league.standings import Standing, Standings
from catan_env.arena.league.tally import Tally
from catan_env.arena.league.text import heads_to_heads, seat_lines, standings_rows
from catan_env.render.replay import file

COLOURS = "#1b78c2 #c1440e #4a8f29 #9b59b6 #a87c08 #0e8583 #d6336c #7a7a7a #96663c #6f6ad6".split()
"""Line colours, with a contrast of 3 to the page in light and dark mode."""
WIDE = '<div class="wide" role="group" aria-label="table" tabindex="0">'
WIDTH, ROW, LABEL = 900, 24, 200
HISTORY_HEIGHT, AXIS, RATING = 320, 22, 46
"""Pixels of the curves, of the axis below a chart, and of the ratings beside it."""
MOST_TICKS = 6

Point = tuple[int, dict[int, float]]
"""The number of games played, and the ratings by entrant."""


@dataclass(frozen=True)
class Shown:
    """The data of the pages."""

    tally: Tally
    standings: Standings
    history: Sequence[Point]
    games: Sequence[Result]
    """The most recent games, the newest first."""
    settings: dict[str, Any]
    live: Sequence[tuple[str, str]] | None = None
    """Addresses and names of the games in progress; None if there can be none."""

    @property
    def titles(self) -> dict[int, str]:
        """The titles of entrants, by id."""
        return {line.entrant.id: line.entrant.title for line in self.standings.lines}


def index_html(shown: Shown, of_game: str) -> str:
    """The front page; `of_game` turns a game's number into its address."""
    settings = shown.settings
    trade = "" if settings.get("player_trade", True) else ", no trade between seats"
    table = (
        f"{settings['seats']} seats, rules {settings['rules']}{trade}, board {settings['board']}"
    )
    body = [
        f"<p>{escape(table)}; {shown.tally.games} games, "
        f"{shown.tally.undecided} without a winner.</p>",
        live_html(shown.live),
        _section(
            "Standings",
            _table(*standings_rows(shown.standings)),
            "<p class='quiet'>± is half the 95 % interval of a rating; 400 points are odds of ten. "
            "Better than: that entrant, and all below it, are weaker with 95 % confidence.</p>",
            intervals_svg(shown.standings.lines),
            *(f"<p class='quiet'>{escape(line)}</p>" for line in seat_lines(shown.standings)),
        ),
        _section("Ratings over time", history_svg(shown.history, shown.titles)),
        _section("Who won against whom", _table(*heads_to_heads(shown.standings, shown.tally))),
        _section("Faults", faults_html(shown)),
        _section("Last games", games_html(shown, of_game)),
    ]
    return page("League", "\n".join(body))


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{title}</h2>{''.join(parts)}</section>"


@cache
def _style() -> str:
    """The style of the table's pages, with what a league needs in addition."""
    own = resources.files("catan_env.web").joinpath("league.css")
    return file("page.css") + own.read_text("utf-8")


def page(title: str, body: str) -> str:
    """A page with that body, which is HTML."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        '</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_style()}</style></head>\n<body class='league'>"
        f"<header><h1>{escape(title)}</h1></header>\n{body}</body></html>\n"
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of texts."""
    return _table_of(
        [escape(word) for word in heads], [[escape(word) for word in row] for row in rows]
    )


def _table_of(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells in HTML; columns with words are aligned at the left."""
    columns = zip(*rows, strict=True) if rows else [()] * len(heads)
    kinds = [' class="words"' if any(map(_is_words, cells)) else "" for cells in columns]

    def line(tag: str, cells: Sequence[str]) -> str:
        return "".join(
            f"<{tag}{kind}>{cell}</{tag}>" for kind, cell in zip(kinds, cells, strict=True)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"{WIDE}<table><tr>{line('th', heads)}</tr>{body}</table></div>"


def _is_words(cell: str) -> bool:
    """True for a cell that begins with a letter or a link.

    >>> [_is_words(cell) for cell in ("greedy", "12.5 - 14.0", "96/238", "-")]
    [True, False, False, False]
    """
    return cell[:1].isalpha() or cell.startswith("<a")


def intervals_svg(lines: Sequence[Standing]) -> str:
    """Every rating with its 95 % interval."""
    if not lines:
        return ""
    low = min(line.rating - line.reach for line in lines)
    high = max(line.rating + line.reach for line in lines)
    scale = (WIDTH - LABEL - 20) / max(high - low, 1e-9)
    height, parts = ROW * len(lines), []
    for tick in ticks(low, high):
        x = LABEL + (tick - low) * scale
        parts.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height}"/>'
            f'<text x="{x:.1f}" y="{height + 16}" text-anchor="middle">{tick}</text>'
        )
    for k, line in enumerate(lines):
        y = ROW * k + ROW // 2
        left, mid, right = (
            LABEL + (rating - low) * scale
            for rating in (line.rating - line.reach, line.rating, line.rating + line.reach)
        )
        parts.append(
            f'<text x="0" y="{y + 4}">{escape(line.entrant.title[:28])}</text>'
            f'<line class="reach" x1="{left:.1f}" x2="{right:.1f}" y1="{y}" y2="{y}"/>'
            f'<circle class="bar" cx="{mid:.1f}" cy="{y}" r="4"><title>{line.rating:.0f} ± '
            f"{line.reach:.0f}</title></circle>"
        )
    return _svg(height + AXIS, "Ratings with their 95 % intervals", parts)


def ticks(low: float, high: float) -> list[int]:
    """At most six round numbers between the two.

    >>> ticks(-650, 1579), ticks(3, 419)
    ([-500, 0, 500, 1000, 1500], [100, 200, 300, 400])
    """
    step = next(
        step
        for power in count()
        for step in (10**power, 2 * 10**power, 5 * 10**power)
        if (high - low) / step < MOST_TICKS
    )
    return list(range(ceil(low / step) * step, floor(high) + 1, step))


def history_svg(history: Sequence[Point], titles: dict[int, str]) -> str:
    """A curve for each entrant, from the first games to the last."""
    every = [rating for _, ratings in history for rating in ratings.values()]
    if not every or len(history) < 2:
        return "<p>Too few games.</p>"
    low, high, last = min(every), max(every), history[-1][0]
    right = WIDTH - LABEL

    def x(games: float) -> float:
        return RATING + (right - RATING) * games / last

    def y(rating: float) -> float:
        return 10 + (HISTORY_HEIGHT - 20) * (high - rating) / max(high - low, 1e-9)

    parts = [
        f'<line class="grid" x1="{RATING}" x2="{right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{RATING - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>'
        for tick in ticks(low, high)
    ]
    parts += [
        f'<text x="{x(tick):.1f}" y="{HISTORY_HEIGHT + 10}" text-anchor="middle">{tick}</text>'
        for tick in ticks(1, last)
    ]
    parts.append(f'<text x="{right + 10}" y="{HISTORY_HEIGHT + 10}">games</text>')
    for k, (entrant, title) in enumerate(titles.items()):
        points = " ".join(
            f"{x(games):.1f},{y(ratings[entrant]):.1f}"
            for games, ratings in history
            if entrant in ratings
        )
        colour = COLOURS[k % len(COLOURS)]
        parts.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{points}"/>'
        )
        row = 14 + 16 * k
        parts.append(
            f'<rect x="{right + 10}" y="{row - 9}" width="10" height="10" fill="{colour}"/>'
            f'<text x="{right + 26}" y="{row}">{escape(title[:24])}</text>'
        )
    return _svg(max(HISTORY_HEIGHT + AXIS, 16 * len(titles) + 10), "Ratings over time", parts)


def _svg(height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<div class="wide" role="group" aria-label="chart" tabindex="0"><svg role="img" '
        f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" xmlns='
        f'"http://www.w3.org/2000/svg"><title>{escape(title)}</title>{"".join(parts)}</svg></div>'
    )


def live_html(live: Sequence[tuple[str, str]] | None) -> str:
    """Links to the games in progress."""
    if live is None:
        return ""
    lines = [f'<li><a href="{escape(at)}">{escape(names)}</a></li>' for at, names in live]
    none = "<p>No game over a protocol is in progress.</p>"
    return _section("Playing now", f"<ul>{''.join(lines)}</ul>" if lines else none)


def faults_html(shown: Shown) -> str:
    """The removals and time-outs of each entrant, with the most recent reasons."""
    rows = []
    for line in shown.standings.lines:
        if line.sums.kicked or line.sums.late:
            reasons = [
                f"game {game.number}, turn {kick.turn}: {kick.reason}"
                for game in shown.games
                for kick in game.removals
                if game.seats[kick.seat] == line.entrant.id
            ]
            counts = [str(line.sums.kicked), str(line.sums.late)]
            rows.append([line.entrant.title, *counts, "; ".join(reasons[:3]) or "-"])
    return _table(["entrant", "kicked", "late", "last reasons"], rows) if rows else "<p>None.</p>"


def games_html(shown: Shown, of_game: str) -> str:
    """One line per recent game, with a link to its replay."""
    titles, rows = shown.titles, []
    for game in shown.games:
        names = ", ".join(escape(titles.get(entrant, "?")) for entrant in game.seats)
        won = "nobody" if game.winner is None else escape(titles[game.seats[game.winner]])
        address = of_game.format(game.number)
        when = datetime.fromtimestamp(game.ended, UTC).strftime("%Y-%m-%d %H:%M")
        number = f'<a href="{address}.html">{game.number}</a>'
        record = f'<a href="{address}.sgn.json">record</a>'
        rows.append([number, names, won, str(game.turns), when, record])
    return _table_of(["game", "seats", "won by", "turns", "ended", ""], rows)


def as_json(shown: Shown) -> dict[str, Any]:
    """The standings as JSON for other programs."""
    return {
        "games": shown.tally.games,
        "standings": [
            {
                "entrant": line.entrant.title,
                "author": line.entrant.author,
                "rating": round(line.rating, 1),
                "reach": round(line.reach, 1),
                "games": line.sums.games,
                "wins": line.sums.wins,
                "kicked": line.sums.kicked,
                "late": line.sums.late,
                "is_quarantined": line.is_quarantined,
                "better_than": [o.entrant.title for o in shown.standings.surely_worse(line)],
            }
            for line in shown.standings.lines
        ],
    }
