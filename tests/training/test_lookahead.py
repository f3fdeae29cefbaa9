"""What candidate actions lead to: by a network one decision ahead, and by playouts of `greedy`."""

import numpy as np
import pytest

pytest.importorskip("torch")

from catan_env.batch import Batch
from catan_env.core.actions import END_TURN_ACTION as END_TURN
from catan_env.core.constants import DevelopmentCard
from catan_env.core.state import doorway, new_states
from catan_env.policies.search import playouts
from catan_env.policies.value.odds import Odds
from catan_env.policies.value.scratch import Scratch, row
from catan_env.policies.value.weights import weights_for
from catan_env.training.lookahead import Lookahead
from catan_env.training.playouts import Playouts

KNIGHT, POINT = DevelopmentCard.KNIGHT, DevelopmentCard.VICTORY_POINT


def first_legal(observations, masks):
    """Plays the first legal action, and thinks every position worth the sum of what is seen."""
    return masks.argmax(axis=1), observations.sum(axis=1) / 10_000


def by_network(batch, games, worlds, seed):
    return Lookahead(batch, games, 2, worlds, seed, first_legal)


def by_playouts(batch, games, worlds, seed):
    return Playouts(batch, 2, worlds, seed)


EITHER = pytest.mark.parametrize("looking", [by_network, by_playouts])


def middle_of(games=32, steps=700):
    batch = Batch(games, seats=2, rules="duel", seed=3)
    for _ in range(steps):
        batch.step(batch.sample_legal())
    return batch


def rows_with_a_choice(batch):
    """Games in which a turn may end, and something else may be done."""
    may_end = batch.action_masks[:, END_TURN] == 1
    return np.flatnonzero(may_end & (batch.action_masks.sum(axis=1) > 1))


def worth(batch, looking, seed=1, worlds=3):
    """Of the end of the turn, and of the first of the other actions."""
    rows = rows_with_a_choice(batch)
    rest = batch.action_masks[rows].copy()
    rest[:, END_TURN] = 0
    actions = np.stack([np.full(len(rows), END_TURN), rest.argmax(axis=1)], axis=1)
    ahead = looking(batch, len(rows), worlds, seed)
    return ahead.worth(batch.states[rows], batch.seat[rows], actions)


@EITHER
def test_an_action_that_wins_is_worth_a_win(looking):
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
    states, actions = batch.states[[row]], np.array([[build, other]])
    found = looking(batch, 1, 4, seed=1).worth(states, batch.seat[[row]], actions)
    assert found[0, 0] == 1 > found[0, 1]


@EITHER
def test_what_a_seat_cannot_see_changes_nothing(looking):
    batch = middle_of(steps=1500)
    before = worth(batch, looking)
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
    np.testing.assert_array_equal(worth(batch, looking), before)


@EITHER
def test_the_real_games_are_left_as_they_were(looking):
    batch = middle_of()
    before = batch.states.tobytes()
    found = worth(batch, looking)
    assert batch.states.tobytes() == before
    assert (np.abs(found) <= 1).all() and len(np.unique(found)) > 2


@EITHER
def test_other_dice_are_other_worlds(looking):
    batch = middle_of()
    assert (worth(batch, looking, seed=1) != worth(batch, looking, seed=2)).any()


@pytest.mark.parametrize(("seats", "rules"), [(2, "duel"), (4, "base")])
def test_playouts_are_those_of_search_from_the_view_of_the_seat(seats, rules):
    batch = Batch(8, seats=seats, rules=rules, seed=5)
    for _ in range(400):
        batch.step(batch.sample_legal())
    rows = np.flatnonzero(batch.action_masks.sum(axis=1) > 2)
    actions = np.argsort(-batch.action_masks[rows], axis=1, kind="stable")[:, :3]
    found = Playouts(batch, 3, 4, seed=9).worth(batch.states[rows], batch.seat[rows], actions)
    words = np.random.default_rng(9).integers(1 << 63, size=len(rows))
    for i, game in enumerate(rows.tolist()):
        view = batch.view(game, int(batch.seat[game]))
        sums = np.zeros(3)
        playouts.try_candidates(
            view._states, doorway(new_states(playouts.WORLDS)), row(actions[i]), 3, row(sums),
            int(words[i]), 0, 4, 2 * seats, *Odds(seats).memory, row(weights_for(seats)),
            *Scratch().memory,
        )  # fmt: skip
        np.testing.assert_array_equal(found[i], (sums / 4).astype(np.float32))


def test_an_action_that_stands_in_a_row_again_is_played_on_once():
    batch = middle_of()
    rows = rows_with_a_choice(batch)
    ends = np.full(len(rows), END_TURN)
    other = (batch.action_masks[rows] * (np.arange(848) != END_TURN)).argmax(axis=1)
    states, seats = batch.states[rows], batch.seat[rows]
    ahead = [Playouts(batch, k, 4, seed=2) for k in (2, 4)]
    short = ahead[0].worth(states, seats, np.stack([ends, other], axis=1))
    long = ahead[1].worth(states, seats, np.stack([ends, other, ends, ends], axis=1))
    np.testing.assert_array_equal(long, short[:, [0, 1, 0, 0]])


def test_an_action_that_the_mask_does_not_allow_is_refused():
    batch = middle_of()
    rows = rows_with_a_choice(batch)[:1]
    illegal = int(np.flatnonzero(batch.action_masks[rows[0]] == 0)[0])
    ahead = by_network(batch, 1, 1, seed=1)
    with pytest.raises(ValueError, match="that the mask does not allow"):
        ahead.worth(batch.states[rows], batch.seat[rows], np.full((1, 2), illegal))
