"""Lines with some bytes changed, as a broken client sends them."""

from random import Random


def mutated(line: bytes, chance: Random) -> bytes:
    """Change, remove, double or move some bytes."""
    data = bytearray(line)
    for _ in range(chance.randint(1, 3)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        kind = chance.randrange(4)
        if kind == 0 and data:
            data[min(at, len(data) - 1)] = chance.randrange(256)
        elif kind == 1:
            del data[at : min(to, at + 4)]
        elif kind == 2:
            data[at:at] = data[at:to]
        else:
            data[at:at] = chance.choice((b'"', b"{", b"}", b"\\", b"null", b"-1", b"1e9", b"[]"))
    return bytes(data)
