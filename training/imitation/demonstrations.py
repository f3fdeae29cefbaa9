"""Demonstrations: a teacher's choices in many positions, and the results of the games."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, ClassVar, NamedTuple

import numpy as np

from catan_env.batch import ENDED, GOES_ON, REFUSED, STAY, Batch
from catan_env.core.constants import SEATS, DevelopmentCard
from catan_env.game.errors import IllegalActionError
from catan_env.game.observation import NUM_ACTIONS, OBSERVATION_SIZE
from catan_env.game.rules import Rules
from catan_env.training.imitation.teachers import probs_of
from catan_env.training.ranges import COUNT, FRACTION, POSITIVE, Range, Ranges, in_ranges

Array = np.ndarray[Any, Any]
Chooser = Callable[[Batch], Array]
"""Returns (n,) actions for a batch of n games."""
Ranking = Callable[[Batch], tuple[Array, Array]]
"""Returns the best actions and their values, the best first: (n, k) each, STAY where fewer are."""

VICTORY_POINT = DevelopmentCard.VICTORY_POINT
MASK_BYTES = NUM_ACTIONS // 8
TEACHER, STUDENT, RANDOM = 0, 1, 2


class Samples(NamedTuple):
    """Columns with one row per decision."""

    observations: Array
    """(k, 913) int8; (k, 933) in version 2 of the observation."""
    masks: Array
    """(k, 106) uint8: the action masks, packed by `np.packbits`."""
    actions: Array
    """(k, choices) int64: the teacher's best, the best first."""
    probs: Array
    """(k, choices) float32: the teacher's policy over them."""
    results: Array
    """(k,) float32: 1 for a win, -1/(seats - 1) for a loss, NaN where the game had not ended."""
    points: Array
    """(k, 4) float32: final victory points by relative seat over ten, or NaN."""


class Demonstrations:
    """A ring buffer of the last `capacity` decisions, about 1.1 kB each.

    Of each, the observation is stored, and the teacher's best `choices` actions.
    """

    def __init__(
        self, capacity: int, choices: int = 1, observation_size: int = OBSERVATION_SIZE
    ) -> None:
        self.capacity, self.added = capacity, 0
        self.observations = np.zeros((capacity, observation_size), np.int8)
        self.masks = np.zeros((capacity, MASK_BYTES), np.uint8)
        self.actions = np.zeros((capacity, choices), np.int16)
        self.probs = np.zeros((capacity, choices), np.float16)
        self.results = np.full(capacity, np.nan, np.float32)
        self.points = np.full((capacity, SEATS), np.nan, np.float32)

    @property
    def size(self) -> int:
        """The number of decisions stored."""
        return min(self.added, self.capacity)

    def to_bytes(self) -> bytes:
        """All decisions, compressed: about 0.11 kB each."""
        columns = {name: getattr(self, name)[: self.size] for name in Samples._fields}
        file = BytesIO()
        np.savez_compressed(file, added=self.added, **columns)
        return file.getvalue()

    def from_bytes(self, written: bytes) -> None:
        """Replace the decisions by those that a buffer of the same capacity and choices wrote."""
        with np.load(BytesIO(written)) as columns:
            self.added = int(columns["added"])
            for name in Samples._fields:
                getattr(self, name)[: self.size] = columns[name]

    def add(self, observations: Array, masks: Array, actions: Array, probs: Array) -> Array:
        """Add (k, size) and (k, 848) int8, and (k, choices) actions and probs.

        Returns their numbers, (k,), which identify them for `conclude`.
        """
        numbers = self.added + np.arange(len(actions))
        rows = numbers % self.capacity
        self.observations[rows] = observations
        self.actions[rows], self.probs[rows] = actions, probs
        self.masks[rows] = np.packbits(masks, axis=1)
        self.results[rows], self.points[rows] = np.nan, np.nan
        self.added += len(actions)
        return numbers

    def conclude(self, numbers: Array, results: Array, points: Array) -> None:
        """Set the results, (k,), and points, (k, 4), of decisions by number, if still stored."""
        there = numbers >= self.added - self.capacity
        rows = numbers[there] % self.capacity
        self.results[rows], self.points[rows] = results[there], points[there]

    def samples(self, rows: Array) -> Samples:
        """Those in `rows`, (k,) integers."""
        return Samples(
            self.observations[rows],
            self.masks[rows],
            self.actions[rows].astype(np.int64),
            self.probs[rows].astype(np.float32),
            self.results[rows],
            self.points[rows],
        )


