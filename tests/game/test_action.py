"""Actions take resources and reject other enumerations with equal numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from catan_env import Action, DevelopmentCard, Resource
from catan_env.core.constants import Terrain

ABOUT_RESOURCES: tuple[Callable[[Any], Action], ...] = (
    lambda kind: Action.offer(1, kind, Resource.WOOL),
    lambda kind: Action.offer(1, Resource.WOOL, {kind: 2}),
    lambda kind: Action.bank_trade(kind, Resource.WOOL),
    lambda kind: Action.bank_trade(Resource.WOOL, kind),
    lambda kind: Action.play_year_of_plenty(kind, Resource.WOOL),
    lambda kind: Action.play_monopoly(kind),
    lambda kind: Action.discard(kind),
)


@pytest.mark.parametrize("act", ABOUT_RESOURCES)
@pytest.mark.parametrize(
    "other", [DevelopmentCard.KNIGHT, Terrain.FOREST, True, "ORE", None, 1.0, -1, 5]
)
def test_anything_but_a_resource_is_refused(act: Callable[[Any], Action], other: Any) -> None:
    with pytest.raises(ValueError, match="is not a resource; expected one of BRICK 0, GRAIN 1"):
        act(other)


@pytest.mark.parametrize("act", ABOUT_RESOURCES)
def test_a_resource_may_be_named_by_its_number(act: Callable[[Any], Action]) -> None:
    assert act(Resource.ORE) == act(3) == act(np.int64(3))


def test_every_index_is_an_action_and_back() -> None:
    assert [Action.from_index(index).index for index in range(848)] == list(range(848))


def test_actions_outside_the_flat_index_have_no_index() -> None:
    assert Action.offer(1, (4, 0, 0, 0, 0), Resource.WOOL).index is None
    assert Action.bank_trade(Resource.ORE, Resource.WOOL, 3).index is None
