"""The engine that played a game: a record leads to the same position in the same engine."""

from functools import cache
from hashlib import sha256

from catan_env.core.compiled import CORE
from catan_env.kernel.sources import KERNEL


@cache
def this_engine() -> str:
    """A hash of the sources of the engine's rules: 16 hexadecimal digits."""
    digest = sha256()
    for path in (*sorted(KERNEL.glob("*.py")), *sorted(CORE.glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
