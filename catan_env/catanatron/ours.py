"""One of our policies as a player in any catanatron game."""

from typing import Any

from catan_env.catanatron.player import PolicyPlayer
from catan_env.catanatron.replica import Replica
from catan_env.policy import load_policy

DISCARD_LIMIT = 7


class OurPlayer(PolicyPlayer):
    """A policy of catan_env, by its name (greedy if none is given); it sees only its seat's cards.

    It follows a game from its log when it is asked to decide.
    """

    def __init__(self, color: Any, *name: str) -> None:
        self.name = ":".join(name) or "greedy"
        super().__init__(color, load_policy(self.name))
        self._replica: Replica | None = None

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """The policy's choice among catanatron's actions; it is only asked if there are several."""
        if self._replica is None or not self._replica.is_of(game.state):
            check_table(game.state)
            self._replica = Replica(game.state)
            self.begin(game)
        for entry in self._replica.play(game.state):
            self.follow(self._replica.state, entry)
        return super().decide(game, playable_actions)

    def __repr__(self) -> str:
        return f"{self.name}:{self.color.value}"


def check_table(state: Any) -> None:
    """Raise ValueError if our rules cannot follow a game at this table."""
    if state.discard_limit != DISCARD_LIMIT:
        raise ValueError(f"the discard limit is {state.discard_limit}; allowed is {DISCARD_LIMIT}")
