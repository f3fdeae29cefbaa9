"""Sets of small numbers as bits of a word.

No set has more than 60 members, so every word is a non-negative int64: the same arithmetic holds
for compiled words and for Python's integers.
"""

from collections.abc import Sequence

from catan_env.kernel.intrinsics import (
    LANES,
    ONE,
    copy_row,
    count_all,
    count_bits,
    lowest_bit,
    nth_bit,
    nth_of_all,
    store_bits,
)
from catan_env.kernel.jit import inline

__all__ = [
    "LANES",
    "ONE",
    "bit",
    "copy_row",
    "count_all",
    "count_bits",
    "holds",
    "lowest_bit",
    "members",
    "nth_bit",
    "nth_of_all",
    "only_if",
    "store_bits",
    "word_of",
]


@inline
def bit(number):
    """The set that holds `number` alone."""
    return ONE << number


@inline
def holds(word, number):
    """True if `number` is in the set."""
    return (word >> number) & 1 != 0


@inline
def only_if(condition, word):
    """`word` if the condition holds, otherwise the empty set; branch-free."""
    return word & -ONE * condition


def members(word: int) -> tuple[int, ...]:
    """The numbers in a set, ascending."""
    word = int(word)
    found = []
    while word:
        low = word & -word
        found.append(low.bit_length() - 1)
        word ^= low
    return tuple(found)


def word_of(numbers: Sequence[int]) -> int:
    """The set that holds `numbers`."""
    word = 0
    for number in numbers:
        word |= 1 << number
    return word
