"""The result of a game on a JSettlers server, and the file of results."""

import json
from dataclasses import dataclass
from pathlib import Path

from catan_env.protocols.jsettlers.agent import FAULTS, OVER, Ended


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
        exact_until=follower.tracked.exact_until,
        decisions=len(seconds),
        seconds=round(sum(seconds), 4),
        slowest=round(max(seconds, default=0.0), 4),
        forced=player.clock.forced,
        offers=counted.offers,
        accepted=counted.accepted,
        refusals=player.refusals.lines,
        differences=dict(follower.tracked.differences),
    )


def load_results(path: Path) -> list[Result]:
    """The games of an interrupted run."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        return []
    return [Result(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]
