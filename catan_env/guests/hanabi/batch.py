"""Many games stepped together, natively, in arrays."""

import secrets
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.cards import Card
from catan_env.guests.hanabi.game import LIMIT, Game
from catan_env.guests.hanabi.native import doors, warm
from catan_env.guests.hanabi.native.doors import RESULT
from catan_env.guests.hanabi.native.encode import STORED
from catan_env.guests.hanabi.native.memory import GAME, PLACES
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.observation import card_index, observation_size, sections
from catan_env.guests.hanabi.rules import Rules, rules_of
from catan_env.kernel.arrays import (
    buffer,
    checked_numbers,
    checked_out,
    checked_seats,
    next_seeds,
    seeds_of,
)
from catan_env.kernel.block_batch import BlockBatch
from catan_env.kernel.jit import MACHINE_CODE
from catan_env.kernel.lockstep import ENDED, GOES_ON, REFUSED, STAY
from catan_env.kernel.memory import doorway, new_blocks
from catan_env.kernel.numbers import flag, whole, whole_seed
from catan_env.kernel.threads import Pool, run_in_parts

Array = np.ndarray[Any, Any]
NO_ROWS = np.zeros((0, 1), np.int8)
GAMES_AT_ONCE = 4096


class Batch(BlockBatch):
    """N games in lockstep over arrays; `step` plays one action in each.

    The arrays are written in place by `reset` and `step` and stay the same objects:

    - `observations` (n, observation_size) int8 and `action_masks` (n, num_actions) int8, of the
      seat to move; None when not wanted, the packed `masks` (n,) int64 are always present
    - `seat` (n,) int8: the seat to move
    - `rewards` (n, players) float32 by seat: the change of the score, the same for every seat
    - `done` (n,) int8: GOES_ON 0, ENDED 1, REFUSED 3 (the action is illegal; the game is
      unchanged)
    - `score` (n,) int8 and `moves` (n,) int16 of the last game that ended

    A game that has ended restarts in the same call (`autoreset=False` leaves it as it is, for
    `reset_finished` right after the step). Game i is seeded with `seeds[i]`, and its successor with
    a seed mixed from that one: the same seeds and actions give the same games, with any number of
    threads. Without a `seed` a random one is used.

    >>> games = Batch(8, players=3, seed=1)
    >>> for _ in range(100):
    ...     games.step(games.sample_legal())
    >>> games.observations.shape, int(games.done.max()) < 3
    ((8, 956), True)
    """

    BLOCK = GAME
    DERIVED = frozenset(
        {"_games", "_blank", "_sheet", "_results", "masks", "seat", "rewards", "score", "moves"}
    )

    def __init__(
        self,
        num_games: int,
        *,
        players: int = 2,
        rules: Rules | str = "official",
        seed: int | ArrayLike | None = None,
        observations: bool | Array = True,
        action_masks: bool | Array = True,
        autoreset: bool = True,
        threads: int = 1,
    ) -> None:
        num_games, threads = whole("num_games", num_games, 1), whole("threads", threads, 1)
        self.rules = rules_of(rules)
        self.num_games, self.players = num_games, self.rules.check_players(players)
        self.seats = self.players
        _check_size(self.rules, players)
        warm.ready()
        self.observation_size = observation_size(self.rules, players)
        self.num_actions = len(all_actions(self.rules, players))
        self.autoreset = flag("autoreset", autoreset)
        self._pool = Pool(num_games, threads)
        self.states = new_blocks(num_games, GAME)
        self.actions = np.zeros(num_games, np.int64)
        self.done = np.zeros(num_games, np.int8)
        self.results = np.zeros(num_games, RESULT)
        self.observations = buffer("observations", observations, (num_games, self._width()))
        self.action_masks = buffer("action_masks", action_masks, (num_games, self.num_actions))
        self._open()
        self.reset(secrets.randbits(63) if seed is None else seed)

    def _width(self) -> int:
        """The bits of a row of `observations`."""
        return self.observation_size

    def _open(self) -> None:
        """Name the fields of the arrays, and bind the native functions to them."""
        self._games, self._blank = doorway(self.states), doorway(new_blocks(1, GAME))
        self._sheet = doorway(sheet_of(self.rules, self.players))
        self._results = self.results if MACHINE_CODE else self.results.view(np.recarray)
        self.masks, self.seat = self.states["mask"], self.states["seat"]
        self.rewards = self.results["rewards"][:, : self.players]
        self.score, self.moves = self.results["score"], self.results["moves"]

    def reset(self, seed: int | ArrayLike | None = None) -> None:
        """Restart all games: one seed for all, mixed with each game's number, or (n,) seeds.

        Without a seed, the next game begins in each place, as after the end of the one there.
        """
        if seed is None:
            self.seeds = next_seeds(self.states["seed"])
        else:
            self.seeds = seeds_of(seed, self.num_games)
        self._seed = int(self.seeds[0] >> np.uint64(1))
        self._sampled = 0
        self._pool.run(
            doors.reset_games,
            self._games,
            self._blank,
            self._sheet,
            self.seeds,
            self.done,
            self._results,
        )
        self.refresh()

    def begin(self, i: int, seed: int) -> None:
        """Restart game i with a separate seed; the next `refresh` shows it."""
        i = self._row(i)
        self.seeds[i] = whole_seed(seed)
        doors.reset_games(
            self._games,
            self._blank,
            self._sheet,
            self.seeds,
            self.done,
            self._results,
            i,
            i + 1,
        )

    def step(self, actions: ArrayLike) -> None:
        """Play `actions`, (n,) numbers or STAY, one per game, and write all arrays."""
        self._step(actions, self.observations, self.action_masks)

    def play(self, actions: ArrayLike) -> None:
        """Like `step`, but leave `observations` and `action_masks` unchanged."""
        self._step(actions, None, None)

    def _step(self, actions: ArrayLike, shown: Array | None, masks: Array | None) -> None:
        self._pool.run(
            doors.step_games,
            self._games,
            self._blank,
            self._sheet,
            checked_numbers("actions", actions, self.num_games),
            self.autoreset,
            self.done,
            self._results,
            NO_ROWS if shown is None else shown,
            NO_ROWS if masks is None else masks,
        )

    def play_others(self, seats: ArrayLike) -> None:
        """Play the other seats at random until seat `seats[i]`, (n,), is to move in game i.

        Rewards and endings on the way are added to those of the last `play`.
        """
        known = self._seats(seats)
        self._pool.run(
            doors.play_others,
            self._games,
            self._blank,
            self._sheet,
            known,
            self.autoreset,
            self.done,
            self._results,
        )

    def pick_others(self, seats: ArrayLike, picks: ArrayLike) -> Array:
        """A random action where a seat other than `seats[i]` is to move, else STAY: (n,) int64.

        It depends on the game's seed and on `picks[i]`, the number of actions played in the game.
        """
        known, counts = self._seats(seats), checked_numbers("picks", picks, self.num_games)
        actions: Array = np.empty(self.num_games, np.int64)
        self._pool.run(doors.pick_others, self._games, known, counts, actions)
        return actions

    def reset_finished(self) -> None:
        """Restart the games that the last step ended, and write all arrays."""
        self._pool.run(doors.reset_finished, self._games, self._blank, self._sheet, self.done)
        self.refresh()

    def refresh(self) -> None:
        """Write `observations` and `action_masks` of the current positions."""
        if self.observations is not None:
            self._pool.run(doors.observe_games, self._games, self._sheet, self.observations)
        if self.action_masks is not None:
            self._pool.run(doors.expand_masks, self._games, self._sheet, self.action_masks)

    def observe(self, seats: ArrayLike, out: Array | None = None) -> Array:
        """The observations of seats `seats[i]`, (n,): (n, observation_size) int8."""
        known, shape = self._seats(seats), (self.num_games, self.observation_size)
        out = np.zeros(shape, np.int8) if out is None else checked_out("out", out, shape, np.int8)
        self._pool.run(doors.observe_seats, self._games, self._sheet, known, out)
        return out

    def observation(self, i: int, seat: int) -> Array:
        """The observation of `seat` in game i: (observation_size,) int8, a fresh array."""
        i, seat = self._row(i), self._seat(seat)
        out: Array = np.zeros((1, self.observation_size), np.int8)
        game = doorway(self.states[i : i + 1])
        doors.observe_seats(game, self._sheet, np.array([seat], np.int8), out, 0, 1)
        return out[0]

    def sample_legal(self, out: Array | None = None) -> Array:
        """A legal action per game, uniform: (n,) int64, in `self.actions` or `out`."""
        if out is None:
            out = self.actions
        else:
            checked_out("out", out, (self.num_games,), np.int64)
        self._sampled += 1
        self._pool.run(doors.sample_legal, self._games, self._seed, self._sampled, out)
        return out

    def game(self, i: int) -> Game:
        """Game i with its deck, before the first action.

        Play the same actions in it to follow the game: the batch stores no past.
        """
        return Game(self.players, 0, self.rules, self.deck(i))

    def deck(self, i: int) -> list[Card]:
        """All cards of game i in the order of the deal and then of the draws."""
        kinds, size = self.rules.kinds, len(self.rules.box)
        return [kinds[card] for card in self.states["deck"][self._row(i), :size].tolist()]

    def deal(self, decks: list[list[Card]]) -> None:
        """Restart all games with these decks.

        Raises ValueError, and changes nothing, unless there is one deck of the box's cards per
        game.
        """
        if len(decks) != self.num_games:
            raise ValueError(f"{len(decks)} decks for {self.num_games} games")
        for deck in decks:
            Game(self.players, 0, self.rules, deck)  # raises unless these are the box's cards
        cards = [[card_index(self.rules, card) for card in deck] for deck in decks]
        seeds = self.states["seed"].copy()  # of the games that follow
        self.states[:] = new_blocks(1, GAME)[0]
        self.states["seed"] = seeds
        self.states["deck"][:, : len(self.rules.box)] = cards
        self.done[:] = GOES_ON
        self._pool.run(doors.deal_games, self._games, self._sheet)
        self.refresh()

    def _seats(self, seats: ArrayLike) -> Array:
        return checked_seats(seats, self.num_games, 0, self.seats - 1)


