"""The searching player: its worlds agree with its view, and its playouts with the rules."""

import numpy as np
import pytest

from catan_env.cli import main
from catan_env.guests.renaissance import Game
from catan_env.guests.renaissance.contest import play_one
from catan_env.guests.renaissance.native.state import EMPTY, OVER
from catan_env.guests.renaissance.policies import Greedy, load_policy
from catan_env.guests.renaissance.search import Search, candidates, outcomes
from catan_env.guests.renaissance.view import SeatView
from catan_env.guests.renaissance.worlds import draw_worlds
from catan_env.kernel.memory import copy_of


def after(seats: int, seed: int, decisions: int) -> Game:
    """A game of `greedy` after its set-up and that many decisions."""
    game, greedy = Game(seats, seed), Greedy()
    while not game.is_playing or (decisions := decisions - 1) >= 0:
        if game.is_over:
            break
        game.play(greedy.act(game.view(game.seat)))
    return game


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_world_gives_the_seat_its_view(seats: int) -> None:
    chance = np.random.default_rng(seats)
    for decisions in (0, 15, 60):
        game = after(seats, 7, decisions)
        view = game.view(game.seat)
        worlds = draw_worlds(view, 4, chance)
        for k in range(4):
            assert SeatView.of(copy_of(worlds[k : k + 1]), view.viewer) == view
        assert len({world["stack"].tobytes() for world in worlds}) > 1
        assert (worlds["leader"][:, :seats] != EMPTY).all()


@pytest.mark.parametrize("seats", [1, 3])
def test_worlds_hold_each_card_once(seats: int) -> None:
    view = after(seats, 3, 40).view(0)
    for world in draw_worlds(view, 3, np.random.default_rng(1)):
        stacks = [
            int(card)
            for stack, left in zip(
                world["stack"].reshape(-1, 4), world["left"].ravel(), strict=True
            )
            for card in stack[:left]
        ]
        bought = [card for card in world["slot"].ravel().tolist() if card != EMPTY]
        assert len({*stacks, *bought}) == len(stacks) + len(bought)
        kept = world["leader"][:seats].ravel().tolist()
        assert len({*kept}) == len(kept)
        if seats == 1:
            assert sorted(world["token"].tolist()) == list(range(7))


@pytest.mark.parametrize("seats", [1, 2])
def test_it_plays_legal_actions_and_the_same_ones_again(seats: int) -> None:
    game = after(seats, 5, 4)
    first, again, searched = Search(3, playouts=24), Search(3, playouts=24), 0
    for _ in range(12):
        view = game.view(game.seat)
        action = first.act(view)
        assert action == again.act(view) and view.action_mask[action]
        searched += len(candidates(view, Greedy().values(view))) > 1
        game.play(action)
    assert searched


def test_it_decides_by_its_view_alone() -> None:
    """It takes the same action in every game that looks the same to its seat."""
    game, changed = after(2, 5, 4), 0
    for _ in range(6):
        view = game.view(game.seat)
        action = Search(3, playouts=80).act(view)
        for world in range(2):
            states = copy_of(draw_worlds(view, 2, np.random.default_rng(9))[world : world + 1])
            assert Search(3, playouts=80).act(SeatView.of(states, view.viewer)) == action
        changed += action != Greedy().act(view)
        game.play(action)
    assert changed


def test_without_a_choice_it_is_greedy() -> None:
    game, greedy, search = Game(2, 1), Greedy(), load_policy("search")
    while not game.is_playing:
        view = game.view(game.seat)
        assert search.act(view) == greedy.act(view)
        game.play(greedy.act(view))


def test_a_playout_counts_the_winner() -> None:
    """Near the end, playouts reach it, and each is won by one seat."""
    game, greedy = after(2, 11, 10), Greedy()
    while not game.state["last_round"]:
        game.play(greedy.act(game.view(game.seat)))
    while game.view(game.seat).state["transaction"] >= 0:
        game.play(greedy.act(game.view(game.seat)))
    view = game.view(game.seat)
    actions = candidates(view, greedy.values(view))[:1]
    mine = outcomes(draw_worlds(view, 4, np.random.default_rng(1)), actions, view.seat)
    other = outcomes(draw_worlds(view, 4, np.random.default_rng(1)), actions, 1 - view.seat)
    assert (np.abs(mine) == 1).all() and (mine == -other).all()
    assert game.state["phase"] != OVER


def test_a_search_without_playouts_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Search(playouts=0)


def test_games_between_policies_limit_its_playouts() -> None:
    """One playout is too few to compare two actions, so that its game is that of `greedy`."""
    alone = play_one(["greedy"], 0, 3)[1]
    assert play_one(["search"], 0, 3, playouts=1)[1].record() == alone.record()
    outcome, game = play_one(["search", "greedy"], 1, 3, playouts=20)
    assert game.is_over and outcome.seats == (1, 0)
    assert game.record() != play_one(["greedy", "greedy"], 1, 3)[1].record()


def test_a_number_of_playouts_needs_search(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["renaissance", "play", "--policy", "greedy", "--playouts", "9"]) == 2
    assert "--playouts is for search, not greedy" in capsys.readouterr().err
