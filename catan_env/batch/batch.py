"""Many games at once, stepped natively in arrays: what vector environments and studies stand on."""

import operator
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from catan_env.core import batch, doors
from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.batch import CUT_OFF, GOES_ON, REFUSED, RESULT, STAY, WON
from catan_env.core.compiled import ensure_compiled
from catan_env.core.constants import NOBODY, SEATS
from catan_env.core.jit import COMPILED
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.rng import word_at
from catan_env.core.state import doorway, new_states
from catan_env.core.threads import Pool, share_out
from catan_env.game.board import Board
from catan_env.game.game import Game, board_for, checked_seed, rules_of
from catan_env.game.rules import Rules
from catan_env.game.table import States, copy_of, fresh_states
from catan_env.game.view import SeatView

NO_LIMIT = 2**31 - 1
MOST_AT_ONCE, SLOW_AT_ONCE = 256, 64  # games played out by one call: some tenths of a second
INT64 = np.dtype(np.int64)
NO_ROWS = np.zeros((0, 1), np.int8)

Array = np.ndarray[Any, Any]


class Batch:
    """N games in lockstep over arrays; `step` plays one action in each.

    The arrays are written in place by `reset` and `step` and stay the same objects:

    - `action_masks` (n, 848) int8 and `observations` (n, OBSERVATION_SIZE) int8, of the seat to
      decide; left out (None) when not wanted, the packed `masks` (n, 16) int64 are always there
    - `seat` (n,) int8: whose decision it is
    - `rewards` (n, 4) float32 by seat: +1 to the winner, -1/(seats - 1) to the others, where a
      game ended in this step; else 0
    - `done` (n,) int8: GOES_ON 0, WON 1, CUT_OFF 2 (more than `max_turns` turns), REFUSED 3 (the
      mask does not hold the action; the game is as it was)
    - `winner` (n,) int8 and `turns` (n,) int32 of the game that ended last

    A game that ended begins anew in the same call (`autoreset=False` leaves it lying until
    `reset_finished`). Game i plays with the seed that `seeds[i]` said, the next one there with a
    seed mixed from it: the same seeds and actions give the same games, however many threads run.

    >>> games = Batch(8, seats=3, seed=1)
    >>> for _ in range(100):
    ...     games.step(games.sample_legal())
    >>> games.observations.shape, bool((games.done == 0).all())
    ((8, 913), True)
    """

    def __init__(
        self,
        num_games: int,
        *,
        seats: int = 4,
        rules: Rules | str | None = None,
        board: Board | str = "spiral",
        first_seat: int = 0,
        seed: int | ArrayLike = 0,
        max_turns: int | None = None,
        observations: bool | Array = True,
        action_masks: bool | Array = True,
        autoreset: bool = True,
        threads: int = 1,
    ) -> None:
        num_games, threads = _whole("num_games", num_games, 1), _whole("threads", threads, 1)
        ensure_compiled("rules")
        ensure_compiled("batch")
        self.num_games, self.seats, self.rules = num_games, seats, rules_of(rules)
        template = _template(seats, self.rules, board, first_seat)
        self.max_turns = _turn_limit(max_turns)
        self.autoreset = bool(autoreset)
        self._pool = Pool(num_games, threads)
        self.states = new_states(num_games)
        self._template, self._games = doorway(template), doorway(self.states)
        self._picks = np.zeros(num_games, np.int64)
        self.actions = np.zeros(num_games, np.int64)
        self.done = np.zeros(num_games, np.int8)
        self.results = np.zeros(num_games, RESULT)
        self._results = self.results if COMPILED else self.results.view(np.recarray)
        self.observations = _buffer("observations", observations, (num_games, OBSERVATION_SIZE))
        self.action_masks = _buffer("action_masks", action_masks, (num_games, NUM_ACTIONS))
        self.masks, self.seat = self.states["mask"], self.states["seat"]
        self.rewards, self.winner = self.results["rewards"], self.results["winner"]
        self.turns = self.results["turns"]
        self.reset(seed)

    def reset(self, seed: int | ArrayLike = 0) -> None:
        """Begin all games anew: a seed for all, mixed with each game's number, or (n,) seeds."""
        self.seeds = _seeds(seed, self.num_games)
        self._seed = int(self.seeds[0] >> np.uint64(1))
        self._sampled = 0
        self._picks[:] = 0
        self._run(
            batch.reset_games, self._games, self._template, self.seeds, self.done, self._results
        )
        self.refresh()

    def begin(self, i: int, seed: int) -> None:
        """Begin game i anew with a seed of its own; the next `refresh` shows it."""
        i, seed = self._row(i), _seed(seed)
        self.seeds[i], self._picks[i] = seed, 0
        batch.reset_games(
            self._games, self._template, self.seeds, self.done, self._results, i, i + 1
        )

    def step(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) flat indices or STAY, one in each game, and write all arrays.

        An int64 array that is contiguous and writeable is taken as it is, others are copied.
        """
        self._step(actions, self.observations, self.action_masks)

    def play(self, actions: ArrayLike) -> None:
        """As `step`, but leave `observations` and `action_masks` as they were."""
        self._step(actions, None, None)

    def _step(self, actions: ArrayLike, observations: Array | None, masks: Array | None) -> None:
        self._run(
            batch.step_games,
            self._games,
            self._template,
            _checked_actions(actions, self.num_games),
            self.max_turns,
            self.autoreset,
            self.done,
            self._results,
            NO_ROWS if observations is None else observations,
            NO_ROWS if masks is None else masks,
        )

    def play_others(self, seats: ArrayLike) -> None:
        """Let other seats play at random until seat `seats[i]`, (n,) integers, decides in game i.

        What ends meanwhile is added to `done`, `rewards` and the rest of the last `play`. How
        they play game i follows from its seed alone. Without `autoreset` NOBODY may be waited for,
        which is to play the game to its end.
        """
        least = 0 if self.autoreset else NOBODY
        self._run(
            batch.play_others,
            self._games,
            self._template,
            _checked_seats(seats, self.num_games, least, self.seats - 1),
            self._picks,
            self.max_turns,
            self.autoreset,
            self.done,
            self._results,
        )

    def reset_finished(self) -> None:
        """Begin anew where the last step ended a game and left it lying."""
        self._run(batch.reset_finished, self._games, self._template, self.done, self._results)

    def refresh(self) -> None:
        """Write `observations` and `action_masks` of the games as they stand."""
        if self.observations is not None:
            self._run(batch.observe_games, self._games, self._results, self.observations)
        if self.action_masks is not None:
            self._run(batch.expand_masks, self._games, self.action_masks)

    def observe(self, seats: ArrayLike, out: Array | None = None) -> Array:
        """What seat `seats[i]`, (n,) integers, knows of game i: (n, OBSERVATION_SIZE) int8."""
        known = _checked_seats(seats, self.num_games, 0, self.seats - 1)
        shape = (self.num_games, OBSERVATION_SIZE)
        out = np.zeros(shape, np.int8) if out is None else _checked_out("out", out, shape, np.int8)
        self._run(batch.observe_seats, self._games, known, out)
        return out

    def observation(self, i: int, seat: int) -> Array:
        """What `seat` knows of game i: (OBSERVATION_SIZE,) int8, a fresh array."""
        out: Array = np.zeros(OBSERVATION_SIZE, np.int8)
        row = out.reshape(1, OBSERVATION_SIZE)
        doors.observe_game(self._games, self._row(i), self._seat(seat), row)
        return out

    def view(self, i: int, seat: int, board: Board | None = None) -> SeatView:
        """What `seat` knows of game i, for a policy's `act`; a `board` known need not be read."""
        i = self._row(i)
        return SeatView(copy_of(self.states[i : i + 1]), self.rules, board, self._seat(seat))

    def sample_legal(self, out: Array | None = None) -> Array:
        """A legal action for each game, uniform: (n,) int64, in `self.actions` unless `out`."""
        if out is None:
            out = self.actions
        else:
            _checked_out("out", out, (self.num_games,), np.int64)
        self._sampled += 1
        self._run(batch.sample_legal, self._games, self._seed, self._sampled, out)
        return out

    def game(self, i: int) -> Game:
        """Game i as it stands, as a Game of its own without its past."""
        i = self._row(i)
        return Game._from_states(copy_of(self.states[i : i + 1]), self.rules, [])

    def _row(self, i: int) -> int:
        return _whole("i", i, 0, self.num_games - 1)

    def _seat(self, seat: int) -> int:
        return _whole("seat", seat, 0, self.seats - 1)

    def _run(self, function: Callable[..., None], *arguments: Any) -> None:
        self._pool.run(function, *arguments)


