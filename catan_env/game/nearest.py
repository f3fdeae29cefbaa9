"""The legal actions nearest to an illegal one, for its error message."""

from collections.abc import Iterable
from heapq import nsmallest
from operator import itemgetter
from typing import Any

from catan_env.game.action import Action, ActionKind

MOST_NAMED, MOST_CHARACTERS = 3, 120
"""Length limit of the list of legal actions in an error; the nearest one is always listed."""

Distance = tuple[int, tuple[bool, ...], int]
"""Another kind; the places and cards that differ; the total difference."""


def allowed_instead(refused: Action, legal: Iterable[Action]) -> str:
    """Return the legal actions nearest to a refused one, and the number of others.

    Actions of the same kind come first, those at the same place before its neighbours; of other
    kinds, only the first of each.

    >>> legal = [Action.end_turn(), *(Action.road(k) for k in (3, 9, 12, 40))]
    >>> allowed_instead(Action.road(11), legal)
    'build a road at edge 12, build a road at edge 9, build a road at edge 3, and 2 more'
    """
    seen: set[ActionKind] = set()
    ranked: list[tuple[Distance, Action]] = []
    for action in legal:
        ranked.append((_distance(refused, action, action.kind in seen), action))
        seen.add(action.kind)
    names = [str(action) for _, action in nsmallest(MOST_NAMED, ranked, key=itemgetter(0))]
    while len(names) > 1 and len(", ".join(names)) > MOST_CHARACTERS:
        names.pop()
    more = len(ranked) - len(names)
    return ", ".join(names) + (f", and {more} more" if more > 0 else "")


def _distance(refused: Action, other: Action, is_repeated: bool) -> Distance:
    if other.kind != refused.kind:
        return 1 + is_repeated, (), 0
    pairs = list(zip(refused.args, other.args, strict=True))
    return 0, tuple(a != b for a, b in pairs), sum(_steps(a, b) for a, b in pairs)


def _steps(a: Any, b: Any) -> int:
    """Return the difference of two numbers or of two hands' counts; 1 if one is missing."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return sum(abs(x - y) for x, y in zip(a, b, strict=True))
    return abs(a - b) if isinstance(a, int) and isinstance(b, int) else int(a != b)
