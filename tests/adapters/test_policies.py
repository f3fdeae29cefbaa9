"""Policies of all games by name."""

from collections.abc import Callable
from typing import Any

import pytest

from catan_env.guests.hanabi.policies import load_policy as hanabi
from catan_env.guests.renaissance.policies import load_policy as renaissance
from catan_env.policy import load_policy as catan

THREE = 3


class Inert:
    """A class that is not a policy: it has no `act`."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed


@pytest.mark.parametrize("load", [catan, hanabi, renaissance])
@pytest.mark.parametrize("name", ["Inert", "THREE"])
def test_what_cannot_act_is_not_a_policy(load: Callable[[str], Any], name: str) -> None:
    with pytest.raises(ValueError, match=rf"policy '{__name__}:{name}': .* is not a policy"):
        load(f"{__name__}:{name}")
