"""The registered rows: line-ups, seeds, numbers of games and what each is to show."""

from dataclasses import dataclass, replace

from catan_env import Rules
from catan_env.arena.schedule import games_per_board

OURS = "ours"
WATCHED = 10
"""A twin sits beside the player in every map whose seed is a multiple of this."""
CATANATRON = "41ba0db5bc9d95b13a32e1ed7710094382a3b87a"
"""The commit of catanatron's repository (version 3.3.0) that all rows are played with."""
CATANATRON_DIGEST = "80beb3d24ef2bff3a49699b1241edd5fbf45dc5f632e6679ab204e768602449b"
"""SHA-256 of that commit's package, as `fingerprint.digest_of` computes it."""


@dataclass(frozen=True)
class Row:
    """One table: every map is played with the line-up rotated through all places that differ."""

    name: str
    policy: str
    line_up: tuple[str, ...]
    """`OURS`, or one of catanatron's bots, or in our own engine a policy's name."""
    first_seed: int
    games: int
    counted: str
    """The member of the line-up whose wins are counted."""
    bound: float
    """The share of wins that the 95 % interval is to exclude."""
    above: bool = True
    """True if the whole interval is to be above `bound`, False if below."""
    playouts: int | None = 240
    """Per decision; None for a policy that does not search."""
    rules: str | None = None
    """Those of `RULES` that it is played by in our engine; None for a row in catanatron's."""
    repeats: bool = False
    """True if a map was also played from places that give the same seats, and so the same game."""

    @property
    def seats(self) -> int:
        """Players at the table."""
        return len(self.line_up)

    @property
    def rotations(self) -> int:
        """Places of the line-up's first member from which the seats differ."""
        return games_per_board(self.line_up)

    @property
    def places(self) -> int:
        """Places that every map is played from."""
        return self.seats if self.repeats else self.rotations

    @property
    def different_games(self) -> int:
        """The row's games, each counted once."""
        return self.games // self.places * self.rotations

    def tasks(self) -> list[tuple[int, int]]:
        """The seed of the map and the place of the line-up's first member, game by game."""
        maps = range(self.first_seed, self.first_seed + self.games // self.places)
        return [(seed, place) for seed in maps for place in range(self.places)]


RULES = {
    "base": Rules.base(),
    "no trade": replace(Rules.base(), player_trade=False),
    "duel": Rules.duel(),
}
SAME_TURN = "catanatron.players.minimax:SameTurnAlphaBetaPlayer"
_VALUE, _ALPHABETA = "value", "alphabeta"
ROWS = {
    row.name: row
    for row in (
        Row("value", "search", (OURS, _VALUE, _VALUE, _VALUE), 7_100_001, 2000, OURS, 0.66),
        Row("value-again", "search", (OURS, *[_VALUE] * 3), 7_700_001, 2000, OURS, 0.66),
        Row("alphabeta", "search", (OURS, *[_ALPHABETA] * 3), 7_200_001, 400, OURS, 0.69),
        Row("mixed", "search", (OURS, _VALUE, _ALPHABETA, SAME_TURN), 7_300_001, 400, OURS, 0.66),
        Row("pairs", "search", (OURS, _VALUE, OURS, _VALUE), 7_400_001, 400, OURS, 0.87,
            repeats=True),
        Row("lone", "search", (_ALPHABETA, OURS, OURS, OURS), 7_500_001, 400, _ALPHABETA, 0.13,
            above=False),
        Row("network", "network", (OURS, _VALUE, _VALUE, _VALUE), 7_600_001, 2000, OURS, 0.59,
            playouts=None),
        Row("value-longer", "search", (OURS, *[_VALUE] * 3), 7_800_001, 2000, OURS, 0.66,
            playouts=1200),
        Row("alphabeta-longer", "search", (OURS, *[_ALPHABETA] * 3), 7_900_001, 400, OURS, 0.69,
            playouts=1200),
        Row("value-deeper", "search", (OURS, *[_VALUE] * 3), 8_100_001, 2000, OURS, 0.66,
            playouts=720),
        Row("reranked", "best", (OURS, *[_VALUE] * 3), 8_300_001, 2000, OURS, 0.66,
            playouts=None),
        Row("reranked-again", "best", (OURS, *[_VALUE] * 3), 8_400_001, 2000, OURS, 0.66,
            playouts=None),
        Row("alphabeta-deeper", "search", (OURS, *[_ALPHABETA] * 3), 8_200_001, 400, OURS, 0.69,
            playouts=720),
        Row("value-own", "search", (OURS, *[_VALUE] * 3), 9_100_001, 2000, OURS, 0.66,
            playouts=480),
        Row("alphabeta-own", "search", (OURS, *[_ALPHABETA] * 3), 9_200_001, 400, OURS, 0.69,
            playouts=480),
        Row("mixed-own", "search", (OURS, _VALUE, _ALPHABETA, SAME_TURN), 9_500_001, 400, OURS,
            0.66, playouts=480),
        Row("pairs-own", "search", (OURS, _VALUE, OURS, _VALUE), 9_600_001, 400, OURS, 0.87,
            playouts=480, repeats=True),
        Row("lone-own", "search", (_ALPHABETA, OURS, OURS, OURS), 9_700_001, 400, _ALPHABETA, 0.13,
            above=False, playouts=480),
        Row("blended", "best", (OURS, *[_VALUE] * 3), 9_800_001, 2000, OURS, 0.66, playouts=None),
        Row("duel-value", "search", (OURS, _VALUE), 10_100_001, 1000, OURS, 0.78, playouts=1600),
        Row("duel-alphabeta", "search", (OURS, _ALPHABETA), 10_200_001, 400, OURS, 0.80,
            playouts=1600),
        Row("duel-best", "best", (OURS, _VALUE), 10_300_001, 1000, OURS, 0.78, playouts=None),
        Row("pairs-again", "search", (OURS, _VALUE, OURS, _VALUE), 11_000_001, 400, OURS, 0.87,
            playouts=480),
    )
}  # fmt: skip
_GREEDY, _BUILDER = "greedy", "builder"
OWN_ROWS = {
    row.name: row
    for row in (
        Row("greedy-search", "search", (OURS, *[_GREEDY] * 3), 10_400_001, 400, OURS, 0.46,
            playouts=480, rules="base"),
        Row("greedy-best", "best", (OURS, *[_GREEDY] * 3), 10_500_001, 2000, OURS, 0.32,
            playouts=None, rules="base"),
        Row("builder-best", "best", (OURS, *[_BUILDER] * 3), 10_600_001, 2000, OURS, 0.43,
            playouts=None, rules="base"),
        Row("builder-silent", "best", (OURS, *[_BUILDER] * 3), 10_700_001, 2000, OURS, 0.42,
            playouts=None, rules="no trade"),
        Row("duel-greedy-search", "search", (OURS, _GREEDY), 10_800_001, 1000, OURS, 0.73,
            playouts=1600, rules="duel"),
        Row("duel-greedy-best", "best", (OURS, _GREEDY), 10_900_001, 2000, OURS, 0.61,
            playouts=None, rules="duel"),
    )
}  # fmt: skip
"""The rows in our own engine."""
