"""The output of a program with the compiled engine and with the interpreted one."""

import os
import subprocess
import sys


def said_by_both(program: str) -> set[str]:
    """The output with each engine: a single text if they agree."""
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **engine},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for engine in ({"CATAN_ENV_ENGINE": "python"}, {})
    }