class DoubleBatch:
    """Two halves of games: a policy thinks about one while the other steps in a thread.

    The options are those of a Batch of all games: the first half has the first half of the seeds,
    and of the rows of `observations` and `action_masks` where these are given as arrays.

    >>> pair = DoubleBatch(4, seats=2, seed=3)
    >>> for _ in range(6):
    ...     half = pair.ready()
    ...     pair.submit(half.sample_legal())
    """

    def __init__(self, num_games: int, *, seed: int | ArrayLike = 0, **options: Any) -> None:
        if _whole("num_games", num_games, 2) % 2:
            raise ValueError(f"num_games is {num_games}; two halves need an even number")
        seeds = _seeds(seed, num_games)
        buffers = {
            name: _buffer(name, options.pop(name, True), (num_games, width))
            for name, width in (("observations", OBSERVATION_SIZE), ("action_masks", NUM_ACTIONS))
        }

        def half(rows: slice) -> Batch:
            shown: dict[str, Any] = {
                name: buffer is not None and buffer[rows] for name, buffer in buffers.items()
            }
            return Batch(num_games // 2, seed=seeds[rows], **shown, **options)

        self.halves = half(slice(None, num_games // 2)), half(slice(num_games // 2, None))
        self._turn = 0
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="catan")
        self._steps: list[Future[None] | None] = [None, None]

    def ready(self) -> Batch:
        """The half to act on next, once its step is done."""
        step = self._steps[self._turn]
        if step is not None:
            step.result()
        return self.halves[self._turn]

    def submit(self, actions: ArrayLike) -> None:
        """Start stepping the half that `ready` gave; `actions` must not change until it is back."""
        half = self.halves[self._turn]
        checked = _checked_actions(actions, half.num_games)
        self._steps[self._turn] = self._worker.submit(half.step, checked)
        self._turn = 1 - self._turn


class PlayOut(NamedTuple):
    """What came of whole games: three arrays with a place for each game.

    >>> result = play_out(20, seats=2, seed=1)
    >>> result.games, sum(result.wins) + result.cut_off
    (20, 20)
    """

    winners: Array
    """The seats that won: (n,) int8, NOBODY (-1) where a game was cut off."""
    turns: Array
    """Turns begun in each game: (n,) int32, one more than `max_turns` where it was cut off."""
    decisions: Array
    """Actions that the seats played in each game: (n,) int32."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.winners)

    @property
    def cut_off(self) -> int:
        """How many games nobody won."""
        return int(np.count_nonzero(self.winners == NOBODY))

    @property
    def wins(self) -> tuple[int, int, int, int]:
        """How many games each seat won."""
        a, b, c, d = (int(np.count_nonzero(self.winners == seat)) for seat in range(SEATS))
        return a, b, c, d

    @property
    def total_turns(self) -> int:
        """Turns of all games."""
        return int(self.turns.sum(dtype=np.int64))

    @property
    def total_decisions(self) -> int:
        """Decisions of all games."""
        return int(self.decisions.sum(dtype=np.int64))


def play_out(
    games: int,
    *,
    seats: int = 4,
    rules: Rules | str | None = None,
    board: Board | str = "spiral",
    seed: int = 0,
    max_turns: int = 10_000,
    threads: int = 1,
    policy: str | Callable[..., None] = "random",
) -> PlayOut:
    """Play whole games natively, one after another; some threads take a part at a time.

    `policy` plays every seat: "random", a legal action, all alike; or "greedy", the native
    player of `catan_env.policies.greedy`, the action with the best standing after it; or a function
    called as `core.batch.play_out` is. Game k has the seed `game_seeds(seed, games)[k]` and follows
    from that alone, whatever `games` and `threads` are. An interrupt or an error ends it when parts
    at hand are played, at most 256 games each. Raises ValueError for what is out of bounds or
    unknown.

    >>> result = play_out(3, seats=3, seed=1, threads=2)
    >>> result.winners.shape, result.turns.dtype, result.total_decisions > 300
    ((3,), dtype('int32'), True)
    """
    limit = _turn_limit(max_turns)
    template = _template(seats, rules_of(rules), board, first_seat=0)
    template["seed"] = _seed(seed)
    games, threads = _whole("games", games, 1), _whole("threads", threads, 1)
    play_some = _whole_games(policy, seats)
    most = MOST_AT_ONCE if policy == "random" else SLOW_AT_ONCE
    result = PlayOut(np.zeros(games, np.int8), np.zeros(games, np.int32), np.zeros(games, np.int32))

    def play_part(start: int, stop: int) -> None:
        place = doorway(new_states(1))
        play_some(place, doorway(template), limit, *result, start, stop)

    share_out(play_part, games, most, threads)
    return result


def _whole_games(policy: str | Callable[..., None], seats: int) -> Callable[..., None]:
    """What plays whole games by that policy, called as `core.batch.play_out`; it is compiled."""
    if policy == "random":
        ensure_compiled("batch")
        play_some: Callable[..., None] = batch.play_out
    elif policy == "greedy":
        play_some = import_module("catan_env.policies.greedy").whole_games(seats)
    elif callable(policy) and not isinstance(policy, type):
        play_some = policy
    else:
        raise ValueError(
            f"unknown policy {policy!r}; played out are 'random', 'greedy' and a function that is "
            "called as core.batch.play_out"
        )
    return play_some


def _template(seats: int, rules: Rules, board: Board | str, first_seat: int) -> States:
    """One block of memory that every game begins as, but for its seed."""
    given, layout = board_for(board)
    template = fresh_states(seats, rules, first_seat, given)
    if layout is not None:
        template["layout"] = layout
    return template


def game_seeds(seed: int | None, n: int) -> Array:
    """Seeds for n games, mixed from one: (n,) uint64."""
    signed = (_seed(seed) + (1 << 63)) % (1 << 64) - (1 << 63)  # all that a compiled call takes
    return np.array([word_at(signed, i) for i in range(n)], dtype=np.uint64)


def _whole(name: str, given: Any, least: int, most: int | None = None) -> int:
    """`given` as an int; TypeError or ValueError where it is not one of `least`..`most`."""
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is {given!r}; allowed are whole numbers") from None
    if number < least or (most is not None and number > most):
        allowed = f"{least} and more" if most is None else f"{least}..{most}"
        raise ValueError(f"{name} is {number}; allowed are {allowed}")
    return number


def _seed(given: Any) -> int:
    try:
        return checked_seed(given)
    except TypeError:
        raise TypeError(f"seed is {given!r}; allowed are whole numbers") from None


def _seeds(given: Any, n: int) -> Array:
    """A seed for each game, (n,) uint64, a fresh array: mixed from one, or those given."""
    if np.ndim(given) == 0:
        return game_seeds(given, n)
    if not isinstance(given, np.ndarray):
        given = np.array([_seed(one) for one in given], np.uint64)
    array = _integers("seeds", given, n)
    if array.min() < 0:
        i = int(array.argmin())
        raise ValueError(f"seeds[{i}] is {array[i]}; allowed are 0..2**64 - 1")
    return np.array(array, np.uint64, order="C")


def _turn_limit(max_turns: int | None) -> int:
    """`max_turns` as doors take it; beyond what a game can count there is no limit."""
    if max_turns is None:
        return NO_LIMIT
    return min(_whole("max_turns", max_turns, 0), NO_LIMIT)


def _integers(name: str, given: ArrayLike, n: int) -> Array:
    array = np.asarray(given)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} of shape {array.shape} and dtype {array.dtype}; allowed are ({n},) integers"
        )
    return array


def _checked_actions(given: ArrayLike, n: int) -> Array:
    """Actions as doors take them: `given` itself where it is (n,) int64 in order, or a copy."""
    if (
        isinstance(given, np.ndarray)
        and given.dtype == INT64
        and given.shape == (n,)
        and given.flags.carray
    ):
        return given
    array = _integers("actions", given, n)
    if array.dtype == np.uint64:
        array = np.minimum(array, np.uint64(NUM_ACTIONS))  # none becomes negative
    return np.require(array, np.int64, ["C", "A", "W"])


def _checked_seats(given: ArrayLike, n: int, least: int, most: int) -> Array:
    """Seats as doors take them: (n,) int8, each one of `least`..`most`."""
    array = _integers("seats", given, n)
    if array.min() < least or array.max() > most:
        i = int(np.flatnonzero((array < least) | (array > most))[0])
        raise ValueError(f"seats[{i}] is {array[i]}; allowed are {least}..{most}")
    return np.require(array, np.int8, ["C", "A", "W"])


def _checked_out(name: str, given: Any, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """An array that doors may write to; it is not copied, since its owner reads it."""
    allowed = f"allowed is a contiguous, writeable {shape} of {np.dtype(dtype)}"
    if not isinstance(given, np.ndarray):
        raise TypeError(f"{name} is {given!r}; {allowed}")
    if given.shape != shape or given.dtype != dtype or not given.flags.carray:
        raise ValueError(f"{name} of shape {given.shape} and dtype {given.dtype}; {allowed}")
    return given


def _buffer(name: str, wanted: bool | Array, shape: tuple[int, int]) -> Array | None:
    if isinstance(wanted, bool | np.bool_ | None):
        return np.zeros(shape, np.int8) if wanted else None
    return _checked_out(name, wanted, shape, np.int8)


__all__ = [
    "CUT_OFF",
    "GOES_ON",
    "NOBODY",
    "REFUSED",
    "STAY",
    "WON",
    "Batch",
    "DoubleBatch",
    "PlayOut",
    "game_seeds",
    "play_out",
]
