"""A rematch is played by all the rules of the game before it, not by the preset of its name."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.web.late import LatePolicy
from catan_env.web.messages import Rematch
from catan_env.web.seating import Expected
from catan_env.web.table import LiveTable
from tests.web.house import House


def test_a_rematch_has_the_rules_of_the_game_before_it(tmp_path: Path) -> None:
    house: Any = House(tmp_path)
    rules = replace(Rules.base(), points_to_win=4, player_trade=False, balanced_dice=True)
    table = LiveTable(Game(2, 5, rules), ["Ann", "random"], {1: LatePolicy("random", 5)})
    shelf, secrets = house.room.hall._shelf, {"ann": 0}
    expected = Expected(list(secrets), ["the game"])
    house.room.prepare(expected, lambda: shelf.seating(table, secrets, ("", "random")))
    house.sit(1, "ann")
    house.play_table(1)
    house.say(1, Rematch(0))
    house.sit(2, house.heard[1][-1].secret)
    again = house.room._at[2].table.game
    assert again is not table.game and again.rules == rules
