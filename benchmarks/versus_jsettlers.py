"""Our policies against the built-in robots of a running JSettlers server.

    python -m benchmarks.versus_jsettlers --policy best --cookie KEY --games 100 127.0.0.1 8880

The server is a third-party program, neither part of this package nor started by it. Its properties
must make it invite third-party robots to its games (docs/jsettlers.md). Every game is written to
`--json` as it ends, and a run restarted with the same file resumes there. A game lost by the
connection or by the server's clock is a lost game; one that was reset or deleted, or whose seat
another player took, is not counted. Games in progress when enough have ended are finished and
counted, and so are those in progress after `--minutes`: leaving them out would favour short games.
"""

import argparse
import json
import math
import os
import selectors
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from benchmarks.counts import say_counts
from catan_env.arena.jsettlers import WAITS, Thinker
from catan_env.arena.report import wilson_interval
from catan_env.arena.seat import rehearse
from catan_env.cli.parser import Parser, formerly, seconds, whole
from catan_env.cli.progress import Progress
from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.view import SeatView
from catan_env.net.connect import attempt
from catan_env.net.visit import READ_SIZE, Visit
from catan_env.policy import load_policy
from catan_env.protocols.jsettlers.agent import (
    FAULTS,
    OVER,
    Agent,
    Decide,
    Ended,
    RefusedError,
    check_words,
)
from catan_env.protocols.jsettlers.end import client_end
from catan_env.protocols.jsettlers.opening import SEATS
from catan_env.protocols.jsettlers.record import write_record


@dataclass(frozen=True)
class Result:
    """One game of one of our agents."""

    game: str
    seat: int
    first_seat: int
    winner: int | None
    how: str
    """"over", or the reason it was lost earlier."""
    turns: int
    exact_until: int | None
    """The turn after which the view was no longer exact."""
    decisions: int
    seconds: float
    slowest: float
    forced: int
    """Turns of ours that the server ended."""
    offers: int
    accepted: int
    refusals: list[str]
    differences: dict[str, int]

    @property
    def won(self) -> bool:
        """True if our seat won."""
        return self.how == OVER and self.winner == self.seat


def result_of(ended: Ended) -> Result | None:
    """The result of a game; None if it never started or had no possible winner."""
    player, follower = ended.player, ended.player.follower
    if follower is None or ended.how not in (OVER, *FAULTS):
        return None
    counted, seconds = player.statistics, player.decisions.seconds
    how = ended.how if ended.how == OVER else f"{ended.how}: {ended.reason}"
    return Result(
        game=player.game,
        seat=player.seat,
        first_seat=follower.view.first_seat,
        winner=follower.winner,
        how=how,
        turns=follower.view.turn,
        exact_until=follower.account.exact_until,
        decisions=len(seconds),
        seconds=round(sum(seconds), 4),
        slowest=round(max(seconds, default=0.0), 4),
        forced=player.clock.forced,
        offers=counted.offers,
        accepted=counted.accepted,
        refusals=player.refusals.lines,
        differences=dict(follower.account.differences),
    )


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
    exact = [result.exact_until or result.turns for result in results]
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


class Silent:
    """A policy that makes no offers."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide

    def __call__(self, view: SeatView, within: float) -> int:
        """The policy's choice as if its offers were used up."""
        if view.phase == Phase.MAIN:
            view = view.copy()
            correction.offer_no_more(view)
        return self._decide(view, within)


