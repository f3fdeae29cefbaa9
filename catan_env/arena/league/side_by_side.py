"""Games between policies, many at once in this process.

A line-up's games stand side by side in a `Batch`. A policy decides in all games that wait for it by
one call, where it can, and one that is compiled plays on until another is to decide. A policy that
fails or answers what is illegal is kicked, as a room kicks an agent: its pieces stay, its turns are
skipped, the last one left has won.
"""

from collections.abc import Sequence
from hashlib import sha256
from time import perf_counter
from typing import Any

import numpy as np

from catan_env.arena.league.entrant import Entrant, Workshop
from catan_env.arena.league.hand import Hand, hands_of
from catan_env.arena.league.history import History
from catan_env.arena.league.meeting import Meeting, Table
from catan_env.arena.league.result import Removal, Result
from catan_env.arena.sandbox import printable
from catan_env.batch import Batch
from catan_env.core import doors
from catan_env.core.batch import REFUSED, STAY
from catan_env.core.constants import NOBODY, OVER, VICTORY_POINT, Phase
from catan_env.game.action import Action
from catan_env.game.view import SeatView

Array = np.ndarray[Any, Any]


def play_side_by_side(
    table: Table,
    meetings: Sequence[Meeting],
    entrants: Sequence[Entrant],
    workshop: Workshop,
) -> list[Result]:
    """Play meetings of one line-up, which `entrants` are, in its order."""
    return SideBySide(table, meetings, entrants, workshop).play()


class SideBySide:
    """The games of one line-up, from their first choice to the last one's end."""

    def __init__(
        self,
        table: Table,
        meetings: Sequence[Meeting],
        entrants: Sequence[Entrant],
        workshop: Workshop,
    ) -> None:
        self._table, self._meetings = table, meetings
        n, seats = len(meetings), table.seats
        self._hands, hand_of = hands_of(table, entrants, workshop)
        reads = any(hand.reads_arrays for hand in self._hands)
        self._batch = Batch(
            n,
            seats=seats,
            rules=table.chosen_rules,
            board=table.board,
            seed=np.array([table.seed_of(meeting) for meeting in meetings], np.uint64),
            max_turns=table.max_turns,
            observations=reads,
            action_masks=reads,
            autoreset=False,
        )
        self._seats = [meeting.seats for meeting in meetings]
        places = {entrant.id: place for place, entrant in enumerate(entrants)}
        at = np.array([[places[entrant] for entrant in seats] for seats in self._seats], np.int64)
        self._who = hand_of[at]
        """Which hand decides, by game and seat: (n, seats)."""
        self._games = np.arange(n)
        self._live = np.ones(n, bool)
        self._history = History(n, seats)
        self._kicks: list[list[Removal]] = [[] for _ in meetings]
        self._doomed: set[tuple[int, int]] = set()
        """Games and seats that leave as soon as anybody may."""

    def play(self) -> list[Result]:
        """All games to their ends."""
        while self._live.any():
            for k, hand in enumerate(self._hands):
                if hand.plays_runs and not hand.failure:
                    self._play_runs(k, hand)
            self._step()
            self._look()
        return self._results()

    def _look(self) -> None:
        """Which games go on."""
        states = self._batch.states
        self._live &= (states["phase"] != OVER) & (states["turn"] <= self._batch.max_turns)

    def _play_runs(self, k: int, hand: Hand) -> None:
        """Let a hand play on wherever it is to decide."""
        mine = (self._who == k) & self._live[:, None]
        for game, seat in self._doomed:
            mine[game, seat] = False
        if mine[self._games, self._batch.seat].any():
            with self._history.timed():
                hand.play_runs(self._batch, mine, self._history)
            self._look()

    def _step(self) -> None:
        """One decision in every game that goes on, of those who do not play on by themselves."""
        batch, seats = self._batch, np.where(self._live, self._batch.seat, NOBODY)
        who = np.where(self._live, self._who[self._games, seats], len(self._hands))
        actions = np.full(len(who), STAY, np.int64)
        if any(hand.reads_arrays for hand in self._hands):
            batch.refresh()
        for k, hand in enumerate(self._hands):
            rows = np.flatnonzero(who == k)
            if len(rows) and (hand.failure or not hand.plays_runs or self._doomed):
                self._decide(hand, rows, actions)
        if (actions != STAY).any():
            batch.play(actions)
            for game in map(int, np.flatnonzero(batch.done == REFUSED)):
                self._expel_the_illegal(game, int(actions[game]))

    def _decide(self, hand: Hand, rows: Array, actions: Array) -> None:
        """Write what a hand plays in the games that wait for it."""
        begun = perf_counter()
        actions[rows], failures = hand.choose(self._batch, rows)
        if failures or self._doomed:
            self._refuse(rows, failures, actions)
        seconds = (perf_counter() - begun) / len(rows)
        rows = rows[actions[rows] != STAY]
        self._history.note(rows, self._batch.seat[rows], actions[rows], seconds)

    def _refuse(self, rows: Array, failures: dict[int, str], actions: Array) -> None:
        """Kick who failed; where nobody may leave yet, and where a seat that left owes something
        (cards at a seven, an answer), a legal action is played for it."""
        for game in map(int, rows):
            seat = int(self._batch.seat[game])
            if game in failures and (game, seat) not in self._doomed:
                self._kick(game, seat, failures[game])
            if (game, seat) not in self._doomed:
                continue
            view: SeatView = self._batch.view(game, seat)
            if view.turn == 0 or not view.is_playing(seat):
                actions[game] = _for_the_absent(view)
            else:
                actions[game] = STAY
                self._expel(game, seat)

    def _expel_the_illegal(self, game: int, action: int) -> None:
        seat = int(self._batch.seat[game])
        self._kick(game, seat, f"it answered {action}, which is not legal")
        self._history.take_back(game)
        if self._batch.states["turn"][game]:
            self._expel(game, seat)

    def _kick(self, game: int, seat: int, reason: str) -> None:
        turn = int(self._batch.states["turn"][game])
        self._kicks[game].append(Removal(seat, turn, printable(reason)))
        self._doomed.add((game, seat))

    def _expel(self, game: int, seat: int) -> None:
        self._history.leave(game, seat)
        self._batch.run(lambda games, start, stop: doors.leave_table(games, game, seat))

    def _results(self) -> list[Result]:
        states, clocks = self._batch.states, self._history.clocks()
        points = states["points"] + states["cards"][:, :, VICTORY_POINT]
        columns = zip(
            self._meetings,
            self._batch.seeds.tolist(),
            self._seats,
            states["winner"].tolist(),
            map(tuple, points[:, : self._table.seats].tolist()),
            states["turn"].tolist(),
            self._history.asked.sum(axis=1).tolist(),
            (sha256(state).hexdigest() for state in states),
            self._history.records(),
            clocks,
            map(tuple, self._kicks),
            strict=True,
        )
        return [
            Result(meeting, "process", seed, seats, None if winner == NOBODY else winner, *rest)
            for meeting, seed, seats, winner, *rest in columns
        ]


def _for_the_absent(view: SeatView) -> int:
    """The first legal action, but no to an offer."""
    action = Action.reject() if view.phase == Phase.ANSWER else None
    return int(view.legal_actions.indices[0] if action is None else action.index or 0)
