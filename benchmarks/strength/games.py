"""One game of a row in catanatron's engine, and what is kept of it."""

import time
from collections import Counter
from typing import Any

from catanatron import Game  # type: ignore[import-not-found]
from catanatron.game import TURNS_LIMIT  # type: ignore[import-not-found]

from benchmarks.catanatron_match import COLORS, Pairing
from benchmarks.strength.player import Stopwatch, policy_of
from benchmarks.strength.replay import board_to_json
from benchmarks.strength.rows import OURS, WATCHED, Row
from benchmarks.strength.twin import WatchedPlayer
from benchmarks.versus_catanatron import FAULTS, is_of_catanatron
from catan_env.catanatron.information import information_in_state
from catan_env.catanatron.log import entry_of
from catan_env.catanatron.player import PolicyPlayer
from catan_env.core.constants import NOTHING
from catan_env.game.event import to_code


def play(row: Row, seed: int, place: int) -> dict[str, Any]:
    """Play the game on the map of `seed`, the line-up moved on by `place`, and describe it."""
    names = [row.line_up[(k - place) % row.seats] for k in range(row.seats)]
    colors = dict(zip(COLORS, names, strict=False))
    players = [_player(row, name, color, seed) for color, name in colors.items()]
    game = Game(players, seed=seed)
    ours = [player for player in players if isinstance(player, PolicyPlayer)]
    for player in ours:
        player.begin(game)
    log = Log(ours[0], row.seats)
    began = time.perf_counter()
    while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
        entry = entry_of(game.play_tick())
        for player in ours:
            player.follow(game.state, entry)
        log.add(game.state)
    winner = game.winning_color()
    return {
        "seed": seed,
        "place": place,
        "seats": [colors[color] for color in game.state.colors],
        "winner": None if winner is None else game.state.colors.index(winner),
        "won": None if winner is None else colors[winner] == row.counted,
        "points": _points(game.state),
        "turns": game.state.num_turns,
        "seconds": round(time.perf_counter() - began, 3),
        "decisions": sum(player.decisions for player in ours),
        **_sums(ours),
        "board": board_to_json(ours[0].follower.places.board),
        "log": log.entries,
        "hands": log.hands(game.state),
    }


def play_or_break(row: Row, task: tuple[int, int]) -> dict[str, Any]:
    """The game, or the error with which catanatron broke it off."""
    try:
        return play(row, *task)
    except FAULTS as error:
        if not is_of_catanatron(error):
            raise
        seed, place = task
        return {"seed": seed, "place": place, "broken": f"{type(error).__name__}: {error}"}


def _player(row: Row, name: str, color: Any, seed: int) -> Any:
    if name != OURS:
        return Pairing(row.policy, name, row.seats).bot()(color)
    policy = Stopwatch(policy_of(row, seed))
    if seed % WATCHED:
        return PolicyPlayer(color, policy)
    return WatchedPlayer(color, policy, policy_of(row, seed), seed)


def _points(state: Any) -> list[int]:
    """Points by seat, with victory point cards."""
    seats = range(len(state.colors))
    return [state.player_state[f"P{seat}_ACTUAL_VICTORY_POINTS"] for seat in seats]


def _sums(ours: list[Any]) -> dict[str, Any]:
    """Times and counts of all our players together."""
    watches = [player.policy for player in ours]
    return {
        "thought": round(sum(watch.seconds for watch in watches), 4),
        "processor": round(sum(watch.processor_seconds for watch in watches), 4),
        "twin": sum(getattr(player, "compared", 0) for player in ours),
        "withheld": sum((player.withheld for player in ours), Counter()),
        "unknown": sum((player.unknown for player in ours), Counter()),
        "corrections": ours[0].follower.corrections,
    }


class Log:
    """The events of a game in catanatron's order: seat, action index and code of the outcome.

    Where catanatron's rules led to other cards or roads than ours, an event is followed by all
    hands, the lengths of all roads and the seat that holds the Longest Road.
    """

    def __init__(self, player: PolicyPlayer, seats: int) -> None:
        self.entries: list[list[Any]] = []
        self._follower, self._seats = player.follower, seats
        self._corrected = 0

    def add(self, state: Any) -> None:
        """Add the events of the entry that the player has just followed."""
        for event in self._follower.latest:
            chance = event.outcome is not None
            code = to_code(event.action, event.outcome, self._seats) if chance else NOTHING
            self.entries.append([event.seat, event.action.index, code])
        corrected = self._follower.corrections.total()
        if corrected > self._corrected:
            self._corrected = corrected
            known = information_in_state(state, 0, self._follower.places)
            holder = known.longest_road
            self.entries[-1] += [self.hands(state), list(known.road_lengths), holder]

    def hands(self, state: Any) -> list[list[int]]:
        """All hands, by seat and Resource."""
        places, seats = self._follower.places, range(self._seats)
        return [list(information_in_state(state, seat, places).hand) for seat in seats]
