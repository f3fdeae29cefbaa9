"""The engine compared with the reference implementation."""

import numpy as np
import pytest

from catan_env import NUM_ACTIONS, Action, Game
from catan_env.game.event import Event
from catan_env.kernel.jit import MACHINE_CODE
from tests.core.allowed import is_allowed
from tests.core.reference import Book, expected_by
from tests.properties.settings import SETTINGS, game_number, name_of, play_out

ALL_ACTIONS = [Action.from_index(index) for index in range(NUM_ACTIONS)]


@pytest.mark.parametrize("kind", range(len(SETTINGS)), ids=lambda kind: str(SETTINGS[kind]))
def test_a_game_agrees_with_the_reference_after_every_event(kind: int, games: int) -> None:
    """The mask is compared every 50 decisions, and at each of the first 300 in the first game."""
    most = max(1, games // 2500) if MACHINE_CODE else 1
    for n in range(kind, kind + most * len(SETTINGS), len(SETTINGS)):
        game = game_number(n)
        book = Book(game)
        follow(book, game, list(game.events), name_of(n))
        for step, events in enumerate(play_out(game, n)):
            follow(book, game, events, name_of(n))
            if step % 50 == 0 or (step < 300 and n == kind):
                allowed = [index for index, a in enumerate(ALL_ACTIONS) if is_allowed(book, a)]
                mask = game.action_mask
                assert np.flatnonzero(mask).tolist() == allowed, f"{name_of(n)}, step {step}"
        assert game.is_over
        assert game.deck() == tuple(book.deck)


def follow(book: Book, game: Game, events: list[Event], name: str) -> None:
    """Apply the events to the book, and compare."""
    for event in events:
        book.play(event)
    written = book.written_down()
    expected = expected_by(game, written)
    differing = {
        key: (expected[key], written[key]) for key in expected if expected[key] != written[key]
    }
    assert not differing, f"{name}: after {events} the game and the book have {differing}"
