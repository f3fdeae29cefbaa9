"""Games between policies, many in parallel in this process.

A line-up's games are played in one `Batch` by `adapters.contest`. A policy that fails or answers
with an illegal action is removed, as a room removes an agent: its pieces stay, its turns are
skipped, and the last remaining seat wins.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import numpy as np

from catan_env.adapters.contest import play_games
from catan_env.adapters.history import History
from catan_env.arena.league.entrant import Entrant, EntrantFiles
from catan_env.arena.league.meeting import MatchSettings, Meeting
from catan_env.arena.league.moves import LEAVE, squeezed
from catan_env.arena.league.policy_pool import policy_pool
from catan_env.arena.league.result import Clock, Result
from catan_env.arena.sandbox import LONGEST_LINE
from catan_env.batch import Batch
from catan_env.core import doors
from catan_env.core.constants import NOBODY, VICTORY_POINT, Phase
from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.kernel.lockstep import STAY
from catan_env.net.room import Removal
from catan_env.terminal import printable

Array = np.ndarray[Any, Any]


def play_side_by_side(
    settings: MatchSettings,
    meetings: Sequence[Meeting],
    entrants: Sequence[Entrant],
    entrant_files: EntrantFiles,
) -> list[Result]:
    """Play meetings of one line-up, which `entrants` are, in its order."""
    return SideBySide(settings, meetings, entrants, entrant_files).play()


class SideBySide:
    """The games of one line-up, and their referee."""

    reads_arrays = False

    def __init__(
        self,
        settings: MatchSettings,
        meetings: Sequence[Meeting],
        entrants: Sequence[Entrant],
        entrant_files: EntrantFiles,
    ) -> None:
        self._settings, self._meetings = settings, meetings
        self._policies, number_of = policy_pool(settings, entrants, entrant_files)
        reads = any(policy.reads_arrays for policy in self._policies)
        self._batch = Batch(
            len(meetings),
            seats=settings.seats,
            rules=settings.chosen_rules,
            board=settings.board,
            seed=np.array([settings.seed_of(meeting) for meeting in meetings], np.uint64),
            max_turns=settings.max_turns or None,
            observations=reads,
            action_masks=reads,
            autoreset=False,
        )
        self._seats = [meeting.seats for meeting in meetings]
        places = {entrant.id: place for place, entrant in enumerate(entrants)}
        at = np.array([[places[entrant] for entrant in seats] for seats in self._seats], np.int64)
        self._players = number_of[at]
        """The policy that decides, by game and seat: (n, seats)."""
        self._history = History(len(meetings), settings.seats)
        self._removals: list[list[Removal]] = [[] for _ in meetings]

    def play(self) -> list[Result]:
        """Play all games to their ends."""
        play_games(self._batch, self._policies, self._players, self._history, referee=self)
        return self._results()

    def remove(self, game: int, seat: int, answer: int) -> None:
        """Remove a seat; during the placement it leaves when its first turn comes."""
        failures = self._policies[self._players[game, seat]].failures
        reason = failures.pop(game, f"it answered {answer}, which is not legal")
        turn = int(self._batch.states["turn"][game])
        self._removals[game].append(Removal(seat, turn, printable(reason, LONGEST_LINE)))
        if turn:
            self._expel(game, seat)

    def choose(self, batch: Batch, rows: Array) -> Array:
        """Actions for seats that were removed.

        A legal one if the seat may not leave yet, or if it left owing something (cards at a
        seven, an answer); otherwise the seat leaves.
        """
        return np.array([self._for_the_absent(int(game)) for game in rows], np.int64)

    def _for_the_absent(self, game: int) -> int:
        seat = int(self._batch.seat[game])
        view = self._batch.view(game, seat)
        if view.turn == 0 or not view.is_playing(seat):
            return _first_legal(view)
        self._expel(game, seat)
        return STAY

    def _expel(self, game: int, seat: int) -> None:
        history = self._history
        history.make_room()
        history.actions[game, history.lengths[game]] = LEAVE + seat
        history.lengths[game] += 1
        self._batch.run(lambda games, start, stop: doors.leave_table(games, game, seat))

    def _results(self) -> list[Result]:
        states, history = self._batch.states, self._history
        points = states["points"] + states["cards"][:, :, VICTORY_POINT]
        winners, turns = states["winner"].tolist(), states["turn"].tolist()
        chosen = zip(history.actions, history.lengths.tolist(), strict=True)
        return [
            Result(
                meeting=meeting,
                played="process",
                seed=int(self._batch.seeds[k]),
                seats=self._seats[k],
                winner=None if winners[k] == NOBODY else winners[k],
                points=tuple(points[k, : self._settings.seats].tolist()),
                turns=min(turns[k], self._batch.max_turns),
                decisions=int(history.decisions[k].sum()),
                state=sha256(states[k]).hexdigest(),
                moves=squeezed(actions[:length]),
                clocks=_clocks(history, k),
                removals=tuple(self._removals[k]),
            )
            for k, (meeting, (actions, length)) in enumerate(
                zip(self._meetings, chosen, strict=True)
            )
        ]


def _clocks(history: History, game: int) -> tuple[Clock, ...]:
    """By seat."""
    columns = history.decisions, history.spent, history.slowest
    return tuple(map(Clock, *(column[game].tolist() for column in columns)))


def _first_legal(view: SeatView) -> int:
    """The first legal action, but an offer is declined."""
    action = Action.reject() if view.phase == Phase.ANSWER else None
    return int(view.legal_actions.indices[0] if action is None else action.index or 0)
