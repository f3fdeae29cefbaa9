"""`in` of the legal actions agrees with the reason of a refusal, which is only then written out."""

import numpy as np
import pytest

from catan_env import Action, Game, Rules
from catan_env.core.actions import NUM_ACTIONS

BEYOND = (
    Action.offer(1, (2, 0, 0, 0, 0), (0, 3, 0, 0, 0)),
    Action.bank_trade(0, 1, 5),
    Action.time_out(),
    Action.leave(),
)
"""Actions without a flat index."""


@pytest.mark.parametrize(
    "rules",
    [Rules.base(), Rules.colonist(), Rules.german("0.3")],
    ids=["base", "colonist", "german"],
)
def test_an_action_is_among_the_legal_ones_if_there_is_no_reason_against_it(rules: Rules) -> None:
    game, draw = Game(3, seed=2, rules=rules), np.random.default_rng(1)
    every = [*(Action.from_index(k) for k in range(NUM_ACTIONS)), *BEYOND]
    for step in range(300):
        if step % 25 == 0:
            for position in (game, *(game.view(seat) for seat in range(3))):
                legal = position.legal_actions
                for action in every:
                    assert (action in legal) == (position.refusal(action) is None), action
        game.play(int(draw.choice(game.legal_actions.indices)))


def test_a_seat_has_no_legal_action_while_another_decides() -> None:
    game = Game(3, seed=2)
    (action, *_) = game.legal_actions
    assert action in game.view(game.seat).legal_actions
    assert action not in game.view((game.seat + 1) % 3).legal_actions
