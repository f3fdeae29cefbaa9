"""Combinations of parameters: every value every time, all combinations nightly."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest


def covering(*given: Iterable[Any]) -> list[Any]:
    """All combinations; those that run every time have each value of each column at least once."""
    columns = [list(column) for column in given]
    often = {tuple(k % len(column) for column in columns) for k in range(max(map(len, columns)))}
    rows = []
    for places in product(*(range(len(column)) for column in columns)):
        marks = () if places in often else pytest.mark.nightly
        row = (column[place] for column, place in zip(columns, places, strict=True))
        rows.append(pytest.param(*row, marks=marks))
    return rows
