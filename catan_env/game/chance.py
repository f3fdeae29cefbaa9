"""Chance drawn from a secret, for tables of players who do not trust each other.

A game's seed has 64 bits, is stored in its memory and determines its board and what the table
places at random, so a program can search for it. A secret has 256 bits and is stored outside that
memory. Draw number `n` is the BLAKE2b hash of `n` keyed with the secret: the board and earlier
draws reveal nothing about the next draw, and the same secret with the same actions gives the same
game.
"""

import secrets
from bisect import bisect_right
from collections.abc import Sequence
from hashlib import blake2b
from itertools import accumulate

SECRET_BYTES = 32
LEAST_BYTES, MOST_BYTES = 16, 64
"""Shorter secrets can be searched for; longer ones exceed BLAKE2b's key size."""
WORD_BITS = 128


def new_secret() -> bytes:
    """Return a new secret from the system's random source: 256 bits."""
    return secrets.token_bytes(SECRET_BYTES)


def checked_secret(secret: bytes) -> bytes:
    """Return `secret`; ValueError unless it has 16..64 bytes."""
    if not isinstance(secret, bytes):
        raise TypeError(f"expected a secret of type bytes, got {type(secret).__name__}")
    if not LEAST_BYTES <= len(secret) <= MOST_BYTES:
        allowed = f"allowed are {LEAST_BYTES}..{MOST_BYTES}"
        raise ValueError(f"a secret of {len(secret)} bytes; {allowed}")
    return secret


def derived(secret: bytes, purpose: str) -> bytes:
    """Return a separate secret per purpose; it reveals neither `secret` nor any other purpose's.

    >>> derived(bytes(32), "game 1") == derived(bytes(32), "game 2")
    False
    """
    return blake2b(purpose.encode(), key=secret, digest_size=SECRET_BYTES).digest()


def word_under(secret: bytes, n: int) -> int:
    """Return the 128 random bits of draw `n`."""
    digest = blake2b(n.to_bytes(8, "big"), key=secret, digest_size=WORD_BITS // 8, person=b"draw")
    return int.from_bytes(digest.digest(), "big")


def below_under(secret: bytes, n: int, limit: int) -> int:
    """Return draw `n` as a number in 0..limit-1, uniform to one part in 2**96.

    >>> [below_under(bytes(16), n, 36) for n in range(1, 5)]
    [15, 10, 24, 1]
    """
    return word_under(secret, n) * limit >> WORD_BITS


def nth_card(counts: Sequence[int], n: int) -> int:
    """Return the kind of card number `n` of a pile sorted by kind.

    >>> [nth_card((2, 0, 1), n) for n in range(3)]
    [0, 0, 2]
    """
    return bisect_right(list(accumulate(counts)), n)
