"""`greedy`, the teacher and the playouts of `search` know no covered cards."""

import numpy as np
import pytest

from catan_env.guests.renaissance.batch import Batch
from catan_env.guests.renaissance.greedy import Greedy
from catan_env.guests.renaissance.learning import rank
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import NUM_ACTIONS
from catan_env.guests.renaissance.native.state import EMPTY
from catan_env.guests.renaissance.search import greedy_actions
from tests.guests.renaissance.drawn import BUY, fresh, legal, refresh


def test_in_a_view_no_card_is_known_below_a_bought_one() -> None:
    """R003, R041: the next card is turned up by the purchase, and unknown before."""
    game = fresh(1)
    game.state["strongbox"][0] = 9
    view = refresh(game).view(0)
    bought = min(action for action in legal(game) if BUY <= action < BUY + 36)
    assert (view.state["stack"] == EMPTY).all()
    doors.step(view._states, 0, bought)
    while view.phase == "pay":
        doors.step(view._states, 0, int(np.flatnonzero(view.action_mask)[0]))
    colour, level = np.argwhere(view.state["left"] == 3)[0]
    assert (view.state["left"] == 3).sum() == 1 and view.state["top"][colour, level] == EMPTY
    assert view.state["main_done"]


def test_a_purchase_is_valued_as_if_no_card_was_below() -> None:
    """A card that is not known is not the goal of the next purchase."""
    game = fresh(1)
    game.state["strongbox"][0] = 2
    view = refresh(game).view(0)
    bought = [action for action in legal(game) if BUY <= action < BUY + 36]
    last_cards = view.copy()
    last_cards.state["left"] = 1
    values, alone = (Greedy().values(seen)[bought] for seen in (view, last_cards))
    assert bought and np.array_equal(values, alone)


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_teacher_values_what_greedy_sees(seats: int) -> None:
    games, greedy = Batch(8, seats=seats, seed=7), Greedy()
    for _ in range(100):
        actions, worth = rank(games, NUM_ACTIONS)
        for i in range(8):
            view = games.view(i, int(games.seat[i]))
            legal_actions = int(view.action_mask.sum())
            seen, known = greedy.values(view), worth[i, :legal_actions]
            assert np.array_equal(seen[actions[i, :legal_actions]], known)
        games.step(actions[:, 0])


@pytest.mark.parametrize("seats", [1, 2])
def test_players_of_a_playout_see_what_greedy_sees(seats: int) -> None:
    games, greedy = Batch(30, seats=seats, seed=7), Greedy()
    for _ in range(200):
        actions = greedy_actions(games.states)
        seen = [greedy.act(games.view(i, int(games.seat[i]))) for i in range(30)]
        assert actions.tolist() == seen
        games.step(actions)
