"""What goes wrong at the doors of this game."""


class IllegalActionError(ValueError):
    """The rules do not allow the action now; nothing has changed."""


class GameOverError(IllegalActionError):
    """The game is over."""
