"""What an episode is worth to a seat, and why it ended: the same words in every environment."""

from catan_env.core.constants import NOBODY
from catan_env.envs.options import Options

ILLEGAL_REWARD = -1.0
WIN, LOSS, TURN_LIMIT = "win", "loss", "turn limit"
ILLEGAL = "illegal action"


def illegal(refusal: str) -> str:
    """Why an episode ended with an action that the rules refuse."""
    return f"{ILLEGAL}: {refusal}"


def is_illegal(reason: str) -> bool:
    """Whether a reason is that of `illegal`."""
    return reason.startswith(f"{ILLEGAL}:")


def result(options: Options, seat: int, winner: int) -> tuple[float, str]:
    """The sparse reward of a game's end, and its reason; `winner` is NOBODY at the turn limit."""
    if winner == NOBODY:
        return 0.0, TURN_LIMIT
    return (1.0, WIN) if seat == winner else (options.loss(), LOSS)


def is_too_long(options: Options, turn: int) -> bool:
    """Whether the turn limit cuts off a game that goes on in this turn."""
    return options.max_turns is not None and turn > options.max_turns
