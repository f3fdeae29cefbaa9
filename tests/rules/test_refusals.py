"""What is no part of the game is refused, and leaves it as it was."""

from catan_env import Game


def test_a_copy_is_equal_byte_for_byte() -> None:
    games = [Game(seats=4, seed=seed) for seed in range(200)]
    copies = [game.copy() for game in games]
    assert [copy.state_bytes() for copy in copies] == [game.state_bytes() for game in games]
    assert copies == games
