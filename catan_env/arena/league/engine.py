"""Which engine played a game: a record leads to the same position in the same engine."""

from functools import cache
from hashlib import sha256
from pathlib import Path

import catan_env
from catan_env import core


@cache
def this_engine() -> str:
    """The package's version and a hash of the sources of its rules, such as '0.1.0+5d0c...'."""
    digest = sha256()
    for path in sorted(Path(core.__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return f"{catan_env.__version__}+{digest.hexdigest()[:12]}"
