"""Decisions that a teacher would take, and what came of the games: what a clone learns from."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np

from catan_env.batch import GOES_ON, REFUSED, STAY, WON, Batch
from catan_env.core.constants import DevelopmentCard
from catan_env.game.errors import IllegalActionError
from catan_env.game.observation import NUM_ACTIONS, OBSERVATION_SIZE
from catan_env.game.rules import Rules

Array = np.ndarray[Any, Any]
Chooser = Callable[[Batch], Array]
"""Gives (n,) actions for a batch of n games."""
Teacher = Callable[[Batch], tuple[Array, Array]]
"""Gives its best actions and their values, the best first: (n, k) each, STAY where fewer are."""

SEATS, VICTORY_POINT = 4, DevelopmentCard.VICTORY_POINT
MASK_BYTES = NUM_ACTIONS // 8
TEACHER, STUDENT, RANDOM = 0, 1, 2


class Samples(NamedTuple):
    """Some decisions: (k, 913) int8, (k, 848) bool, (k, j), (k, j), (k,) and (k, 4) float32.

    `actions` are the teacher's best, the best first, and `shares` how much of a choice between
    them is for each, 1 together. `results` are 1 for a win, -1/(seats - 1) for a loss and NaN where
    the game had not ended; `points` are the final victory points by relative seat over ten, or NaN.
    """

    observations: Array
    masks: Array
    actions: Array
    shares: Array
    results: Array
    points: Array


class Demonstrations:
    """The last `capacity` decisions, in about 1.1 kB each; the oldest give way to new ones.

    Of each, the teacher's best `choices` actions are kept.
    """

    def __init__(self, capacity: int, choices: int = 1) -> None:
        self.capacity, self.added = capacity, 0
        self.observations = np.zeros((capacity, OBSERVATION_SIZE), np.int8)
        self.masks = np.zeros((capacity, MASK_BYTES), np.uint8)
        self.actions = np.zeros((capacity, choices), np.int16)
        self.shares = np.zeros((capacity, choices), np.float16)
        self.results = np.full(capacity, np.nan, np.float32)
        self.points = np.full((capacity, SEATS), np.nan, np.float32)

    @property
    def size(self) -> int:
        """How many decisions there are."""
        return min(self.added, self.capacity)

    def to_bytes(self) -> bytes:
        """All decisions, compressed: about 0.11 kB each."""
        columns = {name: getattr(self, name)[: self.size] for name in Samples._fields}
        file = BytesIO()
        np.savez_compressed(file, added=self.added, **columns)
        return file.getvalue()

    def from_bytes(self, written: bytes) -> None:
        """Take, in place of these decisions, what one of the same capacity and choices wrote."""
        with np.load(BytesIO(written)) as columns:
            self.added = int(columns["added"])
            for name in Samples._fields:
                getattr(self, name)[: self.size] = columns[name]

    def add(self, observations: Array, masks: Array, actions: Array, shares: Array) -> Array:
        """Take (k, 913) and (k, 848) int8, (k, choices) actions and shares; returns numbers, (k,).

        By these numbers `conclude` knows the decisions again.
        """
        numbers = self.added + np.arange(len(actions))
        rows = numbers % self.capacity
        self.observations[rows] = observations
        self.actions[rows], self.shares[rows] = actions, shares
        self.masks[rows] = np.packbits(masks, axis=1)
        self.results[rows], self.points[rows] = np.nan, np.nan
        self.added += len(actions)
        return numbers

    def conclude(self, numbers: Array, results: Array, points: Array) -> None:
        """Say what came of the decisions with those numbers: (k,) and (k, 4); gone ones stay so."""
        there = numbers >= self.added - self.capacity
        rows = numbers[there] % self.capacity
        self.results[rows], self.points[rows] = results[there], points[there]

    def samples(self, rows: Array) -> Samples:
        """Those in `rows`, (k,) integers."""
        masks = np.unpackbits(self.masks[rows], axis=1).view(np.bool_)
        return Samples(
            self.observations[rows],
            masks,
            self.actions[rows].astype(np.int64),
            self.shares[rows].astype(np.float32),
            self.results[rows],
            self.points[rows],
        )


def shares_of(actions: Array, values: Array, temperature: float) -> Array:
    """How much of a choice is for each action, by its value: (n, k) float32; none for STAY.

    >>> shares_of(np.array([[9, 4, STAY]]), np.array([[-2e6, -2e6, 0.0]]), 0.5).tolist()
    [[0.5, 0.5, 0.0]]
    """
    less = np.where(actions == STAY, np.inf, values[:, :1] - values)
    shares = np.exp(-less / temperature)
    result: Array = (shares / shares.sum(axis=1, keepdims=True)).astype(np.float32)
    return result


@dataclass(frozen=True)
class DemonstrationTable:
    """Games that demonstrations come from, and who sits there.

    A seat is drawn for each game: the student with the chance `student`, a random player with
    `random`, else the teacher. The teacher is asked about every decision but the random player's.
    """

    seats: int = 4
    rules: str = "base"
    trade: bool = True
    """Whether seats trade with each other where the rules let them."""
    games: int = 256
    share: float = 1.0
    """The share of all decisions that comes from this table."""
    random: float = 0.1
    noise: float = 0.03
    """The chance that a random action is played in place of the chosen one."""
    forced: float = 0.1
    """The chance that a decision with one legal action is kept."""
    max_turns: int = 400

    def made_rules(self) -> Rules:
        """The rules of its name, with or without trade."""
        rules = Rules.named(self.rules)
        return replace(rules, player_trade=rules.player_trade and self.trade)


class Recorder:
    """Plays the games of a table and writes down what the teacher would do in each position."""

    def __init__(
        self,
        table: DemonstrationTable,
        teacher: Teacher,
        into: Demonstrations,
        seed: int,
        temperature: float = 1.0,
    ) -> None:
        self.table, self.teacher, self.into = table, teacher, into
        self.temperature = temperature
        self.batch = Batch(
            table.games,
            seats=table.seats,
            rules=table.made_rules(),
            seed=seed,
            max_turns=table.max_turns,
            autoreset=False,
        )
        self._generator = np.random.default_rng(seed)
        self._students = 0.0
        self._players = np.zeros((table.games, SEATS), np.int8)
        self._seat_down(np.arange(table.games))
        self._written: list[list[tuple[int, int]]] = [[] for _ in range(table.games)]

    def record(self, decisions: int, student: Chooser | None = None, share: float = 0.0) -> int:
        """Play until that many decisions more are written down; returns how many were.

        From now on a seat of a new game is the student's with the chance `share`.
        """
        self._students = share if student is not None else 0.0
        written = 0
        while written < decisions:
            written += self._step(student)
        return written

    def _step(self, student: Chooser | None) -> int:
        batch, draw = self.batch, self._generator.random
        n = batch.num_games
        who = self._players[np.arange(n), batch.seat]
        actions, values = self.teacher(batch)
        labels = actions[:, 0]
        at_random = batch.sample_legal().copy()
        played = np.where((who == RANDOM) | (draw(n) < self.table.noise), at_random, labels)
        if student is not None and (who == STUDENT).any():
            chosen = student(batch)
            played = np.where((who == STUDENT) & (played == labels), chosen, played)
        is_choice = np.add.reduce(batch.action_masks, axis=1, dtype=np.int32) > 1
        kept = (who != RANDOM) & (is_choice | (draw(n) < self.table.forced))
        written = self._write(np.flatnonzero(kept), actions, values)
        batch.step(played)
        if batch.done.any():
            self._end()
        return written

    def _write(self, games: Array, actions: Array, values: Array) -> int:
        batch, choices = self.batch, self.into.actions.shape[1]
        shown = batch.observations[games], batch.action_masks[games]
        labelled = np.full((len(games), choices), STAY)
        worth = np.zeros((len(games), choices))
        k = min(choices, actions.shape[1])
        labelled[:, :k], worth[:, :k] = actions[games, :k], values[games, :k]
        shares = shares_of(labelled, worth, self.temperature)
        numbers = self.into.add(*shown, np.maximum(labelled, 0), shares)
        for game, seat, number in zip(games, batch.seat[games], numbers, strict=True):
            self._written[game].append((number, seat))
        return len(numbers)

    def _end(self) -> None:
        """Tell the decisions of the games that ended what came of them, and begin new games."""
        batch = self.batch
        refused = np.flatnonzero(batch.done == REFUSED)
        if len(refused):
            raise IllegalActionError(f"game {refused[0]}: an action that its mask does not allow")
        ended = np.flatnonzero(batch.done != GOES_ON)
        for i in ended.tolist():
            if batch.done[i] == WON and self._written[i]:
                numbers, whose = np.array(self._written[i]).T
                self.into.conclude(numbers, batch.rewards[i, whose], self._final_points(i)[whose])
            self._written[i] = []
        self._seat_down(ended)
        batch.reset_finished()
        batch.refresh()

    def _final_points(self, i: int) -> Array:
        """Final victory points over ten of game i, by viewer and relative seat: (4, 4)."""
        state, seats = self.batch.states[i], self.table.seats
        points = (state["points"] + state["cards"][:, VICTORY_POINT]) / 10
        result = np.zeros((SEATS, SEATS), np.float32)
        for seat in range(seats):
            result[seat, :seats] = np.roll(points[:seats], -seat)
        return result

    def _seat_down(self, games: Array) -> None:
        drawn = self._generator.random((len(games), SEATS))
        table = self.table
        self._players[games] = np.where(
            drawn < table.random,
            RANDOM,
            np.where(drawn < table.random + self._students, STUDENT, TEACHER),
        )
