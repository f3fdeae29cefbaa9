"""Properties of every game, through the public interface."""

import pickle
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from catan_env import (
    NUM_ACTIONS,
    Action,
    ActionKind,
    DevelopmentCard,
    Game,
    GameOverError,
    IllegalActionError,
    IllegalOutcomeError,
    Phase,
    Resource,
)
from tests.properties.settings import SETTINGS, game_number, name_of, pick, play_out

EACH_KIND = pytest.mark.parametrize(
    "kind", range(len(SETTINGS)), ids=lambda kind: str(SETTINGS[kind])
)


def positions(game: Game, seed: int, each: int) -> list[Game]:
    """Copies of the game in progress: the first of each phase in each form, and regular samples."""
    found, seen = [game.copy()], set()
    for step, _ in enumerate(play_out(game, seed)):
        sort = (game.phase, game.rolled, game.free_roads)
        if step % each == 0 or sort not in seen:
            found.append(game.copy())
        seen.add(sort)
    return found


@EACH_KIND
def test_every_legal_action_plays_and_every_other_is_refused(kind: int) -> None:
    for game in positions(game_number(kind), kind, 150):
        before, events = game.state_bytes(), game.events
        legal = set(game.legal_actions.indices.tolist())
        assert len(legal) == len(game.legal_actions) or game.is_over
        for index in range(NUM_ACTIONS):
            if index in legal:
                after = game.copy()
                event = after.play(index)
                assert event.action.index == index and event in after.events
                assert after.state_bytes() != before, name_of(kind)
            else:
                with pytest.raises(IllegalActionError):
                    game.play(index)
                assert game.state_bytes() == before, f"{name_of(kind)}: index {index}"
        assert game.events == events


@EACH_KIND
def test_the_legal_actions_are_those_of_the_mask(kind: int) -> None:
    for game in positions(game_number(kind), kind, 150):
        legal = list(game.legal_actions)
        assert [action.index for action in legal] == np.flatnonzero(game.action_mask).tolist()
        assert all(action in game.legal_actions for action in legal)
        others = [Action.from_index(k) for k in np.flatnonzero(game.action_mask == 0)]
        beyond = [action for action in others if action in game.legal_actions]
        for action in beyond:  # legal under the rules, but not in the mask
            assert action.kind.name in ("OFFER", "PLAY_ROAD_BUILDING"), f"{name_of(kind)}: {action}"
            with pytest.raises(IllegalActionError, match="it is not in the action mask"):
                game.copy().play(action.index)
            game.copy().play(action)


@EACH_KIND
def test_nothing_is_played_after_the_end(kind: int) -> None:
    game = positions(game_number(kind), kind, 10_000)[-1]
    assert game.is_over and game.winner == game.turn_seat == game.seat
    assert game.points(game.winner) >= game.rules.points_to_win
    assert game.phase == Phase.OVER and len(game.legal_actions) == 0
    before = game.state_bytes()
    for index in range(NUM_ACTIONS):
        with pytest.raises(GameOverError):
            game.play(index)
    for refused in (game.time_out, lambda: game.leave(0)):
        with pytest.raises(GameOverError):
            refused()
    assert game.state_bytes() == before


@pytest.mark.parametrize("index", [-1, NUM_ACTIONS, 10**9, np.int64(-5)])
def test_a_number_that_is_not_an_index_is_refused(index: int) -> None:
    game = game_number(0)
    before = game.state_bytes()
    with pytest.raises(IllegalActionError):
        game.play(index)
    assert game.state_bytes() == before


def first_chance(kind: ActionKind) -> tuple[Game, Action]:
    """The first position, in the order of the games, in which an action of that kind is legal."""
    for n in count():
        game = game_number(n)
        for _ in play_out(game, n):
            for action in game.legal_actions:
                if action.kind == kind and (kind != ActionKind.MOVE_ROBBER or action.args[1]):
                    return game, action
    raise AssertionError


@pytest.mark.parametrize(
    ("kind", "outcomes"),
    [
        (ActionKind.ROLL, [(0, 7), (1,), (3, 3, 3), (7, 1), 7, "66", (1.5, 2)]),
        (ActionKind.BUY_DEVELOPMENT_CARD, [5, -1, "knight", 1.5]),
        (ActionKind.MOVE_ROBBER, [5, -1, "ore", (1, 2)]),
        (ActionKind.PLAY_MONOPOLY, [(0,), (99, 0, 0, 0), 3]),
        (ActionKind.END_TURN, [(1, 1), 0]),
    ],
)
def test_a_result_that_chance_cannot_have_given_is_refused(
    kind: ActionKind, outcomes: list[Any]
) -> None:
    game, action = first_chance(kind)
    before = game.state_bytes()
    for outcome in outcomes:
        with pytest.raises(IllegalOutcomeError):
            game.play(action, outcome)
        assert game.state_bytes() == before, f"{action}: {outcome}"


def test_a_card_that_is_not_there_cannot_be_stolen_or_bought() -> None:
    refused = set()
    for game in positions(game_number(4), 4, 20):
        before = game.state_bytes()
        for action in game.legal_actions:
            if action.kind.name == "MOVE_ROBBER" and action.args[1] is not None:
                hand = game.hand((game.seat + action.args[1]) % game.seats)
                absent = [r for r in Resource if not hand[r]]
            elif action.kind.name == "BUY_DEVELOPMENT_CARD":
                absent = [card for card in DevelopmentCard if not game.deck()[card]]
            else:
                continue
            for outcome in absent:
                with pytest.raises(IllegalOutcomeError):
                    game.play(action, outcome)
                assert game.state_bytes() == before
                refused.add(type(outcome))
    assert refused == {Resource, DevelopmentCard}


@EACH_KIND
def test_a_game_replayed_from_its_events_has_the_same_bytes(kind: int) -> None:
    game = game_number(kind)
    replayed = game_number(kind)
    seen = len(replayed.events)
    chance = Random(kind)
    while not game.is_over:
        game.play(pick(game, chance))
        for event in game.events[seen:]:
            if len(replayed.events) < len(game.events):
                assert replayed.play(event.action, outcome=event.outcome) == event
        seen = len(game.events)
        assert replayed.state_bytes() == game.state_bytes(), f"{name_of(kind)}: {game.events[-1]}"
    assert replayed == game and replayed.events == game.events


@EACH_KIND
def test_copies_and_pickles_have_the_same_future_and_lives_of_their_own(kind: int) -> None:
    game = game_number(kind)
    chance = Random(kind)
    for _ in range(150):
        game.play(pick(game, chance))
    before = game.state_bytes()
    others = [game.copy(), pickle.loads(pickle.dumps(game))]
    for other in others:
        assert other == game and other.events == game.events and other.seed == game.seed
        assert other.board == game.board and other.rules == game.rules
        chance = Random(99)
        while not other.is_over:
            other.play(pick(other, chance))
        assert game.state_bytes() == before
    assert others[0].state_bytes() == others[1].state_bytes()
    assert others[0].events == others[1].events and others[0] == others[1] != game


@EACH_KIND
def test_the_events_name_the_winner_once_at_the_end(kind: int) -> None:
    game = positions(game_number(kind), kind, 10_000)[-1]
    assert [event.winner for event in game.events if event.winner is not None] == [game.winner]
    assert game.events[-1].winner == game.winner
