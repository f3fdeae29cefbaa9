"""The reasons for which an episode ends: the same texts in every environment."""

ILLEGAL_REWARD = -1.0
"""The return of an episode that ended with an illegal action, for the seat that played it."""
WIN = "win"
"""The seat has won."""
LOSS = "loss"
"""Another seat has won."""
TURN_LIMIT = "turn limit"
"""The game was cut off at its limit."""
ILLEGAL = "illegal action"
"""The beginning of the reason of an illegal action."""
REFUSED_OFTEN = 50
"""The number of episodes ended by illegal actions after which a one-time warning is issued."""
UNMASKED = (
    "actions that the mask does not allow end episodes; a learner that takes no mask plays "
    "little else: use the mask (docs/actions.md), or illegal='ignore'"
)


def illegal(refusal: str) -> str:
    """The reason of an episode that ended with an action the rules forbid."""
    return f"{ILLEGAL}: {refusal}"


def is_illegal(reason: str) -> bool:
    """True if a reason is one of `illegal`'s."""
    return reason.startswith(f"{ILLEGAL}:")
