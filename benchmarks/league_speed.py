"""The speed of a league, compared with the engine alone and with one match over TCP.

    python -m benchmarks.league_speed [--games 4096] [--turns 3] [--tcp-games 0] [--agent LINE]

In process: all entrants are `greedy`, with everything a league does for a game (board, clocks,
record, digest, the ledger), against `play_out` with the same policy, in processor time. Over TCP,
with --tcp-games: two parallel tables against `catan-env match --workers 1`, and the number of
processors that this match keeps busy, in wall time on an idle machine.
"""

import argparse
import os
import statistics
import tempfile
import time
from contextlib import redirect_stdout
from io import StringIO

from catan_env.arena.league.league import League, RunSettings
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings
from catan_env.arena.league.workers import Processes
from catan_env.batch import play_out
from catan_env.cli import main as command
from catan_env.policies.greedy import whole_games

AGENT = "catan-env agent --policy builder"


def ledger_of(place: str, settings: MatchSettings, words: str, kind: str = "policy") -> Ledger:
    """A league with identical entrants."""
    ledger = Ledger(place)
    ledger.create(vars(settings))
    for k in range(settings.seats):
        ledger.add(f"entrant {k}", words, kind)
    return ledger


def engine_seconds(settings: MatchSettings, games: int, seed: int) -> tuple[float, int]:
    """The processor time of `games` games, and their decisions."""
    begun = time.process_time()
    played = play_out(
        games, seats=settings.seats, rules=settings.rules, seed=seed, max_turns=settings.max_turns,
        policy=whole_games(settings.seats),
    )  # fmt: skip
    return time.process_time() - begun, played.total_decisions


def league_seconds(settings: MatchSettings, games: int) -> tuple[float, int]:
    """The same for a league in this process, excluding its first games."""
    with tempfile.TemporaryDirectory() as place:
        league = League(ledger_of(place, settings, "greedy"))
        list(league.run(64))
        begun = time.process_time()
        decisions = sum(result.decisions for result in league.run(games))
        return time.process_time() - begun, decisions


def in_process(games: int, turns: int) -> None:
    """Print the ratio of decisions per second, as the median of several turns."""
    for settings in (MatchSettings(seats=2, rules="duel"), MatchSettings(seats=4)):
        engine_seconds(settings, 8, 1)
        ratios = []
        for turn in range(turns):
            alone, decided = engine_seconds(settings, games, turn)
            seconds, done = league_seconds(settings, games)
            ratios.append((done / seconds) / (decided / alone))
            print(f"{settings.seats} seats: {games / alone:.0f} games per second by the engine, "
                  f"{games / seconds:.0f} by a league")  # fmt: skip
        print(
            f"{settings.seats} seats: {100 * statistics.median(ratios):.0f} % of the engine's speed"
        )


def over_tcp(games: int, agent: str) -> None:
    """Print how much faster two tables are than one."""
    agents = [word for _ in range(2) for word in ("--agent", agent)]
    begun, worked = time.perf_counter(), processor_seconds()
    with redirect_stdout(StringIO()):
        command(["match", *agents, "--games", str(games), "--workers", "1"])
    one = time.perf_counter() - begun
    busy = (processor_seconds() - worked) / one
    settings = MatchSettings(seats=2, protocol="binary", max_turns=500)
    with tempfile.TemporaryDirectory() as place:
        league = League(ledger_of(place, settings, agent, "command"))
        list(league.run(4, RunSettings(over_tcp=True), Processes(2)))
        begun = time.perf_counter()
        list(league.run(games, RunSettings(over_tcp=True), Processes(2)))
        two = time.perf_counter() - begun
    print(f"{games} games: {one:.1f} s by one match, {busy:.2f} processors busy; "
          f"{two:.1f} s at two tables: {one / two:.2f} x")  # fmt: skip


def processor_seconds() -> float:
    """The processor seconds of this process and its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Run both measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--tcp-games", type=int, default=0)
    parser.add_argument("--agent", default=AGENT, help="over TCP (default: %(default)s)")
    chosen = parser.parse_args()
    in_process(chosen.games, chosen.turns)
    if chosen.tcp_games:
        over_tcp(chosen.tcp_games, chosen.agent)


if __name__ == "__main__":
    main()
