"""Our policies as players in any catanatron game, which follow it from its log."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

catanatron = pytest.importorskip("catanatron")

from catanatron.players.weighted_random import WeightedRandomPlayer  # noqa: E402

from catan_env import SeatView  # noqa: E402
from catan_env.catanatron.log import HAS_RECORDS, entry_of  # noqa: E402
from catan_env.catanatron.ours import OurPlayer  # noqa: E402
from catan_env.catanatron.player import PolicyPlayer  # noqa: E402
from catan_env.policy import load_policy  # noqa: E402

COLORS = (catanatron.Color.RED, catanatron.Color.BLUE, catanatron.Color.ORANGE)


def table(seed: int, seats: int, *name: str, **options: Any) -> Any:
    others = [WeightedRandomPlayer(color) for color in COLORS[1:seats]]
    return catanatron.Game([OurPlayer(COLORS[0], *name), *others], seed=seed, **options)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_policy_wins_at_catanatrons_table(seats: int) -> None:
    wins = [table(seed, seats, "builder").play() == COLORS[0] for seed in (1, 2, 3)]
    assert wins.count(True) >= 2


def test_a_player_plays_one_game_after_another() -> None:
    player, rival = OurPlayer(COLORS[0], "builder"), WeightedRandomPlayer(COLORS[1])
    won = [catanatron.Game([player, rival], seed=seed).play() for seed in (1, 2, 3)]
    assert won == [table(seed, 2, "builder").play() for seed in (1, 2, 3)]


def test_the_policy_is_greedy_by_default_and_its_name_may_contain_colons() -> None:
    assert repr(OurPlayer(COLORS[0])) == f"greedy:{COLORS[0].value}"
    named = OurPlayer(COLORS[0], "catan_env.policies.builder", "Builder")
    assert type(named.policy).__name__ == "Builder"
    with pytest.raises(ValueError, match="unknown policy 'missing'"):
        OurPlayer(COLORS[0], "missing")


class Witness:
    """Plays like builder and records the views it gets."""

    def __init__(self) -> None:
        self.policy, self.views = load_policy("builder"), list[SeatView]()

    def act(self, view: SeatView) -> int:
        self.views.append(view)
        return self.policy.act(view)


def test_it_sees_the_same_as_a_player_that_follows_every_action() -> None:
    """PolicyPlayer follows redacted events as they happen; both get the same bytes."""
    late, prompt = Witness(), Witness()
    player = OurPlayer(COLORS[0])
    player.policy = late
    game = catanatron.Game([player, WeightedRandomPlayer(COLORS[1])], seed=4)
    game.play()
    player = PolicyPlayer(COLORS[0], prompt)
    game = catanatron.Game([player, WeightedRandomPlayer(COLORS[1])], seed=4)
    player.begin(game)
    while game.winning_color() is None:
        player.follow(game.state, entry_of(game.play_tick()))
    assert len(late.views) > 20 and late.views == prompt.views


def test_a_copy_that_continues_differently_is_followed_as_well() -> None:
    game = table(2, 2, "builder")
    for _ in range(60):
        game.play_tick()
    for _ in range(3):
        copy = game.copy()
        for _ in range(40):
            copy.play_tick()
    game.play()


def test_a_table_with_another_discard_limit_is_refused() -> None:
    with pytest.raises(ValueError, match="the discard limit is 9; allowed is 7"):
        table(1, 2, discard_limit=9).play()


def test_a_game_to_fewer_points_ends_at_them() -> None:
    game = table(1, 2, "builder", vps_to_win=6)
    assert game.play() is not None
    assert max(game.state.player_state[f"P{seat}_ACTUAL_VICTORY_POINTS"] for seat in (0, 1)) < 10


def test_the_module_prints_the_file_for_the_command_line() -> None:
    command = [sys.executable, "-m", "catan_env.catanatron"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert Path(printed.strip()).name == "cli_players.py" and Path(printed.strip()).is_file()


@pytest.mark.skipif(not HAS_RECORDS, reason="catanatron's command line is in its version 3.3")
def test_the_command_line_knows_our_policies() -> None:
    cli = pytest.importorskip("catanatron.cli.cli_players")
    import catan_env.catanatron.cli_players  # noqa: F401

    ours, theirs = cli.parse_cli_string("OURS:builder,R")
    assert repr(ours) == f"builder:{COLORS[0].value}"
    assert catanatron.Game([ours, theirs], seed=1).play() == ours.color
