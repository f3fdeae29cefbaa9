"""The random number generator, whose state is part of a game's state.

Counter-based: draw number `n` of a game is SplitMix64's mix of `seed + n * golden ratio`. A state
therefore determines its whole future, and the same seed with the same actions gives the same bytes
on every machine. Draws that are not part of the game use numbers far above any draw count: picking
random actions (`PICK_STREAM`) does not change the rest of the game.
"""

from catan_env.kernel.jit import JIT, inline

PICK_STREAM = 3 << 40

MASK64 = (1 << 64) - 1

if JIT:
    import numpy as np

    @inline
    def u64(x):
        """`x` as an unsigned 64-bit integer."""
        return np.uint64(x)

    @inline
    def i64(x):
        """A small `x` as a signed 64-bit integer."""
        return np.int64(x)

    GOLDEN, M1, M2 = (
        np.uint64(0x9E3779B97F4A7C15),
        np.uint64(0xBF58476D1CE4E5B9),
        np.uint64(0x94D049BB133111EB),
    )
    S27, S30, S31, S32 = (np.uint64(n) for n in (27, 30, 31, 32))
else:

    def u64(x):
        """`x` as an unsigned 64-bit integer."""
        return x & MASK64

    def i64(x):
        """A small `x` as a signed 64-bit integer."""
        return int(x)

    GOLDEN, M1, M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
    S27, S30, S31, S32 = 27, 30, 31, 32


@inline
def word_at(seed, n):
    """The 64 random bits of draw `n` with `seed`."""
    x = u64(u64(seed) + u64(u64(n) * GOLDEN))
    x = u64((x ^ (x >> S30)) * M1)
    x = u64((x ^ (x >> S27)) * M2)
    return x ^ (x >> S31)


@inline
def below_at(seed, n, limit):
    """A number in 0..limit-1 (limit below 2**31), uniform to one part in 2**32."""
    return i64(u64((word_at(seed, n) >> S32) * u64(limit)) >> S32)


@inline
def below(g, limit):
    """The game's next random number in 0..limit-1."""
    g.draws += 1
    return below_at(g.seed, g.draws, limit)
