"""Games of one of our policies against catanatron's bots."""

import importlib
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from catanatron import Color, Game  # type: ignore[import-not-found]
from catanatron.game import TURNS_LIMIT  # type: ignore[import-not-found]

from benchmarks.catanatron_luck import luck_of
from catan_env.catanatron.log import HAS_RECORDS, entry_of
from catan_env.catanatron.player import PolicyPlayer
from catan_env.policy import load_policy

COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)
_SEARCHING = (
    "catanatron.players" if HAS_RECORDS else "catanatron_experimental.machine_learning.players"
)
RIVALS = {
    "random": "catanatron.models.player:RandomPlayer",
    "weighted": "catanatron.players.weighted_random:WeightedRandomPlayer",
    "points": "catanatron.players.search:VictoryPointPlayer",
    "value": f"{_SEARCHING}.value:ValueFunctionPlayer",
    "alphabeta": f"{_SEARCHING}.minimax:AlphaBetaPlayer",
}
"""catanatron's bots by name; up to 3.2 the last two are in its `catanatron_experimental`."""


@dataclass(frozen=True)
class Pairing:
    """A line-up: our policy in one seat, the rival's bots in the others."""

    policy: str
    rival: str
    seats: int
    luck: bool = False
    """True: the luck of our seat is measured, too."""

    def bot(self) -> Any:
        """The rival's class.

        Raises ValueError for an unknown name.
        """
        module, _, name = RIVALS.get(self.rival, self.rival).partition(":")
        try:
            return getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ValueError(f"rival {self.rival!r}: {error}; {ALLOWED}") from None


ALLOWED = (
    f"allowed are {', '.join(RIVALS)} and module:Class; the catanatron 3.2.1 of PyPI has no value "
    "and alphabeta, its repository has: pip install git+https://github.com/bcollazo/catanatron"
)


@dataclass
class Result:
    """One game: the policy's seat, the result (None without a winner), and its counts."""

    seed: int
    seat: int
    won: bool | None
    points: list[int]
    """By seat, victory point cards included."""
    turns: int
    decisions: int
    """Decisions of the policy."""
    seconds: float
    """Seconds that the policy took for them."""
    withheld: Counter[str]
    unknown: Counter[str]
    corrections: Counter[str]
    luck: float | None = None
    """The luck of the policy's seat, in win probability."""

    def as_json(self) -> dict[str, Any]:
        """The result in JSON types."""
        return dict(vars(self))


class Timed:
    """A policy with a stopwatch."""

    def __init__(self, policy: Any) -> None:
        self.policy = policy
        self.seconds = 0.0

    def act(self, view: Any) -> Any:
        """The policy's answer."""
        before = time.perf_counter()
        answer = self.policy.act(view)
        self.seconds += time.perf_counter() - before
        return answer


def play(pairing: Pairing, seed: int, place: int) -> Result:
    """Play one game on the map of `seed`; `place`, 0..seats-1, selects the policy's seat.

    catanatron shuffles the seats by the seed: each place is another seat, in its own order.
    """
    policy = Timed(load_policy(pairing.policy, seed))
    bot = pairing.bot()
    ours = PolicyPlayer(COLORS[place], policy)
    others = [bot(color) for color in COLORS[: pairing.seats]]
    game = Game([*others[:place], ours, *others[place + 1 :]], seed=seed)
    ours.begin(game)
    while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
        entry = entry_of(game.play_tick())
        ours.follow(game.state, entry)
    return _result(game, ours, policy, pairing.luck)


def _result(game: Any, ours: PolicyPlayer, policy: Timed, with_luck: bool) -> Result:
    winner, state = game.winning_color(), game.state
    points = [state.player_state[f"P{k}_ACTUAL_VICTORY_POINTS"] for k in range(len(state.colors))]
    return Result(
        seed=game.seed,
        seat=ours.follower.seat,
        won=None if winner is None else winner == ours.color,
        points=points,
        turns=state.num_turns,
        decisions=ours.decisions,
        seconds=policy.seconds,
        withheld=ours.withheld,
        unknown=ours.unknown,
        corrections=ours.follower.corrections,
        luck=float(luck_of(game)[ours.follower.seat]) if with_luck else None,
    )
