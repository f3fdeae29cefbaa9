"""What the public face refuses."""


class IllegalActionError(ValueError):
    """The rules do not allow this action now; the game is as it was."""


class GameOverError(IllegalActionError):
    """The game has ended: nobody has a turn any more."""
