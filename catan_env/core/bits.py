"""Sets of vertices, edges and tiles as bits of a word.

No set has more than 60 members, so every word is a non-negative int64: the same arithmetic holds
for compiled words and for Python's integers.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from catan_env.core.jit import COMPILED, rule

if COMPILED:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def count_bits(typingctx: Any, word: Any) -> Any:
        """How many bits of `word` are set."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), codegen

    @intrinsic
    def lowest_bit(typingctx: Any, word: Any) -> Any:
        """The number of the lowest set bit of `word`, which is not 0."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), codegen

    ONE = np.int64(1)
else:

    def count_bits(word: int) -> int:
        """How many bits of `word` are set."""
        return int(word).bit_count()

    def lowest_bit(word: int) -> int:
        """The number of the lowest set bit of `word`, which is not 0."""
        word = int(word)
        return (word & -word).bit_length() - 1

    ONE = 1


@rule
def bit(number):
    """The set that holds `number` alone."""
    return ONE << number


@rule
def holds(word, number):
    """Whether `number` is in the set."""
    return (word >> number) & 1 != 0


@rule
def nth_bit(word, n):
    """The number of the n-th set bit of `word`, counted from 0."""
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)


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
