"""The generator of chance that lives in a game's state.

Counter-based: draw number `n` of a game is SplitMix64's mix of `seed + n * golden ratio`, so a
state holds all of its future and the same seed with the same actions gives the same bytes
everywhere. What a game draws apart from its play takes numbers far above any count of draws:
picking random actions (`PICK_STREAM`) does not move the play that follows.
"""

from catan_env.kernel.jit import JIT, rule

PICK_STREAM = 3 << 40

MASK64 = (1 << 64) - 1

if JIT:
    import numpy as np

    @rule
    def u64(x):
        """`x` as an unsigned word."""
        return np.uint64(x)

    @rule
    def i64(x):
        """`x`, which is small, as a signed word."""
        return np.int64(x)

    GOLDEN, M1, M2 = (
        np.uint64(0x9E3779B97F4A7C15),
        np.uint64(0xBF58476D1CE4E5B9),
        np.uint64(0x94D049BB133111EB),
    )
    S27, S30, S31, S32 = (np.uint64(n) for n in (27, 30, 31, 32))
else:

    def u64(x):
        """`x` as an unsigned word."""
        return x & MASK64

    def i64(x):
        """`x`, which is small, as a signed word."""
        return int(x)

    GOLDEN, M1, M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
    S27, S30, S31, S32 = 27, 30, 31, 32


@rule
def word_at(seed, n):
    """The 64 random bits of draw `n` under `seed`."""
    x = u64(u64(seed) + u64(u64(n) * GOLDEN))
    x = u64((x ^ (x >> S30)) * M1)
    x = u64((x ^ (x >> S27)) * M2)
    return x ^ (x >> S31)


@rule
def below_at(seed, n, limit):
    """A number in 0..limit-1 (limit under 2**31), uniform to one part in 2**32."""
    return i64(u64((word_at(seed, n) >> S32) * u64(limit)) >> S32)


@rule
def below(g, limit):
    """The game's next random number in 0..limit-1."""
    g.draws += 1
    return below_at(g.seed, g.draws, limit)
