"""The error of a foreign record: its reason, and the step at which the record breaks."""

from textwrap import shorten

from catan_env.game.game import Game

LONGEST_REASON = 300


class ForeignError(ValueError):
    """A record of another program that is damaged, or that our rules do not allow.

    `step` is the step's number, from 1, and `kept` the game before it, with its players; both are
    None if the game did not begin, or if every step is allowed and its end differs.
    """

    def __init__(
        self, reason: str, step: int | None = None, kept: tuple[Game, tuple[str, ...]] | None = None
    ) -> None:
        self.reason = reason = shorten(reason, LONGEST_REASON, placeholder=" ...")
        self.step, self.kept = step, kept
        super().__init__(reason, step, kept)

    def __str__(self) -> str:
        return self.reason if self.step is None else f"step {self.step}: {self.reason}"
