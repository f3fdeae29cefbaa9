"""A board's code is a text that gives the same board again."""

from dataclasses import replace

import pytest

from catan_env.game.board import Board, Harbour
from catan_env.game.board_code import EXAMPLE, from_code, is_code, to_code
from catan_env.game.game import Game


@pytest.mark.parametrize("laid", [Board.spiral, Board.random_tokens])
def test_the_code_of_a_board_gives_the_same_board(laid: type) -> None:
    for seed in range(20):
        code = to_code(laid(seed))
        assert code is not None and from_code(code) == laid(seed)


def test_the_rulebooks_map_has_a_code_that_can_be_read() -> None:
    """Its first row is 10 ore, 2 wool and 9 lumber."""
    code = to_code(Board.beginner())
    assert code == EXAMPLE and code.startswith("O10W2L9")
    assert from_code(f" {code[:7].lower()} {code[7:]} ") == Board.beginner()


def test_a_small_board_has_a_code_of_seven_tiles_and_three_harbours() -> None:
    for seed in range(20):
        for lay in (Board.spiral, Board.random_tokens):
            code = to_code(lay(seed, small_map=True))
            assert code is not None and from_code(code) == lay(seed, small_map=True)
    assert to_code(Board.beginner(small_map=True)) == "L9B8DG5W4O6G10-XXX"
    game = Game(2, seed=1, rules="small", board="L9B8DG5W4O6G10-XXX")
    assert game.board == Board.beginner(small_map=True)
    with pytest.raises(ValueError, match="need the map of nineteen tiles, the board is the small"):
        Game(2, seed=1, board="L9B8DG5W4O6G10-XXX")


def test_a_game_begins_on_the_board_of_a_code() -> None:
    assert Game(4, seed=1, board=EXAMPLE).board == Board.beginner()


def test_a_board_with_other_harbours_has_no_code() -> None:
    board = Board.beginner()
    first, *others = board.harbours
    assert to_code(replace(board, harbours=tuple(others))) is None
    assert to_code(replace(board, harbours=(first._replace(rate=4), *others))) is None
    assert to_code(replace(board, harbours=(Harbour((0, 53), None, 3), *others))) is None


@pytest.mark.parametrize("text", ["", "spiral", EXAMPLE[1:], EXAMPLE[:-1], EXAMPLE + "X", "B2-X"])
def test_any_other_text_is_no_code(text: str) -> None:
    assert not is_code(text)
    with pytest.raises(ValueError, match="is not the code of a board"):
        from_code(text)


@pytest.mark.parametrize("token", ["13", "1", "99"])
def test_a_code_with_an_impossible_token_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match=f"token {token}"):
        Game(4, seed=1, board=EXAMPLE.replace("O10", f"O{token}"))
