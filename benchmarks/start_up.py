"""The cost of starting: import, first compilation, warm start, memory; each in its own process."""

import json
import os
import subprocess
import sys
import tempfile

IMPORT = "import catan_env"
FIRST_GAME = "import catan_env; catan_env.Game(seed=1).play(52)"
ENGINE = "from catan_env.batch import Batch; one = Batch(1); one.step(one.sample_legal())"
BATCH = """
from catan_env.batch import Batch
one = Batch(1)
one.step(one.sample_legal())
before = resident()
batch = Batch(100_000)
for _ in range(3):
    batch.step(batch.sample_legal())
"""
MEASURED = """
import json, resource, time
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20
start = time.perf_counter()
before = 0
{code}
print(json.dumps([time.perf_counter() - start, resident() - before]))
"""


def run(code: str, **environment: str) -> tuple[float, float]:
    """Seconds and resident MiB of a new process that runs `code`."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED.format(code=code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, mebibytes = json.loads(done.stdout.splitlines()[-1])
    return seconds, mebibytes


def figures() -> dict[str, float]:
    """Named figures, seconds and MiB."""
    with tempfile.TemporaryDirectory() as folder:
        cold = run(FIRST_GAME, CATAN_ENV_CACHE=folder)
        warm = run(FIRST_GAME, CATAN_ENV_CACHE=folder)
    bare, imported = run("pass"), run(IMPORT)
    run(BATCH)
    return {
        "import, seconds": imported[0],
        "import, MiB above Python": imported[1] - bare[1],
        "first game with an empty cache, seconds": cold[0],
        "first game with compiled rules, seconds": warm[0],
        "batch engine loaded, MiB above Python": run(ENGINE)[1] - bare[1],
        "100,000 games with masks and observations, MiB beyond that": run(BATCH)[1],
    }
