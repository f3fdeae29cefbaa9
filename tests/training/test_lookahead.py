"""What candidate actions lead to, one of the seat's own decisions ahead."""

import numpy as np
import pytest

pytest.importorskip("torch")

from catan_env.batch import Batch
from catan_env.core.actions import END_TURN_ACTION as END_TURN
from catan_env.core.constants import DevelopmentCard
from catan_env.training.lookahead import Lookahead

KNIGHT, POINT = DevelopmentCard.KNIGHT, DevelopmentCard.VICTORY_POINT


def first_legal(observations, masks):
    """Plays the first legal action, and thinks every position worth the sum of what is seen."""
    return masks.argmax(axis=1), observations.sum(axis=1) / 10_000


def middle_of(games=32, steps=700):
    batch = Batch(games, seats=2, rules="duel", seed=3)
    for _ in range(steps):
        batch.step(batch.sample_legal())
    return batch


def rows_with_a_choice(batch):
    """Games in which a turn may end, and something else may be done."""
    may_end = batch.action_masks[:, END_TURN] == 1
    return np.flatnonzero(may_end & (batch.action_masks.sum(axis=1) > 1))


def worth(batch, seed=1, worlds=3):
    """Of the end of the turn, and of the first of the other actions."""
    rows = rows_with_a_choice(batch)
    rest = batch.action_masks[rows].copy()
    rest[:, END_TURN] = 0
    actions = np.stack([np.full(len(rows), END_TURN), rest.argmax(axis=1)], axis=1)
    ahead = Lookahead(batch, len(rows), 2, worlds, seed)
    return ahead.worth(batch.states[rows], batch.seat[rows], actions, first_legal)


def test_an_action_that_wins_is_worth_a_win():
    batch = middle_of()
    winning = range(52, 160)  # a settlement or a city
    while not batch.action_masks[:, winning].any():
        batch.step(batch.sample_legal())
    row = int(batch.action_masks[:, winning].any(axis=1).argmax())
    seat = batch.seat[row]
    batch.states["points"][row, seat] = batch.states["points_to_win"][row] - 1
    batch.states["cards"][row, seat, POINT] = 0
    build = winning[int(batch.action_masks[row, winning].argmax())]
    other = int(np.flatnonzero(batch.action_masks[row])[0])
    assert other not in winning
    ahead = Lookahead(batch, 1, 2, 4, seed=1)
    states, actions = batch.states[[row]], np.array([[build, other]])
    found = ahead.worth(states, batch.seat[[row]], actions, first_legal)
    assert found[0, 0] == 1 > found[0, 1]


def test_what_a_seat_cannot_see_changes_nothing():
    batch = middle_of(steps=1500)
    before = worth(batch)
    changed = 0
    for i in rows_with_a_choice(batch).tolist():
        other = 1 - int(batch.seat[i])
        cards, deck = batch.states["cards"][i, other], batch.states["deck"][i]
        if (
            batch.states["seat"][i] == batch.states["turn_seat"][i]
            and cards[KNIGHT]
            and deck[POINT]
        ):
            cards[KNIGHT] -= 1
            deck[KNIGHT] += 1
            cards[POINT] += 1
            deck[POINT] -= 1
            changed += 1
    assert changed
    np.testing.assert_array_equal(worth(batch), before)


def test_the_real_games_are_left_as_they_were():
    batch = middle_of()
    before = batch.states.tobytes()
    found = worth(batch)
    assert batch.states.tobytes() == before
    assert (np.abs(found) <= 1).all() and len(np.unique(found)) > 2


def test_other_dice_are_other_worlds():
    batch = middle_of()
    assert (worth(batch, seed=1) != worth(batch, seed=2)).any()


def test_an_action_that_the_mask_does_not_allow_is_refused():
    batch = middle_of()
    rows = rows_with_a_choice(batch)[:1]
    illegal = int(np.flatnonzero(batch.action_masks[rows[0]] == 0)[0])
    ahead = Lookahead(batch, 1, 2, 1, seed=1)
    with pytest.raises(ValueError, match="that the mask does not allow"):
        actions = np.full((1, 2), illegal)
        ahead.worth(batch.states[rows], batch.seat[rows], actions, first_legal)
