"""`greedy` knows no covered cards."""

import numpy as np

from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.state import EMPTY
from catan_env.guests.renaissance.policies import Greedy
from tests.guests.renaissance.drawn import BUY, fresh, legal, refresh


def test_in_a_view_no_card_is_known_below_a_bought_one() -> None:
    """R003, R041: the next card is turned up by the purchase, and unknown before."""
    game = fresh(1)
    game.state["strongbox"][0] = 9
    view = refresh(game).view(0)
    bought = min(action for action in legal(game) if action >= BUY)
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
    bought = sorted(action for action in legal(game) if action >= BUY)
    last_cards = view.copy()
    last_cards.state["left"] = 1
    values, alone = (Greedy().values(seen)[bought] for seen in (view, last_cards))
    assert bought and np.array_equal(values, alone)
