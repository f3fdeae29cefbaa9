"""Compiling every engine that Catan's servers and policies use, once per machine.

    python -m catan_env.policies.judge.compiled

An image or a machine whose cache folder will be read-only is prepared with it.
"""

from catan_env.core.compiled import ensure_batch
from catan_env.policies.judge.judge import ensure_judge
from catan_env.policies.value.compiled import ensure_play_out, ensure_runs


def ensure_all() -> None:
    """Compile the rules, the batch, the value function, the search and the judge."""
    ensure_batch()
    ensure_judge()
    ensure_play_out()
    ensure_runs()


if __name__ == "__main__":
    ensure_all()
