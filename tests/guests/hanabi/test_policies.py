"""Policies: their actions are legal, and their scores match the published ones."""

import pytest

from catan_env.guests.hanabi import Game, IllegalActionError
from catan_env.guests.hanabi.policies import NAMES, decide, load_policy
from catan_env.guests.hanabi.rating import play_game, rate
from catan_env.guests.hanabi.view import SeatView
from tests.covering import covering


@pytest.mark.parametrize(
    ("name", "players"), covering([name for name in NAMES if name != "search"], [2, 3, 4, 5])
)
def test_every_policy_plays_whole_games(name: str, players: int) -> None:
    if name == "learnt" and players > 2:
        pytest.skip("it was trained for two players")
    for seed in range(3):
        game = Game(players, seed)
        play_game([load_policy(name, seed=seat) for seat in range(players)], game)
        assert game.is_over


@pytest.mark.parametrize(("players", "low", "high"), [(2, 15, 18), (5, 14.5, 17)])
def test_piers_scores_what_is_published(players: int, low: float, high: float) -> None:
    assert low < rate("piers", players, games=60).mean < high


def test_an_illegal_answer_names_its_policy() -> None:
    class Discards:
        def act(self, view: object) -> int:
            return 0

    with pytest.raises(IllegalActionError, match=r"Discards\.act answered 0"):
        decide(Discards(), Game().view(0))


def test_an_unknown_policy_is_refused_with_the_known_names() -> None:
    with pytest.raises(ValueError, match=", ".join(NAMES)):
        load_policy("nobody")


def first(view: SeatView) -> int:
    """The first legal action."""
    return int(view.legal_actions.indices[0])


def test_a_function_of_a_view_is_a_policy() -> None:
    view = Game().view(0)
    assert decide(load_policy(f"{__name__}:first"), view) == first(view)


@pytest.mark.parametrize(("players", "least"), [(2, 21.0), (3, 21.5)])
def test_the_convention_player_scores_above_the_others(players: int, least: float) -> None:
    assert rate("best", players, games=60).mean > least


def test_games_of_best_may_end_with_the_last_seed() -> None:
    last = 2**64 - 1
    assert rate("best", 2, 1, last).scores[0] == play_game(
        [load_policy("best") for _ in range(2)], Game(2, last)
    )
    with pytest.raises(ValueError, match=f"seed is {last + 1}; allowed are"):
        rate("best", 2, 2, last)


def test_the_convention_player_needs_only_the_past_in_the_view() -> None:
    """A new one, given a view during a game, chooses the same action as the one that has played."""
    game, players = Game(3, 5), [load_policy("best") for _ in range(3)]
    while not game.is_over:
        view = game.view(game.seat)
        answer = decide(players[game.seat], view)
        assert decide(load_policy("best"), view) == answer
        game.play(answer)
