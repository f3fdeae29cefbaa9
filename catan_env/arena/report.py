"""The table that a match ends with."""

from collections.abc import Sequence
from math import sqrt

from catan_env.arena.match import Result

Z = 1.959964
"""Standard deviations to either side that hold 95 % of a normal distribution."""


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate (Wilson's score interval), in 0..1.

    >>> [round(bound, 3) for bound in wilson_interval(25, 100)]
    [0.175, 0.343]
    """
    if games == 0:
        return 0.0, 1.0
    rate, weight = wins / games, Z * Z / games
    middle = (rate + weight / 2) / (1 + weight)
    reach = Z * sqrt((rate * (1 - rate) + weight / 4) / games) / (1 + weight)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def report(names: Sequence[str], results: Sequence[Result]) -> str:
    """Wins, win rates with their intervals and mean points, one line an entrant.

    >>> print(report(["builder", "random"], [Result(0, (10, 4), 60, 300)]))
    entrant      wins  win rate  95 % interval  points
    1 builder       1   100.0 %   20.7 - 100.0    10.0
    2 random        0     0.0 %     0.0 - 79.3     4.0
    1 game, 60 turns and 300 decisions each; seats rotate from game to game
    """
    width = max(len("entrant"), *(len(name) + 2 for name in names))
    lines = [f"{'entrant':{width}}    wins  win rate  95 % interval  points"]
    for entrant, name in enumerate(names):
        wins = sum(result.winner == entrant for result in results)
        low, high = wilson_interval(wins, len(results))
        points = _mean([result.points[entrant] for result in results])
        rate = f"{100 * wins / (len(results) or 1):.1f} %"
        interval = f"{100 * low:.1f} - {100 * high:.1f}"
        entry = f"{entrant + 1} {name}"
        lines.append(f"{entry:{width}}  {wins:6}  {rate:>8}  {interval:>13}  {points:6.1f}")
    return "\n".join([*lines, _footer(results)])


def _footer(results: Sequence[Result]) -> str:
    turns = _mean([result.turns for result in results])
    decisions = _mean([result.decisions for result in results])
    games = f"{len(results)} game{'s' if len(results) != 1 else ''}"
    cut_off = sum(result.winner is None for result in results)
    said = f"{games}, {turns:.0f} turns and {decisions:.0f} decisions each"
    if cut_off:
        said += f"; {cut_off} cut off without a winner"
    return f"{said}; seats rotate from game to game"


def _mean(numbers: Sequence[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
