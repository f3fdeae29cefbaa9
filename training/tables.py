"""The games of a run and who sits at them."""

from pathlib import Path
from typing import Any

from catan_env.policies.players import Player, player
from catan_env.training.experience import Experience
from catan_env.training.learner import Learner, PastSelf
from catan_env.training.opponents import Opponents
from catan_env.training.pool import Pool
from catan_env.training.rollout import Games
from catan_env.training.settings import Args


class Tables:
    """All of a run's games, or a share of them; past selves lie in `folder`."""

    seconds = 0.0
    """Of processors, that other processes have played."""

    def __init__(
        self, args: Args, learner: Learner, batch: Any, pool: Pool, folder: Path, seed: int
    ) -> None:
        self.args, self.learner, self.folder = args, learner, folder
        opponents = None
        if args.opponents_share:
            opponents = Opponents(pool, args.opponents_share, batch, self._player, seed)
        self.games = Games(args, batch, learner.network.num_facts, opponents)

    def play(self, decisions: int) -> Experience:
        """As many decisions as are wanted; the run has learned from `decisions` before."""
        self.games.let_teacher_lead(decisions)
        rollout = self.games.collect(self.learner.decide)
        return rollout.experience(self.args.gamma, self.args.gae_lambda)

    def news(self) -> dict[str, float]:
        """What was played since this was asked last."""
        return self.games.news()

    def close(self) -> None:
        """Nothing has to be ended."""

    def _player(self, name: str) -> Player:
        """An opponent by its name in the pool."""
        is_past_self = name.startswith("past_")
        return PastSelf(self.learner, self.folder / name) if is_past_self else player(name)
