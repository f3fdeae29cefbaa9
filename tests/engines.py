"""What a program says on the compiled engine and on the interpreted one."""

import os
import subprocess
import sys


def said_by_both(program: str) -> set[str]:
    """What it prints on each: one text where they agree."""
    return {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "CATAN_ENV_JIT": jit},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for jit in ("0", "1")
    }
