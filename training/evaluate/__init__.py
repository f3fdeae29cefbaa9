"""The strength of policies, measured in games between them.

`python -m catan_env.training.evaluate NAME NAME ...`
"""

from catan_env.training.evaluate.bout import Bout, Measured, play
from catan_env.training.evaluate.command import main
from catan_env.training.evaluate.pools import pool_tables, ratings
from catan_env.training.evaluate.reports import plot, report, rules_of
from catan_env.training.evaluate.results import measured, merge, merge_files
from catan_env.training.evaluate.workers import evaluate

__all__ = [
    "Bout",
    "Measured",
    "evaluate",
    "main",
    "measured",
    "merge",
    "merge_files",
    "play",
    "plot",
    "pool_tables",
    "ratings",
    "report",
    "rules_of",
]
