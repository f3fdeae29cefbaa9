"""Promises of a game's own methods, which environments rely on and do not show."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.adapters.contents import contents
from tests.adapters.games import GameUnderTest, action_of, illegal_in

SEEDS, ACTIONS = 4, 40


def positions(game: GameUnderTest) -> Iterator[Any]:
    """Episodes with an action to choose, of random games; the next one continues the last."""
    for seed in range(SEEDS):
        episode, chance = game.new_game(seed), np.random.default_rng(seed)
        for _ in range(ACTIONS):
            if episode.is_over:
                break
            yield episode
            episode.play(action_of(episode.action_mask(), chance))


def test_totals_begin_at_zero(game: GameUnderTest) -> None:
    options = game.made("aec").options
    for seed in range(SEEDS):
        assert list(options.totals(options.new_episode(seed))) == [0.0] * game.seats


def test_totals_change_before_the_end_only_if_the_options_say_so(game: GameUnderTest) -> None:
    options = game.made("aec").options
    for episode in positions(game):
        totals = list(options.totals(episode))
        assert options.is_paid_on_the_way or totals == [0.0] * game.seats, "is_paid_on_the_way"


def test_seats_that_do_not_act_see_no_legal_action(game: GameUnderTest) -> None:
    for episode in positions(game):
        for seat in range(game.seats):
            mask = np.asarray(episode.view(seat).action_mask)
            expected = episode.action_mask() if seat == episode.seat else np.zeros_like(mask)
            assert (mask == expected).all(), f"seat {seat} sees actions of seat {episode.seat}"


def test_an_action_that_a_game_refuses_changes_nothing(game: GameUnderTest) -> None:
    error = game.made("aec").options.illegal_error
    for episode in positions(game):
        played, illegal = episode.game(), illegal_in(episode.action_mask())
        before = seen(played, game.seats)
        with pytest.raises(error):
            played.play(illegal)
        assert seen(played, game.seats) == before


def test_a_view_stays_the_same_while_the_game_continues(game: GameUnderTest) -> None:
    for seed in range(SEEDS):
        episode, chance = game.new_game(seed), np.random.default_rng(seed)
        kept = []
        for _ in range(ACTIONS):
            views = [episode.view(seat) for seat in range(game.seats)]
            kept += [(view, contents(view)) for view in views]
            if episode.is_over:
                break
            episode.play(action_of(episode.action_mask(), chance))
        assert all(contents(view) == before for view, before in kept), "it has parts of the game"


def test_cards_that_a_seat_cannot_see_change_nothing_that_it_sees(game: GameUnderTest) -> None:
    """Played with `GameUnderTest.redealt`, which deals them again."""
    if game.redealt is None:
        pytest.skip("redealt is not given")
    checked = 0
    for episode in positions(game):
        for seat in range(game.seats):
            played = episode.game()
            other = game.redealt(played, seat, checked)
            if other is not None:
                checked += 1
                assert (other.observe(seat) == episode.observation(seat)).all(), "an observation"
                assert contents(other.view(seat)) == contents(played.view(seat)), "a view"
    assert checked > SEEDS


def seen(played: Any, seats: int) -> list[Any]:
    """The text of a game, and what each seat observes."""
    return [str(played), *(played.observe(seat).tobytes() for seat in range(seats))]
