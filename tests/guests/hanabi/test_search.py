"""The searching player: legal, reproducible, within its budgets, and cautious about deviations."""

import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.policies.best import Best
from catan_env.guests.hanabi.policies.search import Rehearsal, Search
from catan_env.guests.hanabi.rating import play_game, rate, rate_among
from catan_env.guests.hanabi.rules import Rules


@pytest.mark.parametrize("players", [2, 3, 5])
def test_it_plays_whole_games_with_partners_by_its_blueprint(players: int) -> None:
    game = Game(players, 4)
    play_game([Search(playouts=300), *(Best() for _ in range(players - 1))], game)
    assert game.is_over and game.score > 15


@pytest.mark.parametrize("suit", ["suit", "short", "wild"])
def test_it_plays_by_other_rules_and_with_strangers(suit: str) -> None:
    game = Game(2, 4, Rules(multicolour=suit))
    play_game([Search(playouts=100), load_policy("random")], game)
    assert game.is_over


def test_the_same_seed_plays_the_same_game() -> None:
    games = [Game(2, 3), Game(2, 3)]
    for game in games:
        play_game([Search(seed=5, playouts=200), Best()], game)
    assert games[0] == games[1]


def test_budgets_of_playouts_and_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    view = Game(2, 3).view(0)
    few, none = Search(playouts=1), Search(playouts=100_000_000, seconds=0.0)
    usual = Best().act(view)
    assert decide(few, view) == usual, "no action was played even once"
    assert decide(none, view) in view.legal_actions.indices, "it stops after the first worlds"
    with pytest.raises(ValueError, match="playouts is 0"):
        Search(playouts=0)


def test_every_batch_of_worlds_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    words, worlds = [], Rehearsal.worlds

    def watched(self: Rehearsal, count: int, word: int) -> object:
        words.append(word)
        return worlds(self, count, word)

    monkeypatch.setattr(Rehearsal, "worlds", watched)
    game = Game(2, 3)
    for _ in range(4):
        game.play(Search(playouts=400).act(game.view(game.seat)))
    assert len(words) > 4 and len(set(words)) == len(words)


def test_it_may_be_loaded_by_name() -> None:
    assert isinstance(load_policy("search", seed=3), Search)


def test_the_gain_of_a_policy_compares_the_same_games() -> None:
    same = rate_among("best", "best", 3, games=4, seed=2)
    assert (same.rating.scores == same.without.scores).all() and same.mean == same.interval == 0.0
    other = rate_among("random", "best", 2, games=4, seats=2)
    assert other.rating.scores.tolist() == rate("random", 2, games=4).scores.tolist()
    assert other.without.scores.tolist() == rate("best", 2, games=4).scores.tolist()
    assert str(other).endswith(f"gain {other.mean:+.2f} +- {other.interval:.2f}")
