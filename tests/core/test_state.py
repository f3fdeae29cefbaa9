"""The memory of one game."""

from catan_env import Game
from catan_env.core.state import GAME, new_states


def test_every_byte_of_a_game_has_a_name() -> None:
    """NumPy copies named bytes only; the others would keep old contents in a copy."""
    assert GAME.itemsize == sum(GAME[name].itemsize for name in GAME.names)


def test_a_game_is_less_than_a_kilobyte() -> None:
    assert new_states(3).nbytes == 3 * GAME.itemsize
    assert GAME.itemsize < 1024


def test_a_copy_has_the_same_bytes() -> None:
    game = Game(seed=1)
    copies = [game.copy() for _ in range(100)]
    assert {copy.state_bytes() for copy in copies} == {game.state_bytes()}
    assert copies[0] == game
