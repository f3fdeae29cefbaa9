"""The native `best` is the one in Python: same decisions, same picture, with every rule option."""

from typing import Any

import numpy as np
import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.blueprint import doors, warm
from catan_env.guests.hanabi.blueprint.memory import PICTURE, block_of
from catan_env.guests.hanabi.blueprint.past import Past
from catan_env.guests.hanabi.blueprint.self_play import scores_of_best
from catan_env.guests.hanabi.blueprint.view import game_of
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.policies import decide
from catan_env.guests.hanabi.policies.best import Best
from catan_env.guests.hanabi.rating import play_game
from catan_env.guests.hanabi.rules import OFFICIAL, Rules
from catan_env.kernel.memory import doorway, new_blocks

OF_PICTURE = ("possible", "hinted", "touched", "placeable", "useless", "last", "gone", "tops")


def native_decision(view: Any, best: Best) -> int:
    """The decision from a seat's view, in which the cards that it does not see are missing."""
    game, picture = doorway(game_of(view)), doorway(block_of(best.picture))
    sheet, actions = doorway(sheet_of(view.rules, view.players)), np.zeros(1, np.int64)
    worlds = np.zeros((1, 60), np.int64)
    doors.enter_worlds(game, sheet, worlds, 0, 1)
    doors.choose(game, picture, sheet, actions, 0, 1)
    return int(actions[0])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("suit", [None, "suit", "wild"])
def test_decisions_are_the_same(players: int, suit: str | None, games: int) -> None:
    warm.ready()
    for seed in range(max(1, games // 800)):
        game = Game(players, seed, Rules(multicolour=suit))
        seats = [Best() for _ in range(players)]
        while not game.is_over:
            view, best = game.view(game.seat), seats[game.seat]
            action = decide(best, view)
            assert native_decision(view, best) == action
            game.play(action)


@pytest.mark.parametrize("players", [2, 5])
def test_the_native_picture_follows_the_same_events(players: int) -> None:
    warm.ready()
    game, best = Game(players, 6), [Best() for _ in range(players)]
    pictures, sheet = new_blocks(1, PICTURE), doorway(sheet_of(OFFICIAL, players))
    doors.clear_pictures(doorway(pictures), sheet, 0, 1)
    while not game.is_over:
        view = game.view(game.seat)
        action = decide(best[game.seat], view)
        assert_equal(pictures[0], block_of(best[game.seat].picture)[0], players)
        block = game_of(view)
        for place, card in enumerate(game.hands[game.seat]):
            assert card is not None
            block["hand"][0, game.seat, place] = best[game.seat].picture.bit(card)
        deck = [game.rules.kinds.index(card) for card in game.deck]
        size = len(game.rules.box)
        block["deck"][0, size - len(deck) : size] = deck
        doors.play_actions(
            doorway(block), doorway(pictures), sheet, np.array([action], np.int64), 0, 1
        )
        game.play(action)


def assert_equal(one: Any, other: Any, players: int) -> None:
    for name in OF_PICTURE:
        mine, theirs = one[name], other[name]
        if name in ("possible", "hinted"):
            filled = theirs[:players] != 0  # a hand that has not drawn has a place less
            mine, theirs = mine[:players][filled], theirs[:players][filled]
        assert (mine == theirs).all(), name


@pytest.mark.parametrize(
    ("players", "least"), [(2, 23.1), (3, 23.3), (4, 22.9), (5, 21.8)]
)  # fmt: skip
def test_many_native_games_score_what_the_documents_say(players: int, least: float) -> None:
    scores = scores_of_best(players, 4000, 5, OFFICIAL)
    assert least - 0.1 < scores.mean() < least + 0.3
    assert (scores == 0).mean() < 0.002, "the third error ends hardly any game"


@pytest.mark.parametrize("players", [2, 3, 5])
def test_native_games_score_what_the_same_games_in_python_score(players: int, games: int) -> None:
    number = max(2, games // 500)
    played = [play_game([Best() for _ in range(players)], Game(players, 7 + i))
              for i in range(number)]  # fmt: skip
    assert scores_of_best(players, number, 7, OFFICIAL).tolist() == played


@pytest.mark.parametrize("players", [2, 4])
def test_worlds_hold_the_unseen_cards_and_agree_with_the_picture(players: int) -> None:
    from catan_env.guests.hanabi.policies.search import Rehearsal

    warm.ready()
    game, seats = Game(players, 3), [Best() for _ in range(players)]
    while not game.is_over and len(game.events) < 40:
        view, best = game.view(game.seat), seats[game.seat]
        action = decide(best, view)
        size = len(view.my_knowledge)
        unseen = [card for card, n in best.left.items() for _ in range(n)]
        for world in Rehearsal(view, best, Past()).worlds(5, len(game.events))[:, : len(unseen)]:
            cards = [view.rules.kinds[k] for k in world.tolist()]
            assert sorted(cards) == sorted(unseen)
            for place, card in enumerate(cards[:size]):
                assert view.my_knowledge[place].allows(card)
        game.play(action)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_with_the_true_hand_best_would_have_played_all_remembered_actions(players: int) -> None:
    """So the past never excludes the truth at a table of `best`."""
    warm.ready()
    game, seats, past, compared = Game(players, 8), [Best() for _ in range(players)], Past(), 0
    mine = [card for card in game.hands[0] if card is not None]
    sheet = doorway(sheet_of(OFFICIAL, players))
    while not game.is_over:
        view, best = game.view(game.seat), seats[game.seat]
        action = decide(best, view)
        if game.seat == 0:
            past.follow(view, best.picture)
            for before in past._kept:
                block, actions = before.game.copy(), np.zeros(1, np.int64)
                for place, number in enumerate(before.mine):
                    block["hand"][0, 0, place] = best.picture.bit(mine[number])
                actor = int(block["seat"][0])
                world = np.zeros((1, 60), np.int64)
                for place in range(int(block["count"][0, actor])):
                    world[0, place] = int(block["hand"][0, actor, place]).bit_length() - 1
                doors.enter_worlds(doorway(block), sheet, world, 0, 1)
                doors.choose(doorway(block), doorway(before.picture.copy()), sheet, actions, 0, 1)
                assert actions[0] == before.action
                compared += 1
        event = game.play(action)
        if event.seat == 0 and event.drawn is not None:
            mine.append(event.drawn)
    assert compared > 40
