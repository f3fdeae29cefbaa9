"""A game as seen from one seat."""

from catan_env.guests.hanabi.action import Action
from catan_env.guests.hanabi.knowledge import Knowledge
from catan_env.guests.hanabi.observation import encode
from catan_env.guests.hanabi.position import HanabiPosition, Vector


class SeatView(HanabiPosition):
    """A game as one seat sees it, without its own cards and the deck (H005).

    Created by `Game.view(seat)`, or by a follower of a wire protocol.

    >>> from catan_env.guests.hanabi import Game
    >>> view = Game(players=2, seed=1).view(1)
    >>> view.hands[1], view.hands[0][0] is not None, int(view.action_mask.sum())
    ([None, None, None, None, None], True, 0)
    """

    viewer: int
    """The seat whose view this is."""

    @property
    def observation(self) -> Vector:
        """The seat's observation as the canonical vector, a fresh array."""
        return encode(self, self.viewer)

    @property
    def my_knowledge(self) -> list[Knowledge]:
        """The knowledge of the viewer's own cards."""
        return self.knowledge[self.viewer]

    def observe(self, seat: int) -> Vector:
        """The observation of the viewer; those of other seats are unavailable."""
        if seat != self.viewer:
            raise ValueError(f"this is the view of seat {self.viewer}, not of seat {seat}")
        return self.observation

    def refusal(self, action: Action) -> str | None:
        """The reason why `action` of this seat is illegal now, or None if it is legal."""
        if self.seat != self.viewer:
            return f"seat {self.seat} decides now, not seat {self.viewer}"
        return super().refusal(action)

    def _legal_numbers(self) -> list[int]:
        return super()._legal_numbers() if self.seat == self.viewer else []
