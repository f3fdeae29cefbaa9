"""Games over slow connections by protocol and number, each checked to have compared something."""

from collections import Counter
from importlib import import_module

NOT_COMPARED = ("renaissance", "literal")
"""Protocols and dialects whose observations are compared elsewhere, on lossless connections."""


def play(protocol: str, number: int) -> Counter[str]:
    """Play a game; AssertionError if it should have compared decisions and has none."""
    found: Counter[str] = import_module(f"tests.protocols.late.{protocol}").play(number)
    is_compared = found["compared"] > 0
    assert is_compared or protocol in NOT_COMPARED or any(map(found.get, NOT_COMPARED)), (
        "no decision was compared"
    )
    return found
