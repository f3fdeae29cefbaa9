"""Errors of the public interface."""


class IllegalActionError(ValueError):
    """The rules do not allow this action now; the game is unchanged."""


class GameOverError(IllegalActionError):
    """The game has ended: there are no more decisions."""


class IllegalOutcomeError(IllegalActionError):
    """Not a possible outcome of this action; the game is unchanged."""
