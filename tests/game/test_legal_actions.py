"""`in` of the legal actions agrees with the reason of a refusal, which is only then written out."""

import random
from typing import Any

import numpy as np
import pytest

from catan_env import Action, Game, GameOverError, IllegalActionError, Rules
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


def test_the_legal_actions_are_a_sequence() -> None:
    game = Game(3, seed=2)
    actions = list(game.legal_actions)
    assert [game.legal_actions[k] for k in range(-54, 54)] == actions * 2
    assert game.legal_actions[3:9:2] == actions[3:9:2]
    assert game.legal_actions.index(actions[7]) == 7
    assert random.Random(1).choice(game.legal_actions) in actions
    with pytest.raises(IndexError):
        game.legal_actions[54]


def test_a_flat_index_is_among_the_legal_actions_if_the_mask_allows_it() -> None:
    game = Game(3, seed=2)
    for index in range(-1, NUM_ACTIONS + 1):
        is_legal = 0 <= index < NUM_ACTIONS and bool(game.action_mask[index])
        assert (index in game.legal_actions) == (np.int64(index) in game.legal_actions) == is_legal
    for other in (None, "78", 78.0, True, (78,)):
        assert other not in game.legal_actions


def test_a_flat_index_is_refused_for_the_reason_that_playing_it_gives() -> None:
    game = Game(3, seed=2)
    assert game.refusal(game.legal_actions.indices[0]) is None
    for index in (0, 51, 847, 848, -1):
        refusal = game.refusal(index)
        assert refusal
        with pytest.raises(IllegalActionError) as raised:
            game.play(index)
        assert str(raised.value).endswith(f": {refusal}")
    for given in ("0", None, 1.0):
        wrong: Any = given
        for call in (game.refusal, game.play):
            with pytest.raises(TypeError, match="expected an Action or its index, got "):
                call(wrong)


def test_after_the_end_every_action_is_refused_with_the_winner() -> None:
    game = Game(2, seed=2, rules="duel")
    draw = random.Random(1)
    while not game.is_over:
        game.play(draw.choice(game.legal_actions))
    for action in (Action.roll(), Action.offer(1, (1, 0, 0, 0, 0), (0, 1, 0, 0, 0)), 0):
        for position in (game, game.view(0), game.view(1)):
            assert position.refusal(action) == f"the game is over (seat {game.winner} won)"
        with pytest.raises(GameOverError, match=r"^the game is over \(seat [01] won\)$"):
            game.play(action)


def test_a_seat_has_no_legal_action_while_another_decides() -> None:
    game = Game(3, seed=2)
    (action, *_) = game.legal_actions
    assert action in game.view(game.seat).legal_actions
    assert action not in game.view((game.seat + 1) % 3).legal_actions
