"""Sets as bits of a word."""

from random import Random

import numpy as np

from catan_env.kernel.bits import (
    bit,
    count_all,
    count_bits,
    holds,
    lowest_bit,
    members,
    nth_bit,
    nth_of_all,
    only_if,
    store_bits,
    word_of,
)
from tests.core.keep import slow


@slow
def counted(word):
    return count_bits(word)


@slow
def counted_all(words):
    return count_all(words)


@slow
def nth_of(words, n):
    return nth_of_all(words, n)


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


def test_a_set_knows_its_members() -> None:
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


def test_the_nth_bit_of_sixteen_words_agrees_with_a_list_of_all_bits() -> None:
    chance = Random(7)
    for share in (0.02, 0.3, 1.0):
        sets = [[k for k in range(60) if chance.random() < share] for _ in range(16)]
        sets[0] = sets[9] = []
        words = np.array([word_of(numbers) for numbers in sets])
        listed = [(word, n) for word, numbers in enumerate(sets) for n in range(len(numbers))]
        assert counted_all(words) == len(listed)
        assert [nth_of(words, n) for n in range(len(listed))] == listed
    assert counted_all(np.zeros(16, np.int64)) == 0
