"""Names of 0.2 in the arena's documented modules: until 0.4.0 they work, with a warning."""

import asyncio
import inspect
from types import ModuleType
from typing import Any

import pytest

from catan_env.arena import commands, games, tournament
from catan_env.arena.league import league, patience, quarantine
from catan_env.arena.outcome import Outcome
from catan_env.arena.sandbox import Sandbox
from catan_env.arena.tournament import Tournament
from catan_env.game.game import Game

OLD_NAMES = [
    (tournament, "LEAVING", games, "LEAVING"),
    (tournament, "LOOK_EVERY", games, "LOOK_EVERY"),
    (tournament, "Watch", games, "Observer"),
    (tournament, "leaving_together", games, "leaving_together"),
    (tournament, "output_of", games, "output_of"),
    (tournament, "program_of", commands, "program_of"),
    (tournament, "stem", games, "stem"),
    (league, "PATIENCE", patience, "PATIENCE"),
    (league, "QUARANTINE", quarantine, "QUARANTINE"),
    (league, "Run", league, "RunSettings"),
    (league, "Season", league, "LeagueRun"),
    (league, "reached", patience, "reached"),
]


@pytest.mark.parametrize(("home", "old", "new_home", "new"), OLD_NAMES)
def test_an_old_name_works_with_a_warning(
    home: ModuleType, old: str, new_home: ModuleType, new: str
) -> None:
    said = f"{home.__name__}.{old} is now {new_home.__name__}.{new}"
    with pytest.warns(DeprecationWarning, match=said) as caught:
        assert getattr(home, old) is getattr(new_home, new)
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("play", "play"),
        ("play_game", "play_game"),
        ("play_all", "play_all"),
        ("followed", "announced"),
    ],
)
def test_an_old_function_also_takes_the_old_keyword_of_its_observer(old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"is now catan_env.arena.games.{new}"):
        function = getattr(tournament, old)
    assert inspect.unwrap(function) is inspect.unwrap(getattr(games, new))
    with pytest.raises(TypeError, match="unexpected keyword argument 'watched'"):
        function(watched=None)


class Ended:
    """An observer that counts the games that have ended."""

    def __init__(self) -> None:
        self.games = 0

    def begin(self, *begun: Any) -> None:
        """Count nothing yet."""

    def end(self, number: int, outcome: Outcome | None = None) -> None:
        """Count the game."""
        self.games += 1


def test_a_game_is_played_and_observed_by_its_old_name() -> None:
    observer = Ended()
    with pytest.warns(DeprecationWarning, match="play_game is now"):
        play_game = tournament.play_game
    agents = Tournament(("false", "false"), sandbox=Sandbox("none"))
    outcome, game = asyncio.run(play_game(agents, 0, watch=observer))
    assert isinstance(outcome, Outcome) and isinstance(game, Game) and observer.games == 1


@pytest.mark.parametrize("module", [tournament, league])
def test_an_unknown_name_is_an_error(module: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"{module.__name__}' has no attribute 'plays'"):
        module.plays  # noqa: B018
