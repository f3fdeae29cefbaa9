"""The arguments of the guests' games: wrong ones are refused by one line that names them."""

from collections.abc import Callable
from math import nan
from typing import Any

import numpy as np
import pytest

from catan_env.guests import hanabi, renaissance
from catan_env.guests.hanabi.cross_play import cross_play
from catan_env.guests.hanabi.permuted import PermutedGame
from catan_env.guests.hanabi.policies.search import Search as HanabiSearch
from catan_env.guests.hanabi.rating import rate, rate_among
from catan_env.guests.hanabi.single import HanabiEnv
from catan_env.guests.renaissance.search import Search as RenaissanceSearch
from catan_env.guests.renaissance.single import RenaissanceEnv

SEEDS = [np.int64(7), np.uint8(7), np.uint64(7), np.int32(7)]
GAMES: list[Callable[..., Any]] = [hanabi.Game, renaissance.Game]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: type(seed).__name__)
def test_a_seed_is_any_integer(game: Callable[..., Any], seed: Any) -> None:
    assert game(2, seed=seed) == game(2, seed=7)
    most = game(2, seed=np.uint64(2**64 - 1))
    assert most == game(2, seed=2**64 - 1)


@pytest.mark.parametrize("game", GAMES)
def test_without_a_seed_every_game_is_another(game: Callable[..., Any]) -> None:
    assert game(2) != game(2) != game(2, seed=None)


@pytest.mark.parametrize("batch", [hanabi.Batch, renaissance.Batch])
def test_without_a_seed_every_batch_is_another(batch: Callable[..., Any]) -> None:
    assert not set(batch(2).seeds) & set(batch(2).seeds) & set(batch(2, seed=None).seeds)