@dataclass(frozen=True)
class Source:
    """Games that demonstrations come from, and the players of their seats.

    The player of a seat is drawn for each game: the student, a random player or the teacher. The
    teacher labels every decision but the random player's.
    """

    RANGES: ClassVar[Ranges] = in_ranges(
        {
            Range(2, 4): "seats",
            COUNT: "num_envs max_turns",
            POSITIVE: "fraction",
            FRACTION: "random_fraction epsilon forced_fraction",
        }
    )

    seats: int = 4
    rules: str = "base"
    trade: bool = True
    """whether seats trade with each other where the rules allow it"""
    num_envs: int = 256
    """parallel games"""
    fraction: float = 1.0
    """its part of all decisions, relative to the other sources"""
    random_fraction: float = 0.1
    """probability that a seat is a random player's"""
    epsilon: float = 0.03
    """probability that a random action is played instead of the chosen one"""
    forced_fraction: float = 0.1
    """probability that a decision with one legal action is recorded"""
    max_turns: int = 400

    def __post_init__(self) -> None:
        """Raise ValueError if every seat is a random player's: nothing would be recorded."""
        if self.random_fraction == 1:
            raise ValueError("random_fraction is 1; allowed are numbers from 0 to below 1")

    def made_rules(self) -> Rules:
        """The rules of that name, with or without trade."""
        rules = Rules.named(self.rules)
        return replace(rules, player_trade=rules.player_trade and self.trade)


class Recorder:
    """Plays the games of a source and records the teacher's choice in each position."""

    def __init__(
        self,
        source: Source,
        teacher: Ranking,
        into: Demonstrations,
        seed: int,
        temperature: float = 1.0,
    ) -> None:
        self.source, self.teacher, self.into = source, teacher, into
        self.temperature = temperature
        self.batch = Batch(
            source.num_envs,
            seats=source.seats,
            rules=source.made_rules(),
            seed=seed,
            max_turns=source.max_turns,
            autoreset=False,
        )
        self._generator = np.random.default_rng(seed)
        self._students = 0.0
        self._players = np.zeros((source.num_envs, SEATS), np.int8)
        self._seat_down(np.arange(source.num_envs))
        self._written: list[list[tuple[int, int]]] = [[] for _ in range(source.num_envs)]

    def record(self, decisions: int, student: Chooser | None = None, fraction: float = 0.0) -> int:
        """Play until that many decisions more are recorded; returns the number recorded.

        From now on `fraction` of the seats of new games are the student's.
        """
        self._students = fraction if student is not None else 0.0
        written = 0
        while written < decisions:
            written += self._step(student)
        return written

    def _step(self, student: Chooser | None) -> int:
        batch, draw = self.batch, self._generator.random
        n = batch.num_games
        player = self._players[np.arange(n), batch.seat]
        actions, values = self.teacher(batch)
        labels = actions[:, 0]
        at_random = batch.sample_legal().copy()
        played = np.where((player == RANDOM) | (draw(n) < self.source.epsilon), at_random, labels)
        if student is not None and (player == STUDENT).any():
            chosen = student(batch)
            played = np.where((player == STUDENT) & (played == labels), chosen, played)
        assert batch.action_masks is not None
        is_choice = np.add.reduce(batch.action_masks, axis=1, dtype=np.int32) > 1
        kept = (player != RANDOM) & (is_choice | (draw(n) < self.source.forced_fraction))
        written = self._write(np.flatnonzero(kept), actions, values)
        batch.step(played)
        if batch.done.any():
            self._end()
        return written

    def _write(self, games: Array, actions: Array, values: Array) -> int:
        batch, choices = self.batch, self.into.actions.shape[1]
        assert batch.observations is not None and batch.action_masks is not None
        shown = batch.observations[games], batch.action_masks[games]
        labelled = np.full((len(games), choices), STAY)
        q_values = np.zeros((len(games), choices))
        k = min(choices, actions.shape[1])
        labelled[:, :k], q_values[:, :k] = actions[games, :k], values[games, :k]
        probs = probs_of(labelled, q_values, self.temperature)
        numbers = self.into.add(*shown, np.maximum(labelled, 0), probs)
        for game, seat, number in zip(games, batch.seat[games], numbers, strict=True):
            self._written[game].append((number, seat))
        return len(numbers)

    def _end(self) -> None:
        """Record the results of the games that ended with their decisions, and begin new games."""
        batch = self.batch
        refused = np.flatnonzero(batch.done == REFUSED)
        if len(refused):
            raise IllegalActionError(f"game {refused[0]}: an action that its mask does not allow")
        ended = np.flatnonzero(batch.done != GOES_ON)
        for i in ended.tolist():
            if batch.done[i] == ENDED and self._written[i]:
                numbers, whose = np.array(self._written[i]).T
                self.into.conclude(numbers, batch.rewards[i, whose], self._final_points(i)[whose])
            self._written[i] = []
        self._seat_down(ended)
        batch.reset_finished()

    def _final_points(self, i: int) -> Array:
        """Final victory points over ten of game i, by viewer and relative seat: (4, 4)."""
        state, seats = self.batch.states[i], self.source.seats
        points = (state["points"] + state["cards"][:, VICTORY_POINT]) / 10
        result = np.zeros((SEATS, SEATS), np.float32)
        for seat in range(seats):
            result[seat, :seats] = np.roll(points[:seats], -seat)
        return result

    def _seat_down(self, games: Array) -> None:
        drawn = self._generator.random((len(games), SEATS))
        self._players[games] = np.where(
            drawn < self.source.random_fraction,
            RANDOM,
            np.where(drawn < self.source.random_fraction + self._students, STUDENT, TEACHER),
        )
