"""Errors of the public interface."""


class IllegalActionError(ValueError):
    """The rules do not allow the action now; the game is unchanged."""


class GameOverError(IllegalActionError):
    """The game is over."""
