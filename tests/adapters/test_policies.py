"""Policies of all games by name."""

from collections.abc import Callable
from typing import Any

import pytest

from catan_env.adapters.named import named_policy
from catan_env.adapters.policies import Random
from catan_env.guests.hanabi.policies import load_policy as hanabi
from catan_env.guests.renaissance.policies import load_policy as renaissance
from catan_env.policy import load_policy as catan
from examples.fourth_game import load as fourth

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


@pytest.mark.parametrize("load", [catan, hanabi, renaissance, fourth])
@pytest.mark.parametrize("name", ["nobody", ":Class", "module:", ""])
def test_a_name_that_is_unknown_is_refused_with_the_known_ones(
    load: Callable[[str, int], Any], name: str
) -> None:
    refused = rf"^unknown policy '{name}'; allowed are random, .*module:Class and a weights file"
    with pytest.raises(ValueError, match=refused):
        load(name, 0)


@pytest.mark.parametrize("load", [hanabi, renaissance, fourth])
@pytest.mark.parametrize("name", ["no.such:Class", f"{__name__}:Missing"])
def test_a_class_that_is_missing_is_refused_with_the_known_names(
    load: Callable[[str, int], Any], name: str
) -> None:
    with pytest.raises(ValueError, match=rf"^policy '{name}': no .*; allowed are random, "):
        load(name, 0)


def test_a_named_policy_may_be_made_by_a_function() -> None:
    def drawn(seed: int) -> Random:
        return Random(seed)

    policy = named_policy("drawn", 3, {"drawn": drawn}, Random)
    assert isinstance(policy, Random)
