"""Errors of the public interface."""


class IllegalActionError(ValueError):
    """The rules do not allow this action now; the game is unchanged."""


class GameOverError(IllegalActionError):
    """The game has ended: no seat is to move."""
