"""What a seat knows: the same from the game and from the events that the seat was shown."""

from catan_env import Game, SeatView
from catan_env.event import Event
from tests.properties.settings import SETTINGS, game_number, name_of, play_out


def views_from_events(game: Game) -> list[SeatView]:
    """A view for every seat, that has followed the events so far."""
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


def test_a_view_that_follows_redacted_events_is_the_view_of_the_game(games: int) -> None:
    for n in range(max(len(SETTINGS), games // 250)):
        game = game_number(n)
        views = views_from_events(game)
        for events in play_out(game, n):
            follow(views, events)
            for view in views:
                truth = game.view(view.viewer)
                assert view.state_bytes() == truth.state_bytes(), f"{name_of(n)}: {events}"
                assert view == truth
        assert game.is_over
