"""The win rate without luck, as numbers and as text."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from catan_env.arena.student import rate_interval

Array = np.ndarray[Any, Any]
FairRate = dict[str, Any]


def fair_rate(won: Array, fair: Array, boards: Array) -> FairRate:
    """The win rate without luck, its interval (None for one board), and what it saves.

    `won`, `fair` (by `fair.without_luck`) and `boards` are (n,), of one entrant's games. `saved` is
    the share of games that are not needed for an interval of the same width.

    >>> found = fair_rate(np.array([0, 1]), np.array([0.4, 0.6]), np.array([0, 1]))
    >>> found["fair_rate"], round(found["saved"], 2)
    (0.5, 0.96)
    """
    share = float(won.mean())
    saved = 1 - float(fair.var()) / (share * (1 - share)) if 0 < share < 1 else 0.0
    interval = rate_interval(fair, boards)
    return {"fair_rate": float(fair.mean()), "fair_interval": interval, "saved": saved}


def say_fair_rate(found: Mapping[str, Any]) -> str:
    """A `fair_rate` in percent, with its interval and the games that it saves.

    >>> say_fair_rate({"fair_rate": 0.515, "fair_interval": (0.47, 0.56), "saved": 0.4})
    '51.5 % (95 %: 47.0 - 56.0), 40 % of games saved'
    >>> say_fair_rate({"fair_rate": 1.1, "fair_interval": None, "saved": 0.0})
    '100.0 % (one board has no interval)'
    """
    rate = f"{100 * min(1, max(0, found['fair_rate'])):.1f} %"
    if found["fair_interval"] is None:
        return f"{rate} (one board has no interval)"
    low, high = found["fair_interval"]
    saved = f"{100 * found['saved']:.0f} % of games saved"
    return f"{rate} (95 %: {100 * low:.1f} - {100 * high:.1f}), {saved}"