class Contest:
    """Agents on one server, each with its own connection, until enough games are played."""

    def __init__(self, wanted: argparse.Namespace, decide: Decide, played: list[Result]) -> None:
        self._wanted = wanted
        self._decide = decide
        self.results = played
        self._until = time.monotonic() + 60 * wanted.minutes
        self._selector = selectors.DefaultSelector()
        self._progress = Progress(wanted.games, "game")

    @property
    def is_enough(self) -> bool:
        """True if all games have been played, or the time is up."""
        return len(self.results) >= self._wanted.games or time.monotonic() > self._until

    def play(self) -> None:
        """Play; progress is shown on a terminal."""
        with self._progress:
            for _ in self.results:
                self._progress.advance()
            for number in range(self._wanted.agents):
                self._join(number)
            while self._selector.get_map():
                self._step()

    def _join(self, number: int) -> None:
        """Connect, or reconnect; ValueError if no server answers."""
        for wait in (0, *WAITS):
            time.sleep(wait)
            try:
                wire = attempt(self._wanted.host, self._wanted.port)
                break
            except OSError as error:
                reason = str(error.strerror or error)
        else:
            raise ValueError(f"no server at {self._wanted.host} {self._wanted.port}: {reason}")
        name = f"{self._wanted.name}{number + 1}"
        agent = Agent(self._think, name, self._wanted.cookie, report=self._report)
        visit = Visit(client_end(), agent)
        self._selector.register(wire, selectors.EVENT_READ, (number, agent, visit))
        self._say(wire, visit.begin(time.monotonic()))

    def _step(self) -> None:
        agents = [key.data[1] for key in self._selector.get_map().values()]
        due = [agent.deadline for agent in agents if agent.deadline is not None]
        wait = max(0.0, min(due) - time.monotonic()) if due else None
        for key, _ in self._selector.select(wait):
            self._hear(key.fileobj, *key.data)
        for key in list(self._selector.get_map().values()):
            self._say(key.fileobj, key.data[2].time(time.monotonic()))
        for key in list(self._selector.get_map().values()):
            self._finish(key.fileobj, *key.data[:2])

    def _finish(self, wire: Any, number: int, agent: Agent) -> None:
        """Start no game beyond those wanted; hang up if nothing is left to play."""
        if self.is_enough:
            agent.finish()
        if agent.is_over:
            self._hang_up(wire)
            if not self.is_enough:
                self._join(number)

    def _hang_up(self, wire: Any) -> None:
        self._selector.unregister(wire)
        wire.close()

    def _hear(self, wire: Any, number: int, agent: Agent, visit: Visit) -> None:
        """Handle one agent's data; a closed connection is opened again.

        Raises ValueError if the server rejects the agent.
        """
        try:
            data = wire.recv(READ_SIZE)
        except ConnectionError:
            data = b""
        if data:
            try:
                self._say(wire, visit.receive(data, time.monotonic()))
            except RefusedError as error:
                raise ValueError(str(error)) from None
            return
        visit.close(time.monotonic())
        self._hang_up(wire)
        if not self.is_enough:
            self._join(number)

    def _think(self, view: SeatView, within: float) -> int:
        """The decision of the policy that all agents share."""
        return self._decide(view, within / self._wanted.agents)

    def _say(self, wire: Any, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            with suppress(ConnectionError):  # noticed when it is read from
                wire.sendall(piece)

    def _report(self, ended: Ended) -> None:
        result = result_of(ended)
        if result is None:
            return
        self.results.append(result)
        self._progress.advance()
        with open(self._wanted.json, "a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(result)) + "\n")
        if self._wanted.record is not None:
            write_record(self._wanted.record, ended)


def arguments() -> argparse.Namespace:
    """The parsed command line."""
    parser = Parser(prog="python -m benchmarks.versus_jsettlers", description=__doc__)
    add = parser.add_argument
    add("host")
    add("port", type=whole(1, 65535))
    add("--policy", default="best", help="ours: a name, module:Class or .npz (default: best)")
    add("--cookie", required=True, help="the server's jsettlers.bots.cookie")
    add("--games", type=whole(1), default=100, help="of our agents, together (default: 100)")
    add("--minutes", type=float, default=math.inf, help="begin no game after that time")
    add("--agents", type=whole(1, 4), default=1, help="connections (default: 1)")
    add("--name", default="catan_env", help="of our agents, before their numbers")
    thought = parser.add_mutually_exclusive_group()
    thought.add_argument("--seconds", type=seconds, help="of search per decision")
    thought.add_argument(
        "--playouts", type=whole(1), help="of search per decision: the same on any machine"
    )
    add("--silent", action="store_true", help="make no offers to other seats")
    add("--seed", type=whole(0), default=0, help="of a random policy (default: 0)")
    add("--json", type=Path, default=Path("runs/jsettlers.jsonl"),
        help="file of games, one per line, continued if it exists (default: runs/jsettlers.jsonl)"
        )  # fmt: skip
    record = add("--record", type=Path, help="save each game as our seat's record in this folder")
    formerly("--records", record, parser)
    return parser.parse_args()


def load_results(path: Path) -> list[Result]:
    """The games of an interrupted run."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        return []
    return [Result(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Play and report."""
    wanted = arguments()
    try:
        check_words(**{"--name": wanted.name, "--cookie": wanted.cookie})
    except ValueError as error:
        print(f"versus_jsettlers: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    policy: Any = load_policy(wanted.policy, wanted.seed)
    if wanted.seconds is not None:
        policy.seconds = wanted.seconds
    if wanted.playouts is not None:
        policy.nodes = wanted.playouts
    rehearse(load_policy(wanted.policy, wanted.seed))
    thinker = Thinker(policy)
    decide: Decide = thinker.act
    contest = Contest(
        wanted, Silent(decide) if wanted.silent else decide, load_results(wanted.json)
    )
    try:
        contest.play()
    except KeyboardInterrupt:
        pass
    except ValueError as error:
        print(error)
    name = f"{wanted.policy}{' without offers' if wanted.silent else ''}"
    print(text(name, contest.results))
    print(f"in this run {thinker.shortened} of {thinker.decisions} decisions were shortened")


if __name__ == "__main__":
    main()
