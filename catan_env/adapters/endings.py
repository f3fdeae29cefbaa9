"""Why an episode ended: the same words in every environment."""

ILLEGAL_REWARD = -1.0
"""What an episode that an illegal action ended is worth in all to the seat that played it."""
WIN, LOSS, TURN_LIMIT = "win", "loss", "turn limit"
ILLEGAL = "illegal action"
REFUSED_OFTEN = 50
"""Episodes ended by an illegal action after which a warning is given, once."""
UNMASKED = (
    "actions that the mask does not allow end episodes; a learner that takes no mask plays "
    "little else: use the mask (docs/actions.md), or illegal='ignore'"
)


def illegal(refusal: str) -> str:
    """Why an episode ended with an action that the rules refuse."""
    return f"{ILLEGAL}: {refusal}"


def is_illegal(reason: str) -> bool:
    """True if a reason is that of `illegal`."""
    return reason.startswith(f"{ILLEGAL}:")
