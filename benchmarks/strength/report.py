"""A row's result so far."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from benchmarks.counts import say_counts
from benchmarks.strength.rows import Row
from catan_env.arena.report import wilson_interval


def report(row: Row, entries: Sequence[dict[str, Any]]) -> str:
    """Wins and interval, times, the leak test, and where the two rule books differ, as text."""
    once = [entry for entry in entries if entry.get("place", 0) < row.rotations]
    games = [entry for entry in once if "won" in entry]
    broken = Counter(entry["broken"] for entry in once if "broken" in entry)
    wins, total = sum(game["won"] is True for game in games), len(games)
    low, high = wilson_interval(wins, total)
    shown = low > row.bound if row.above else high < row.bound
    twins = "from the seat's own events" if row.rules else "with other hidden cards"
    planned = row.different_games
    is_whole = total + broken.total() == planned
    decisions = max(1, sum(game["decisions"] for game in games))
    lines = [
        f"{row.name}: {', '.join(row.line_up)}; wins of {row.counted}",
        f"{total} of {planned} games{'' if is_whole else ', interim'}: {wins} won, "
        f"{100 * wins / max(total, 1):.1f} % (95 %: {100 * low:.1f} - {100 * high:.1f})",
        f"{'above' if row.above else 'below'} {100 * row.bound:.0f} %: "
        f"{'shown' if shown else 'not shown'}",
        *([f"repeated games, not counted: {len(entries) - len(once)}"] if row.repeats else []),
        *_by_seat(row, games),
        f"{1000 * sum(game['thought'] for game in games) / decisions:.1f} ms a decision by the "
        f"clock, {1000 * sum(game['processor'] for game in games) / decisions:.1f} ms of processor "
        f"time, {decisions / max(total, 1):.0f} decisions and "
        f"{sum(game['seconds'] for game in games) / max(total, 1):.1f} s a game",
        f"leak test: {sum(game['twin'] for game in games)} decisions in "
        f"{sum(game['twin'] > 0 for game in games)} games, all the same {twins}",
        f"without a winner {sum(game['won'] is None for game in games)}",
        *([] if row.rules else _rule_differences(games, broken)),
        *_machines(entries),
    ]
    return "\n".join(lines)


def _by_seat(row: Row, games: Sequence[dict[str, Any]]) -> list[str]:
    """Wins and games by the counted player's seat, where there is one such player."""
    if row.line_up.count(row.counted) != 1:
        return []
    played = Counter(game["seats"].index(row.counted) for game in games)
    won = Counter(game["seats"].index(row.counted) for game in games if game["won"])
    return ["by seat: " + ", ".join(f"{won[k]} of {played[k]}" for k in sorted(played))]


def _rule_differences(games: Sequence[dict[str, Any]], broken: Counter[str]) -> list[str]:
    """Where catanatron's rules and ours differed, and its own errors."""
    return [
        f"broken off by errors in catanatron: {say_counts(broken)}",
        f"refused by catanatron: {say_counts(_counts(games, 'withheld'))}",
        f"illegal under the rulebook: {say_counts(_counts(games, 'unknown'))}",
        f"corrected: {say_counts(_counts(games, 'corrections'))}",
    ]


def _counts(games: Sequence[dict[str, Any]], name: str) -> Counter[str]:
    return sum((Counter(game[name]) for game in games), Counter())


def _machines(entries: Sequence[dict[str, Any]]) -> list[str]:
    """The machines and policies of the runs, each once."""
    runs = [entry for entry in entries if "fingerprint" in entry]
    said = [
        f"{run['processor']}, {run['cores']} cores, Python {run['python']}; "
        f"policy {run['fingerprint']}"
        for run in runs
    ]
    return list(dict.fromkeys(said))
