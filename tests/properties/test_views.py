"""A view is the same from the game and from the events that its seat was shown."""

import pickle
from random import Random

import numpy as np
import pytest

from catan_env import Game, GameOverError, IllegalActionError, SeatView
from catan_env.game.event import Event
from catan_env.kernel.jit import MACHINE_CODE
from tests.properties.settings import SETTINGS, game_number, name_of, pick, play_out


def views_from_events(game: Game) -> list[SeatView]:
    """A view for every seat, which has followed the events so far."""
    views = [
        SeatView.begin(game.board, seat, game.seats, game.rules, game.first_seat)
        for seat in range(game.seats)
    ]
    follow(views, list(game.events))
    return views


def follow(views: list[SeatView], events: list[Event]) -> None:
    for event in events:
        for view in views:
            view.apply(event.redacted(view.viewer, view.seats))


def assert_same(game: Game, views: list[SeatView], message: str) -> None:
    for view in views:
        truth = game.view(view.viewer)
        assert view.state_bytes() == truth.state_bytes(), message
        assert view == truth


@pytest.mark.parametrize("kind", range(len(SETTINGS)), ids=lambda kind: str(SETTINGS[kind]))
def test_a_view_that_follows_redacted_events_is_the_view_of_the_game(kind: int, games: int) -> None:
    most = max(1, games // 800) if MACHINE_CODE else 1
    for n in range(kind, kind + most * len(SETTINGS), len(SETTINGS)):
        game = game_number(n)
        views = views_from_events(game)
        for events in play_out(game, n):
            follow(views, events)
            assert_same(game, views, f"{name_of(n)}: {events}")
        assert game.is_over


@pytest.mark.parametrize(
    "part", [0, 1, *(pytest.param(k, marks=pytest.mark.nightly) for k in (2, 3))]
)
def test_a_view_follows_seats_that_leave_and_turns_that_run_out_of_time(part: int) -> None:
    for n in range(part * len(SETTINGS), (part + 1) * len(SETTINGS)):
        game = game_number(n)
        views = views_from_events(game)
        chance, seen = Random(n), len(game.events)
        while not game.is_over:
            game.play(pick(game, chance))
            if not game.is_over and game.turn > 0 and chance.random() < 0.02:
                here = [seat for seat in range(game.seats) if game.is_playing(seat)]
                if chance.random() < 0.1:
                    game.leave(chance.choice(here))
                else:
                    game.time_out()
            follow(views, list(game.events[seen:]))
            seen = len(game.events)
            assert_same(game, views, f"{name_of(n)}: {game.events[-1]}")


def test_a_view_shows_the_same_as_the_game_to_its_seat() -> None:
    for n in range(len(SETTINGS)):
        game = game_number(n)
        for step, _ in enumerate(play_out(game, n)):
            if step % 25:
                continue
            for seat in range(game.seats):
                view = game.view(seat)
                assert np.array_equal(view.observation, game.observe(seat)), name_of(n)
                mask = game.action_mask if seat == game.seat else np.zeros(848, np.int8)
                assert np.array_equal(view.action_mask, mask), name_of(n)
                assert list(view.legal_actions.indices) == list(np.flatnonzero(mask))
                assert (view.hand(seat), view.cards(seat)) == (game.hand(seat), game.cards(seat))
                for other in set(range(game.seats)) - {seat}:
                    assert view.hand_size(other) == game.hand_size(other)
                    assert view.known(other) == game.known(other)
                    assert sum(view.known(other)) <= game.hand_size(other)


def test_a_view_may_be_copied_and_pickled() -> None:
    game = game_number(0)
    for step, _ in enumerate(play_out(game, 0)):
        if step % 100 == 0:
            view = game.view(step % 4)
            for other in (view.copy(), pickle.loads(pickle.dumps(view))):
                assert other == view and other.state_bytes() == view.state_bytes()
                assert other.board == view.board and other.rules == view.rules


def test_a_view_refuses_an_event_that_cannot_follow_and_stays_as_it_was() -> None:
    game = game_number(0)
    views = views_from_events(game)
    before: Event | None = None
    for events in play_out(game, 0):
        for view in views:
            as_it_was = view.state_bytes()
            if before is not None and before.seat != view.seat:
                with pytest.raises(IllegalActionError):
                    view.apply(before.redacted(view.viewer, view.seats))
                assert view.state_bytes() == as_it_was
        follow(views, events)
        before = events[-1]
    for view in views:
        with pytest.raises(GameOverError):
            view.apply(before.redacted(view.viewer, view.seats))