WRONG = [
    (lambda: hanabi.Game(seed=7.5), TypeError, "seed is 7.5; allowed are whole numbers"),
    (lambda: hanabi.Game(seed=-1), ValueError, "seed is -1; allowed are 0..2**64 - 1"),
    (lambda: hanabi.Game(seed="7"), TypeError, "seed is '7'; allowed are whole numbers"),
    (lambda: hanabi.Game(None), TypeError, "players is None; allowed are whole numbers"),
    (lambda: hanabi.Game("2"), TypeError, "players is '2'; allowed are whole numbers"),
    (lambda: hanabi.Game(True), TypeError, "players is True; allowed are whole numbers"),
    (lambda: hanabi.Game(6), ValueError, "players is 6; allowed are 2..5"),
    (lambda: hanabi.Game(rules={}), TypeError, "rules is {}; allowed are a name and Rules"),
    (lambda: hanabi.Game().play(None), TypeError, "expected an Action or its index, got None"),
    (lambda: hanabi.Game().play(1.0), TypeError, "expected an Action or its index, got 1.0"),
    (lambda: hanabi.Game().view(None), TypeError, "seat is None; allowed are whole numbers"),
    (lambda: hanabi.Game().view("0"), TypeError, "seat is '0'; allowed are whole numbers"),
    (lambda: hanabi.Game().observe(True), TypeError, "seat is True; allowed are whole numbers"),
    (lambda: hanabi.Game().observe(2), ValueError, "seat is 2; allowed are 0..1"),
    (lambda: hanabi.Batch(2).deck(-1), ValueError, "i is -1; allowed are 0..1"),
    (lambda: hanabi.Batch(2).game(5), ValueError, "i is 5; allowed are 0..1"),
    (lambda: hanabi.Game(deck=[]), ValueError, "a deck of 0 cards that are not the box's 50"),
    (lambda: HanabiSearch(seconds=-1), ValueError, "seconds is -1; must be 0 or more"),
    (lambda: HanabiSearch(playouts=0), ValueError, "playouts is 0; at least 1"),
    (lambda: RenaissanceSearch(seconds=nan), ValueError, "seconds is nan; must be 0 or more"),
    (lambda: hanabi.play_out(0), ValueError, "games is 0; allowed are 1 or more"),
    (lambda: hanabi.play_out(2.5), TypeError, "games is 2.5; allowed are whole numbers"),
    (lambda: hanabi.play_out(2, threads=0), ValueError, "threads is 0; allowed are 1 or more"),
    (lambda: hanabi.play_out(2, seed=1.5), TypeError, "seed is 1.5; allowed are whole numbers"),
    (lambda: hanabi.play_out(2, seed=-1), ValueError, "seed is -1; allowed are 0..2**64 - 1"),
    (lambda: PermutedGame(seed=-1), ValueError, "seed is -1; allowed are 0..2**64 - 1"),
    (lambda: rate("best", 6), ValueError, "players is 6; allowed are 2..5"),
    (lambda: rate("best", 1), ValueError, "players is 1; allowed are 2..5"),
    (lambda: rate("best", 2, 0), ValueError, "games is 0; allowed are 1 or more"),
    (lambda: rate("best", 2, seed=-5), ValueError, "seed is -5; allowed are 0..2**64 - 1"),
    (lambda: rate("iggi", 2.0), TypeError, "players is 2.0; allowed are whole numbers"),
    (lambda: rate("iggi", 2, -1), ValueError, "games is -1; allowed are 1 or more"),
    (lambda: rate_among("iggi", "best", 2, 0), ValueError, "games is 0; allowed are 1 or more"),
    (lambda: cross_play(["iggi"], games=0), ValueError, "games is 0; allowed are 1 or more"),
    (lambda: renaissance.Game(2.0), TypeError, "seats is 2.0; allowed are whole numbers"),
    (lambda: renaissance.Game(True), TypeError, "seats is True; allowed are whole numbers"),
    (lambda: renaissance.Game(5), ValueError, "seats is 5; allowed are 1..4"),
    (lambda: RenaissanceEnv(seats=True), TypeError, "seats is True; allowed are whole numbers"),
    (lambda: RenaissanceEnv(seats=2.0), TypeError, "seats is 2.0; allowed are whole numbers"),
    (lambda: RenaissanceEnv(seats=5), ValueError, "seats is 5; allowed are 1..4"),
    (lambda: HanabiEnv(players=True), TypeError, "players is True; allowed are whole numbers"),
    (lambda: HanabiEnv(memory="no"), TypeError, "memory is 'no'; allowed are True and False"),
    (lambda: HanabiEnv(other_play=1), TypeError, "other_play is 1; allowed are True and False"),
    (lambda: renaissance.Game(seed=7.5), TypeError, "seed is 7.5; allowed are whole numbers"),
    (lambda: renaissance.Game(seed=1 << 64), ValueError, "allowed are 0..2**64 - 1"),
    (lambda: renaissance.Game().play(None), TypeError, "expected an Action or its index, got None"),
    (lambda: renaissance.Game().play(True), TypeError, "expected an Action or its index, got True"),
    (lambda: renaissance.Game().view(True), TypeError, "seat is True; allowed are whole numbers"),
    (lambda: renaissance.Game().view(1.0), TypeError, "seat is 1.0; allowed are whole numbers"),
    (lambda: renaissance.Game().view(None), TypeError, "seat is None; allowed are whole numbers"),
    (lambda: renaissance.Game().view("0"), TypeError, "seat is '0'; allowed are whole numbers"),
    (lambda: renaissance.Game().observe(1.0), TypeError, "seat is 1.0; allowed are whole numbers"),
    (lambda: renaissance.Game().goods(4), ValueError, "seat is 4; allowed are 0..3"),
    (lambda: renaissance.Game().points("0"), TypeError, "seat is '0'; allowed are whole numbers"),
    (lambda: renaissance.Game().ask(0.0), TypeError, "seat is 0.0; allowed are whole numbers"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG, ids=[row[2] for row in WRONG])
def test_a_wrong_argument_is_named(
    call: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_an_illegal_action_of_hanabi_lists_up_to_ten_legal_ones_and_dots_for_more() -> None:
    small = hanabi.Game(2, 5, hanabi.Rules(colors=1, hand_size=2))
    for game, ends in ((hanabi.Game(2, 5), "; ..."), (small, str(small.legal_actions[-1]))):
        with pytest.raises(hanabi.IllegalActionError, match="allowed are: ") as raised:
            game.play(hanabi.Action.discard(0))
        assert str(raised.value).endswith(ends)


def test_a_seat_is_any_integer() -> None:
    for game in (hanabi.Game(3, 5), renaissance.Game(3, 5)):
        assert (game.observe(np.int8(1)) == game.observe(1)).all()
        assert (game.view(np.int64(2)).action_mask == game.view(2).action_mask).all()


def test_a_number_is_among_the_legal_actions_of_hanabi_if_the_mask_allows_it() -> None:
    game = hanabi.Game(3, 5)
    mask = game.action_mask
    assert [k in game.legal_actions for k in range(len(mask))] == mask.astype(bool).tolist()
    assert -1 not in game.legal_actions and "0" not in game.legal_actions
