"""The summary of games on a JSettlers server."""

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.counts import say_counts
from benchmarks.versus_jsettlers.result import Result
from catan_env.arena.report import wilson_interval
from catan_env.protocols.jsettlers.agent import OVER
from catan_env.protocols.jsettlers.opening import SEATS


def rate(results: Iterable[Result]) -> str:
    """Wins, games, and the win rate with its 95 % interval."""
    outcomes = [result.won for result in results]
    wins, games = sum(outcomes), len(outcomes)
    low, high = wilson_interval(wins, games)
    percent = 100 * wins / (games or 1)
    return f"{wins} of {games}: {percent:.1f} % (95 %: {100 * low:.1f} - {100 * high:.1f})"


def text(policy: str, results: Sequence[Result]) -> str:
    """The summary as text."""
    decisions = sum(result.decisions for result in results)
    thought = sum(result.seconds for result in results)
    lost = Counter(result.how for result in results if result.how != OVER)
    exact = [r.turns if r.exact_until is None else r.exact_until for r in results]
    places = [(result.seat - result.first_seat) % SEATS for result in results]
    by_place = [
        f"  {place + 1}. to place: "
        f"{rate(r for r, at in zip(results, places, strict=True) if at == place)}"
        for place in range(SEATS)
    ]
    refusals = Counter(line for result in results for line in result.refusals)
    differences: Counter[str] = sum((Counter(r.differences) for r in results), Counter())
    return "\n".join(
        [
            f"{policy} against three built-in robots: won {rate(results)}",
            *by_place,
            *(
                f"  seat {seat}: {rate(r for r in results if r.seat == seat)}"
                for seat in range(SEATS)
            ),
            f"{sum(r.turns for r in results) / (len(results) or 1):.0f} turns a game; "
            f"{decisions / (len(results) or 1):.0f} decisions of "
            f"{1000 * thought / (decisions or 1):.1f} ms, the slowest "
            f"{max((r.slowest for r in results), default=0.0):.2f} s",
            f"lost by connection or protocol: {say_counts(lost)}; turns that the server ended: "
            f"{sum(r.forced for r in results)} in {sum(r.forced > 0 for r in results)} games",
            f"offers made {sum(r.offers for r in results)}, accepted "
            f"{sum(r.accepted for r in results)}; refused by the server: {say_counts(refusals)}",
            f"the view was exact until turn {sorted(exact)[len(exact) // 2] if exact else 0} in "
            f"the median; corrected by the server: {say_counts(differences)}",
        ]
    )
