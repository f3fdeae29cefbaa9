"""Standings for a terminal and a document."""

from collections.abc import Sequence

from catan_env.arena.league.standings import Standing, Standings
from catan_env.arena.league.tally import Tally

Row = list[str]


def standings_rows(found: Standings) -> tuple[Row, list[Row]]:
    """The heading, and one line of text per entrant."""
    heads = "entrant rating ± games won 95_% points better_than kicked late ms longest".split()
    rows = [_row(line, found) for line in found.lines]
    has_skill = any(line.skill for line in found.lines)
    has_author = any(line.entrant.author for line in found.lines)
    if has_skill:
        heads.append("openskill")
    if has_author:
        heads.append("author")
    for row, line in zip(rows, found.lines, strict=True):
        if has_skill:
            row.append(f"{line.skill[0]:.1f} ± {line.skill[1]:.1f}" if line.skill else "-")
        if has_author:
            row.append(line.entrant.author or "-")
    return [head.replace("_", " ") for head in heads], rows


def _row(line: Standing, found: Standings) -> Row:
    sums = line.sums
    rate, low, high = (100 * share for share in line.win_rate)
    return [
        line.entrant.title + _standing_aside(line),
        f"{line.rating:.0f}",
        f"{line.reach:.0f}",
        str(sums.games),
        f"{rate:.1f} %",
        f"{low:.1f} - {high:.1f}",
        f"{sums.points / sums.games:.1f}",
        _better_than(line, found),
        str(sums.kicked),
        str(sums.late),
        _milliseconds(sums.spent / sums.asked) if sums.asked else "-",
        _milliseconds(sums.slowest),
    ]


def _milliseconds(seconds: float) -> str:
    """At least three digits.

    >>> _milliseconds(0.00123456), _milliseconds(16.3)
    ('1.23', '16300')
    """
    return f"{1000 * seconds:.0f}" if seconds >= 0.1 else f"{1000 * seconds:.3g}"


def _standing_aside(line: Standing) -> str:
    if line.is_quarantined:
        return " (quarantined)"
    return "" if line.entrant.is_active else " (removed)"


def _better_than(line: Standing, found: Standings) -> str:
    """The highest entrant that, with all below it, the line's entrant beats with 95 %."""
    if not line.beats:
        return "-"
    return found.lines[len(found.lines) - line.beats].entrant.title


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lines of columns, the first left-aligned and the others right-aligned.

    >>> print(columns(["who", "games"], [["Ann", "3"]]))
    who  games
    Ann      3
    """
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = []
    for first, *rest in (heads, *rows):
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([f"{first:{widths[0]}}", *cells]).rstrip())
    return "\n".join(lines)


def standings_text(found: Standings, tally: Tally) -> str:
    """The table, and the advantages of the seats."""
    lines = [columns(*standings_rows(found)), *seat_lines(found)]
    lines.append(f"{tally.games} games, {tally.undecided} without a winner")
    return "\n".join(lines)


def seat_lines(found: Standings) -> list[str]:
    """The win rate of each seat, and its advantage over the first."""
    lines = []
    for effect in found.seats:
        rate = 100 * effect.wins / effect.games if effect.games else 0.0
        line = f"seat {effect.seat}: won {rate:.1f} %"
        if effect.seat:
            line += f", advantage {round(effect.rating):+d} ± {effect.reach:.0f} rating points"
        lines.append(line)
    return lines


def heads_to_heads(found: Standings, tally: Tally) -> tuple[Row, list[Row]]:
    """For each two entrants: the decided games that both played, and how many the first won."""
    met = tally.met()
    titles = [line.entrant.title for line in found.lines]
    rows = []
    for line in found.lines:
        row = [line.entrant.title]
        for other in found.lines:
            games, won = met.get((line.entrant.id, other.entrant.id), (0, 0))
            row.append(f"{won}/{games}" if games else "-")
        rows.append(row)
    return ["won/games", *titles], rows
