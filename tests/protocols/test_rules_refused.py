"""A server refuses to host a game whose rules its protocol cannot state."""

from dataclasses import replace

import pytest

from catan_env import Game, Rules
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_german.room import GermanRoom

SWITCHES = [{"hand_limit": 9}] + [
    {name: True} for name in ("friendly_robber", "balanced_dice", "small_map")
]


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: next(iter(switch)))
def test_a_room_names_the_setting_that_its_clients_could_not_know(switch: dict) -> None:
    (name,) = switch
    match = f"protocol cannot state {name} of the rules 'mine'"
    with pytest.raises(ValueError, match=match):
        GermanRoom(Game(3, 1, replace(Rules.base(), name="mine", **switch)))
    with pytest.raises(ValueError, match=match):
        CatanRoom(Game(3, 1, replace(Rules.tournament(), name="mine", **switch)), Settings())


def test_the_rules_of_the_protocols_are_hosted() -> None:
    GermanRoom(Game(3, 1, Rules.german("0.1")))
    CatanRoom(Game(3, 1, Rules.tournament()), Settings())
