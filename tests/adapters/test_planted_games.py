"""Games with one fault each, which a test of the suite has to find."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from examples.fourth_game import Game
from tests.adapters import redeals, test_promises
from tests.adapters.games import GAMES, GameUnderTest

PLACE = "tests.adapters.broken:Broken"
FORMS = [f"{PLACE}{form}" for form in ("AEC", "Env", "VectorEnv")]
FORMS.append("tests.adapters.broken_vec_env:BrokenVecEnv")
planted = partial(GameUnderTest, "planted", *FORMS, 3, redealt=redeals.dice)


class Observes(Game):
    """The next seat's die is in the observation."""

    def observe(self, seat: int) -> np.ndarray:
        seen = super().observe(seat)
        seen[-1] = self.dice[(seat + 1) % 3] > 3
        return seen


class Shows(Game):
    """All dice are in the view."""

    def view(self, seat: int) -> Any:
        view = super().view(seat)
        view.dice = tuple(self.dice)
        return view


class Foresees(Game):
    """The dice to come are in the view."""

    def view(self, seat: int) -> Any:
        view = super().view(seat)
        view.chance = self.copy()._chance
        return view


class GivesItself(Game):
    """The view has the game itself."""

    def view(self, seat: int) -> Any:
        view = super().view(seat)
        view.game = self
        return view


class Shares(Game):
    """The view has a list in which the game continues to write."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.played: list[int] = []

    def play(self, action: int) -> None:
        super().play(action)
        self.played.append(action)

    def view(self, seat: int) -> Any:
        view = super().view(seat)
        view.played = self.played
        return view


class AllActions(Game):
    """Each seat's view has the actions of the seat that acts."""

    def view(self, seat: int) -> Any:
        view = super().view(seat)
        view.action_mask = self.action_mask
        return view


class ChangesFirst(Game):
    """A turn begins before an action is refused."""

    def play(self, action: int) -> None:
        self.turn += 1
        super().play(action)
        self.turn -= 1


class Accepts(Game):
    """An illegal action is played as nothing."""

    def play(self, action: int) -> None:
        if self.action_mask[action]:
            super().play(action)


def from_one(totals: list[float], game: Any) -> list[float]:
    """Totals that begin at 1."""
    return [1.0 + total for total in totals]


def by_turn(totals: list[float], game: Any) -> list[float]:
    """Totals that change in each turn, which the options do not say."""
    return [game.turn - 1.0] * 3


HIDDEN = test_promises.test_cards_that_a_seat_cannot_see_change_nothing_that_it_sees
STAYS = test_promises.test_a_view_stays_the_same_while_the_game_continues
MASKS = test_promises.test_seats_that_do_not_act_see_no_legal_action
REFUSED = test_promises.test_an_action_that_a_game_refuses_changes_nothing
ON_THE_WAY = test_promises.test_totals_change_before_the_end_only_if_the_options_say_so


@pytest.mark.parametrize(
    ("options", "test"),
    [
        ({"game": Observes}, HIDDEN),
        ({"game": Shows}, HIDDEN),
        ({"game": Foresees}, HIDDEN),
        ({"game": GivesItself}, HIDDEN),
        ({"game": GivesItself}, STAYS),
        ({"game": Shares}, STAYS),
        ({"game": AllActions}, MASKS),
        ({"game": ChangesFirst}, REFUSED),
        ({"game": Accepts}, REFUSED),
        ({"totals_as": from_one}, test_promises.test_totals_begin_at_zero),
        ({"totals_as": by_turn}, ON_THE_WAY),
    ],
)
def test_a_planted_fault_is_found(
    options: dict[str, Any], test: Callable[[GameUnderTest], None]
) -> None:
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        test(planted(options=options))


@pytest.mark.parametrize("test", [HIDDEN, STAYS, MASKS, REFUSED, ON_THE_WAY])
def test_without_a_fault_nothing_is_found(test: Callable[[GameUnderTest], None]) -> None:
    test(planted())


def test_each_game_with_hidden_cards_besides_catan_deals_them_again() -> None:
    """Catan's leaks are looked for in `tests/properties/test_every_step.py`."""
    without = {game.name for game in GAMES if game.redealt is None}
    assert without == {"catan", "catan_small"}
