"""Sets as words of bits."""

from random import Random

import numpy as np

from catan_env.core.bits import (
    bit,
    count_bits,
    holds,
    lowest_bit,
    members,
    nth_bit,
    only_if,
    store_bits,
    word_of,
)
from tests.core.keep import slow


@slow
def counted(word):
    return count_bits(word)


@slow
def lowest(word):
    return lowest_bit(word)


@slow
def nth(word, n):
    return nth_bit(word, n)


@slow
def kept_if(number, word):
    return only_if(number > 0, word)


@slow
def stored(out, at, ones, twos):
    store_bits(out, 0, at, ones, twos)


def sets() -> list[tuple[int, ...]]:
    chance = Random(5)
    some = [tuple(sorted(chance.sample(range(60), k))) for k in range(1, 61)]
    return [*((k,) for k in range(60)), *some]


def test_members_and_word_of_are_inverse() -> None:
    assert members(0) == () and word_of([]) == 0
    for numbers in sets():
        assert members(word_of(numbers)) == numbers
        assert word_of(numbers) < 1 << 60


def test_a_set_knows_what_it_holds() -> None:
    for numbers in sets():
        word = word_of(numbers)
        assert [k for k in range(60) if holds(word, k)] == list(numbers)
        assert counted(word) == len(numbers)
        assert lowest(word) == numbers[0]
        assert [nth(word, n) for n in range(len(numbers))] == list(numbers)
        assert kept_if(1, word) == word and kept_if(0, word) == 0


def test_bit_is_the_set_of_one() -> None:
    assert [bit(k) for k in range(60)] == [word_of([k]) for k in range(60)]


def test_two_sets_are_stored_as_bytes() -> None:
    chance = Random(6)
    for at in (0, 1, 36, 54):
        ones, twos = chance.getrandbits(60), chance.getrandbits(60)
        out = np.full((1, 130), 7, np.int8)
        stored(out, at, ones, twos)
        expected = [(ones >> k & 1) + 2 * (twos >> k & 1) for k in range(64)]
        assert out[0, at : at + 64].tolist() == expected
        assert set(out[0, :at]) | set(out[0, at + 64 :]) <= {7}
