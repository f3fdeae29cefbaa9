"""docs/training_options.md: `python -m docs.generate.training_options docs` makes it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catan_env.training import options
from catan_env.training.command_line import options_of
from catan_env.training.expert_iteration import iterate
from catan_env.training.imitation import clone
from catan_env.training.imitation.demonstrations import Source
from catan_env.training.metrics import METRICS
from catan_env.training.sb3 import train
from catan_env.training.value_function import tune

HEAD = """\
# Options and metrics of training

Every option is a name in the TOML file and `--name-with-dashes` on the command line, which
overrides the file; a dict is given there as `--env-options seats=2 rules=duel`. Only in the file
are `[[sources]]`. The commands have further options, such as `--threads`, and for `self_play`
`--device`, `--workers`, `--ray` and `--wandb`: `--help` lists all, as for
`training.value_function.rerank` and `.set_up`, which read no file.

[A table](research/README.md#options-in-010) has the names that options had in version 0.1.0.
"""
PAGES: tuple[tuple[str, Any], ...] = (
    ("self_play", options.Args),
    ("expert_iteration", iterate.Args),
    ("imitation", clone.Args),
    ("imitation, `[[sources]]`", Source),
    ("sb3.train", train.Args),
    ("value_function.tune, on the command line only", tune.Args),
)


METRICS_HEAD = """\
## Metrics of self_play

`training/metrics.py` computes all of them, once per rollout. Another algorithm may return others.

| metric | meaning |
|---|---|
"""


def page() -> str:
    """The page's text."""
    tables = (f"## {name}\n\n{table(kind)}\n" for name, kind in PAGES)
    logged = "\n".join(f"| `{name}` | {text} |" for name, text in METRICS.items())
    return "\n".join([HEAD, *tables, f"{METRICS_HEAD}{logged}\n"])


def table(kind: Any) -> str:
    """One row per field."""
    return "\n".join(["| option | type | default | meaning |", "|---|---|---|---|", *_rows(kind)])


def _rows(kind: Any) -> Iterator[str]:
    for name, type_, default, text in options_of(kind):
        shown = "" if default in ("", [], {}) else f"`{default}`"
        shown = "" if name == "sources" else shown
        yield f"| `{name}` | {type_} | {shown} | {' '.join(text.split())} |"


if __name__ == "__main__":
    Path(sys.argv[1], "training_options.md").write_text(page(), encoding="utf-8")