class PlayOut(NamedTuple):
    """Results of whole games, one entry per game."""

    scores: Array
    """(n,) int8."""
    moves: Array
    """Actions played: (n,) int32."""


def play_out(
    games: int,
    *,
    players: int = 2,
    rules: Rules | str = "official",
    seed: int | None = None,
    threads: int = 1,
) -> PlayOut:
    """Play whole games natively, every legal action equally likely.

    Without a `seed` a random one is used.

    >>> play_out(3, players=2, seed=1).scores.shape
    (3,)
    """
    games, threads = whole("games", games, 1), whole("threads", threads, 1)
    seed = secrets.randbits(63) if seed is None else whole_seed(seed)
    rules = rules_of(rules)
    warm.ready()
    sheet = doorway(sheet_of(rules, rules.check_players(players)))
    blank = doorway(new_blocks(1, GAME))
    result = PlayOut(np.zeros(games, np.int8), np.zeros(games, np.int32))
    signed = (seed + LIMIT // 2) % LIMIT - LIMIT // 2

    def play_part(start: int, stop: int) -> None:
        place = doorway(new_blocks(1, GAME))
        doors.play_out(place, blank, sheet, signed, *result, start, stop)

    run_in_parts(play_part, games, GAMES_AT_ONCE, threads)
    return result


def _check_size(rules: Rules, players: int) -> None:
    """Raise ValueError if a game is too small: the encoder stores 64 bits in one write."""
    place = sections(rules, players)
    written = place["knowledge"].stop - place["last_action"].start
    if written < STORED or rules.cards_in_hand(players) > PLACES:
        raise ValueError(f"{rules} with {players} players is too small a game for a batch")


def __getattr__(name: str) -> Any:
    """A value of the module by its old name, with a warning."""
    renamed = {"OVER": ("ENDED", ENDED), "game_seeds": ("kernel.arrays.seeds_of", seeds_of)}
    if name not in renamed:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    now, value = renamed[name]
    warnings.warn(f"{__name__}.{name} is now {now}", DeprecationWarning, stacklevel=2)
    return value


__all__ = [
    "ENDED",
    "GOES_ON",
    "REFUSED",
    "STAY",
    "Batch",
    "PlayOut",
    "play_out",
]
