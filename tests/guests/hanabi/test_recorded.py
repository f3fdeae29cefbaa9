"""A batch that records its actions: its games as objects, and policies that follow them."""

import numpy as np
import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.recorded import RecordedBatch, best


def check(batch: RecordedBatch) -> None:
    """Check that every game object equals the batch's game."""
    for i in range(batch.num_games):
        game = batch.current_game(i)
        assert game.observe(game.seat).tobytes() == batch.observations[i].tobytes()
        assert (game.seat, game.points) == (batch.seat[i], batch.states["points"][i])


@pytest.mark.parametrize("players", [2, 5])
def test_current_games_are_available_even_if_rarely_requested(players: int) -> None:
    batch = RecordedBatch(8, players=players, seed=3)
    ended = 0
    for step in range(60):
        batch.step(batch.sample_legal())
        ended += int((batch.done == 1).sum())
        if step % 7 == 0:
            check(batch)
    assert ended > 8


def test_restarted_games_have_no_past() -> None:
    batch = RecordedBatch(4, seed=1)
    for _ in range(5):
        batch.step(batch.sample_legal())
    check(batch)
    batch.reset(1)
    check(batch)
    assert not batch.current_game(0).events
    batch.step(batch.sample_legal())
    batch.begin(2, int(batch.seeds[2]))
    batch.refresh()
    check(batch)
    assert [len(batch.current_game(i).events) for i in range(4)] == [1, 1, 0, 1]
    game = Game(2, seed=9)
    deck = [card for hand in game.hands for card in hand if card is not None] + game.deck
    batch.deal([deck] * 4)
    check(batch)


def test_refused_actions_and_stay_are_not_recorded() -> None:
    batch = RecordedBatch(3, seed=1)
    batch.step(np.array([0, -1, 5]))  # a discard with all tokens available, nothing, a play
    assert [len(batch.current_game(i).events) for i in range(3)] == [0, 0, 1]


def test_native_play_is_not_supported() -> None:
    with pytest.raises(TypeError, match="step"):
        RecordedBatch(2).play_others(np.zeros(2))


def test_a_teacher_answers_the_action_that_it_plays() -> None:
    batch = RecordedBatch(3, players=3, seed=5)
    games = [batch.game(i) for i in range(3)]
    players = [[load_policy("best") for _ in range(3)] for _ in games]
    for _ in range(12):
        actions, worth = best(batch, 4)
        expected = [
            decide(seats[game.seat], game.view(game.seat))
            for game, seats in zip(games, players, strict=True)
        ]
        assert actions[:, 0].tolist() == expected
        assert (actions[:, 1:] == -1).all() and not worth.any()
        batch.step(actions[:, 0])
        for game, action in zip(games, expected, strict=True):
            game.play(action)


def test_a_teacher_is_not_asked_if_the_mask_is_empty() -> None:
    batch = RecordedBatch(3, seed=5)
    batch.masks[1] = 0
    assert (best(batch, 2)[0][:, 0] == -1).tolist() == [False, True, False]
