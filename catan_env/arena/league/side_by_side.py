"""Games between policies, many at once in this process.

A line-up's games stand side by side in a `Batch`; every policy decides in all games that wait for
it by one call, where it can. A policy that fails or answers what is illegal is kicked, as a room
kicks an agent: its pieces stay, its turns are skipped, the last one left has won.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from time import perf_counter
from typing import Any

import numpy as np

from catan_env.arena.league.entrant import Entrant, Workshop
from catan_env.arena.league.meeting import Meeting, Table
from catan_env.arena.league.moves import LEAVE, squeezed
from catan_env.arena.league.result import Clock, Removal, Result
from catan_env.arena.sandbox import printable
from catan_env.batch import Batch
from catan_env.core import doors
from catan_env.core.batch import GOES_ON, REFUSED, STAY
from catan_env.core.constants import NOBODY, OVER, VICTORY_POINT, Phase
from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.policy import decide, load_policy

Array = np.ndarray[Any, Any]


def play_side_by_side(
    table: Table,
    meetings: Sequence[Meeting],
    entrants: Sequence[Entrant],
    workshop: Workshop,
) -> list[Result]:
    """Play meetings of one line-up, which `entrants` are, in its order."""
    return SideBySide(table, meetings, entrants, workshop).play()


class Hand:
    """A policy that decides for one entrant or, where it decides in many games at once, for all
    whose policy is the same."""

    def __init__(self, policy: str, seed: int) -> None:
        self.failure = ""
        self.seconds: list[float] = []
        """What a decision took, step by step: on average over the games of one call."""
        self._name, self._seed = policy, seed
        self._policy: Any = None
        self._player: Any = None
        self._by_game: dict[int, Any] = {}
        try:
            self._policy = load_policy(policy, seed)
            if hasattr(self._policy, "batched"):
                self._player = self._policy.batched()
        except Exception as error:  # whatever a stranger's code raises, the others play on
            self.failure = f"{type(error).__name__}: {error}"

    @property
    def is_shared(self) -> bool:
        """Whether one call decides in many games; else each game has a policy of its own."""
        return self._player is not None or hasattr(self._policy, "act_batch")

    @property
    def reads_arrays(self) -> bool:
        """Whether it reads the batch's observations and action masks."""
        return self.is_shared and getattr(self._player, "reads_arrays", True)

    def choose(self, batch: Batch, rows: Array) -> tuple[Array, dict[int, str]]:
        """Actions for the games `rows`, and why there is none, by game."""
        if self.failure:
            return np.full(len(rows), STAY), dict.fromkeys(map(int, rows), self.failure)
        if self.is_shared:
            return self._choose(self._for_all, batch, rows)
        actions, failures = np.full(len(rows), STAY), {}
        for k in range(len(rows)):
            one = rows[k : k + 1]
            actions[k : k + 1], failed = self._choose(self._for_one, batch, one)
            failures.update(failed)
        return actions, failures

    def _choose(
        self, ask: Callable[[Batch, Array], Any], batch: Batch, rows: Array
    ) -> tuple[Array, dict[int, str]]:
        try:
            return ask(batch, rows), {}
        except Exception as error:  # as above
            reason = f"{type(error).__name__}: {error}"
            return np.full(len(rows), STAY), dict.fromkeys(map(int, rows), reason)

    def _for_all(self, batch: Batch, rows: Array) -> Any:
        if self._player is not None:
            return self._player.choose(batch, rows)
        assert batch.observations is not None and batch.action_masks is not None
        return self._policy.act_batch(batch.observations[rows], batch.action_masks[rows])

    def _for_one(self, batch: Batch, rows: Array) -> int:
        game = int(rows[0])
        if game not in self._by_game:
            seed = int(batch.seeds[game] >> np.uint64(2)) + self._seed
            self._by_game[game] = load_policy(self._name, seed)
        return decide(self._by_game[game], batch.view(game, int(batch.seat[game])))


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
        self._hands, hand_of = _hands(table, entrants, workshop)
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
        places = {entrant.id: place for place, entrant in enumerate(entrants)}
        at = np.array([[places[entrant] for entrant in m.seats] for m in meetings], np.int64)
        self._who = hand_of[at]
        """Which hand decides, by game and seat: (n, seats)."""
        self._games = np.arange(n)
        self._live = np.ones(n, bool)
        self._actions = np.full(n, STAY, np.int64)
        self._history: list[Array] = []
        self._seats: list[Array] = []
        """Whose decision it was, step by step: (n,) int8, NOBODY where a game is over."""
        self._left: list[tuple[int, int, int]] = []
        """Who left: after how many steps, in which game, which seat."""
        self._kicks: list[list[Removal]] = [[] for _ in meetings]
        self._doomed: set[tuple[int, int]] = set()
        """Games and seats that leave as soon as anybody may."""

    def play(self) -> list[Result]:
        """All games to their ends."""
        batch = self._batch
        while self._live.any():
            self._decide()
            batch.step(self._actions)
            self._history.append(self._actions.astype(np.uint16))
            if (batch.done == REFUSED).any():
                self._expel_the_illegal()
            self._live &= (batch.done == GOES_ON) | (batch.done == REFUSED)
            if self._left:
                self._live &= batch.states["phase"] != OVER
        return self._results()

    def _decide(self) -> None:
        """Write an action of every game that goes on; STAY for the others."""
        batch, self._actions[:] = self._batch, STAY
        seats = np.where(self._live, batch.seat, NOBODY)
        self._seats.append(seats)
        who = self._who[self._games, seats]
        for k, hand in enumerate(self._hands):
            rows = np.flatnonzero(self._live & (who == k))
            begun = perf_counter()
            if len(rows):
                self._actions[rows], failures = hand.choose(batch, rows)
                if failures or self._doomed:
                    self._refuse(rows, failures)
            hand.seconds.append((perf_counter() - begun) / max(1, len(rows)))

    def _refuse(self, rows: Array, failures: dict[int, str]) -> None:
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
                self._actions[game] = _for_the_absent(view)
            else:
                self._actions[game] = STAY
                self._expel(game, seat, len(self._history))

    def _expel_the_illegal(self) -> None:
        for game in map(int, np.flatnonzero(self._batch.done == REFUSED)):
            seat, step = int(self._batch.seat[game]), len(self._history) - 1
            self._kick(game, seat, f"it answered {self._actions[game]}, which is not legal")
            self._history[step][game] = STAY & 0xFFFF
            if self._batch.states["turn"][game]:
                self._expel(game, seat, step)

    def _kick(self, game: int, seat: int, reason: str) -> None:
        turn = int(self._batch.states["turn"][game])
        self._kicks[game].append(Removal(seat, turn, printable(reason)))
        self._doomed.add((game, seat))

    def _expel(self, game: int, seat: int, step: int) -> None:
        self._left.append((step, game, seat))
        self._batch.run(lambda games, start, stop: doors.leave_table(games, game, seat))

    def _results(self) -> list[Result]:
        states, moves, clocks = self._batch.states, self._moves(), self._clocks()
        points = states["points"] + states["cards"][:, :, VICTORY_POINT]
        return [
            Result(
                meeting,
                "process",
                self._table.seed_of(meeting),
                meeting.seats,
                None if states["winner"][k] == NOBODY else int(states["winner"][k]),
                tuple(points[k, : self._table.seats].tolist()),
                int(states["turn"][k]),
                sum(clock.asked for clock in clocks[k]),
                sha256(states[k].tobytes()).hexdigest(),
                moves[k],
                clocks[k],
                tuple(self._kicks[k]),
            )
            for k, meeting in enumerate(self._meetings)
        ]

    def _moves(self) -> list[bytes]:
        """What was chosen in each game, and who left."""
        history = np.array(self._history, np.uint16).T.copy()
        for step, game, seat in self._left:
            history[game, step] = LEAVE + seat
        return [squeezed(row[row != STAY & 0xFFFF]) for row in history]

    def _clocks(self) -> list[tuple[Clock, ...]]:
        """By game and seat."""
        decided = np.array(self._seats)
        seconds = np.array([hand.seconds for hand in self._hands], np.float32)
        every = []
        for seat in range(self._table.seats):
            here = (decided == seat).astype(np.float32)
            who = self._who[:, seat]
            spent = (seconds @ here)[who, self._games]
            slowest = np.zeros(len(who))
            for k, hand in enumerate(seconds):
                slowest[who == k] = (here[:, who == k] * hand[:, None]).max(axis=0, initial=0)
            asked = here.sum(axis=0).astype(int)
            every.append(list(map(Clock, asked.tolist(), spent.tolist(), slowest.tolist())))
        return list(zip(*every, strict=True))


def _for_the_absent(view: SeatView) -> int:
    """The first legal action, but no to an offer."""
    action = Action.reject() if view.phase == Phase.ANSWER else None
    return int(view.legal_actions.indices[0] if action is None else action.index or 0)


def _hands(
    table: Table, entrants: Sequence[Entrant], workshop: Workshop
) -> tuple[list[Hand], Array]:
    """The policies, and which of them plays for each place of the line-up.

    Entrants whose policy is the same and keeps nothing of a game share one.
    """
    hands: list[Hand] = []
    known: dict[str, int] = {}
    number = []
    for place, entrant in enumerate(entrants):
        policy = workshop.policy_of(entrant)
        if policy not in known:
            hands.append(Hand(policy, table.seed + place))
            known[policy] = len(hands) - 1
        k = known[policy]
        if not hands[k].is_shared:
            del known[policy]
        number.append(k)
    return hands, np.array(number, np.int64)
