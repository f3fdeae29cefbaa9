"""Values in messages: short, whatever they are."""

from typing import Any

LONGEST = 80
"""Characters of a value in a message."""


def shown(value: Any, most: int = LONGEST) -> str:
    """Return the representation of a value in at most `most` characters.

    >>> shown([7] * 1000, 12)
    '[7, 7, 7,...'
    >>> shown(10**5000)
    '<int that cannot be printed>'
    """
    try:
        text = repr(value)
    except Exception:  # an integer of too many digits, or whatever a class's __repr__ raises
        text = f"<{type(value).__name__} that cannot be printed>"
    return shortened(text, most)


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` characters.

    >>> shortened("a settlement", 12), shortened("a settlement", 11)
    ('a settlement', 'a settle...')
    """
    return text if len(text) <= most else f"{text[: most - 3]}..."
