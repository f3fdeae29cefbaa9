"""Counts as text."""

from collections import Counter


def say_counts(counts: Counter[str]) -> str:
    """Counts by name, in the order of names and in small letters.

    >>> say_counts(Counter(road=2, City=1)), say_counts(Counter())
    ('city 1, road 2', 'none')
    """
    return ", ".join(f"{name.lower()} {n}" for name, n in sorted(counts.items())) or "none"
