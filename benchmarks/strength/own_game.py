"""One game of a row in our own engine, and what is kept of it."""

import time
from typing import Any

from benchmarks.strength.player import Stopwatch, policy_of
from benchmarks.strength.replay import board_to_json, hands_of, points_of
from benchmarks.strength.rows import OURS, RULES, WATCHED, Row
from catan_env import Event, Game, SeatView
from catan_env.core.constants import NOTHING
from catan_env.game.event import to_code
from catan_env.policy import Policy, decide, load_policy

MOST_TURNS = 1000


class LeakError(AssertionError):
    """A view shows more than the events that its seat could see, or a decision uses more."""


class Twin:
    """A second player of a seat, with nothing but the events that the seat can see.

    Its view must be the player's byte for byte, and its decisions the same; `compared` counts them.
    """

    def __init__(self, game: Game, seat: int, policy: Policy) -> None:
        self._view = SeatView.begin(game.board, seat, game.seats, game.rules)
        self._policy = policy
        self.compared = 0

    def follow(self, event: Event) -> None:
        """Apply an event as the seat sees it."""
        self._view.apply(event.redacted(self._view.viewer, self._view.seats))

    def compare(self, view: SeatView, answer: int) -> None:
        """Raise LeakError unless the twin sees the same and decides the same."""
        if view.state_bytes() != self._view.state_bytes():
            raise LeakError(f"turn {view.turn}: the views of the player and its twin differ")
        other = decide(self._policy, self._view)
        if answer != other:
            raise LeakError(f"turn {view.turn}: the player chose {answer}, its twin {other}")
        self.compared += 1


def play(row: Row, task: tuple[int, int]) -> dict[str, Any]:
    """Play the game on the map of a seed, the line-up moved on by a place, and describe it."""
    seed, place = task
    assert row.rules is not None
    game = Game(row.seats, seed, RULES[row.rules])
    names = [row.line_up[(seat - place) % row.seats] for seat in range(row.seats)]
    players = [_player(row, name, seed, seat) for seat, name in enumerate(names)]
    own = names.index(OURS)
    twin = None if seed % WATCHED else Twin(game, own, policy_of(row, _seed(row, seed, own)))
    log: list[list[Any]] = []
    began = time.perf_counter()
    while not game.is_over and game.turn <= MOST_TURNS:
        seat = game.seat
        view = game.view(seat)
        answer = decide(players[seat], view)
        if twin and seat == own:
            twin.compare(view, answer)
        event = game.play(answer)
        if twin:
            twin.follow(event)
        log.append(_entry(event, row.seats))
    watch: Any = players[own]
    return {
        "seed": seed,
        "place": place,
        "rules": row.rules,
        "seats": names,
        "winner": game.winner,
        "won": None if game.winner is None else names[game.winner] == row.counted,
        "points": points_of(game),
        "turns": game.turn,
        "seconds": round(time.perf_counter() - began, 3),
        "decisions": watch.decisions,
        "thought": round(watch.seconds, 4),
        "processor": round(watch.processor_seconds, 4),
        "twin": twin.compared if twin else 0,
        "board": board_to_json(game.board),
        "log": log,
        "hands": hands_of(game),
    }


def _player(row: Row, name: str, seed: int, seat: int) -> Policy:
    own_seed = _seed(row, seed, seat)
    return Stopwatch(policy_of(row, own_seed)) if name == OURS else load_policy(name, own_seed)


def _seed(row: Row, seed: int, seat: int) -> int:
    """Another one for every seat of every map."""
    return seed * row.seats + seat


def _entry(event: Event, seats: int) -> list[Any]:
    """The seat, the action's index and the code of its outcome."""
    known = event.outcome is not None
    code = to_code(event.action, event.outcome, seats) if known else NOTHING
    return [event.seat, event.action.index, code]
