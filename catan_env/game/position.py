"""A position: the read-only interface that a game and a seat's view share."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from catan_env.core import doors
from catan_env.core.actions import BIT_OF, NUM_ACTIONS, WORD_OF
from catan_env.core.board import HALF
from catan_env.core.constants import (
    BANK_RATE,
    CARDS_PER_RESOURCE,
    KNIGHT,
    NOBODY,
    OVER,
    VICTORY_POINT,
    Phase,
)
from catan_env.core.dice import OUTCOMES
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.core.state import GAME, doorway
from catan_env.game.action import Action, Counts, actions_at, as_counts
from catan_env.game.board import Board
from catan_env.game.geometry import TILE_VERTICES
from catan_env.game.observation import checked_version, observation_of
from catan_env.game.picture import draw
from catan_env.game.refusals import is_legal_beyond_mask, refusal_beyond_mask
from catan_env.game.rules import Rules
from catan_env.kernel.bits import members
from catan_env.kernel.memory import Memory, copy_of, memory_of
from catan_env.kernel.numbers import action_index, index_of

States = np.ndarray[Any, Any]


class PendingOffer(NamedTuple):
    """An open offer: `seat` gives `give` for `get` of the seat `to`; five counts each."""

    seat: int
    to: int
    give: Counts
    get: Counts


class LegalActions(Sequence[Action]):
    """The legal actions of a position by flat index, each made when it is read.

    `in` also takes a flat index, and actions that are legal without having one.
    """

    def __init__(self, position: "Position") -> None:
        self._position = position

    @property
    def indices(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The legal flat indices, ascending: (n,) int64."""
        return np.flatnonzero(self._position.action_mask)

    def __iter__(self) -> Iterator[Action]:
        return actions_at(self.indices.tolist())

    def __len__(self) -> int:
        return sum(word.bit_count() for word in self._position._read.mask)

    @overload
    def __getitem__(self, k: int) -> Action: ...

    @overload
    def __getitem__(self, k: slice) -> list[Action]: ...

    def __getitem__(self, k: int | slice) -> Action | list[Action]:
        if isinstance(k, slice):
            return list(actions_at(self.indices[k].tolist()))
        return Action.from_index(int(self.indices[k]))

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Action):
            return self._position._is_legal(action)
        try:
            index = index_of(action)
        except TypeError:
            return False
        return 0 <= index < NUM_ACTIONS and self._position.in_mask(index)

    def __repr__(self) -> str:
        return f"<{len(self)} legal actions: {', '.join(map(str, self))}>"


class Position:
    """Everything readable in a game; seats, tiles, vertices and edges are numbers."""

    def __init__(self, states: States, rules: Rules, board: Board | None) -> None:
        older = states.dtype != GAME  # from a pickle with other names of fields
        self._array = copy_of(states.view(GAME)) if older else states
        self._states = doorway(self._array)
        self._memory: Memory | None = None
        self._rules = rules
        self._board = board

    @property
    def _read(self) -> Any:
        if self._memory is None:
            self._memory = memory_of(self._array)
        return self._memory

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self._rules

    @property
    def board(self) -> Board:
        """The board: tiles and harbours."""
        if self._board is None:
            self._board = Board.from_state(self._array[0])
        return self._board

    @property
    def seats(self) -> int:
        """The number of players: 2, 3 or 4."""
        return self._read.seats

    @property
    def first_seat(self) -> int:
        """The seat that placed first and took the first turn."""
        return self._read.first_seat

    @property
    def seat(self) -> int:
        """The acting seat: the one whose decision it is."""
        return self._read.seat

    @property
    def turn_seat(self) -> int:
        """The seat whose turn it is."""
        return self._read.turn_seat

    @property
    def phase(self) -> Phase:
        """The decision that the game waits for."""
        return Phase(self._read.phase)

    @property
    def turn(self) -> int:
        """The number of turns begun; 0 in the set-up."""
        return self._read.turn

    @property
    def roll(self) -> int:
        """The total rolled this turn; 0 before the roll."""
        return self._read.roll

    @property
    def rolled(self) -> bool:
        """True if the dice were rolled this turn."""
        return self._read.roll != 0

    @property
    def robber(self) -> int:
        """The robber's tile."""
        return self._read.robber

    @property
    def bank(self) -> Counts:
        """Resource cards in the bank; 0 for an unlimited bank whose spare cards are all out."""
        return as_counts(min(max(n, 0), CARDS_PER_RESOURCE) for n in self._read.bank)

    @property
    def deck_size(self) -> int:
        """Development cards left."""
        return self._read.deck_size

    @property
    def free_roads(self) -> int:
        """Free roads still to lay."""
        return self._read.free_roads

    @property
    def card_played(self) -> bool:
        """True if a development card was played this turn."""
        return self._read.card_played != 0

    @property
    def offer(self) -> PendingOffer | None:
        """The offer that awaits an answer."""
        g = self._read
        if g.offer_to == NOBODY:
            return None
        give, get = as_counts(g.offer_give), as_counts(g.offer_get)
        return PendingOffer(g.turn_seat, g.offer_to, give, get)

    @property
    def winner(self) -> int | None:
        """The seat that has won, or None."""
        return _seat_or_none(self._read.winner)

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self._read.phase == OVER

    @property
    def longest_road_seat(self) -> int | None:
        """The holder of Longest Road, or None."""
        return _seat_or_none(self._read.longest_road)

    @property
    def largest_army_seat(self) -> int | None:
        """The holder of Largest Army, or None."""
        return _seat_or_none(self._read.largest_army)

    def settlements(self, seat: int) -> tuple[int, ...]:
        """The vertices of a seat's settlements."""
        return members(self._read.settlements[self._checked_seat(seat)])

    def cities(self, seat: int) -> tuple[int, ...]:
        """The vertices of a seat's cities."""
        return members(self._read.cities[self._checked_seat(seat)])

    def seats_at(self, tile: int) -> tuple[int, ...]:
        """The seats with a settlement or city at a tile, in their order."""
        corners = set(TILE_VERTICES[tile])
        return tuple(
            seat
            for seat in range(self.seats)
            if not corners.isdisjoint(self.settlements(seat) + self.cities(seat))
        )

    def roads(self, seat: int) -> tuple[int, ...]:
        """The edges of a seat's roads."""
        low, high = (self._read.roads[self._checked_seat(seat), half] for half in range(2))
        return members(low) + tuple(HALF + edge for edge in members(high))

    def points(self, seat: int, hidden: bool = True) -> int:
        """Victory points; `hidden` includes victory point cards in hand, where they are known."""
        points = self._read.points[self._checked_seat(seat)]
        return points + self._read.cards[seat, VICTORY_POINT] if hidden else points

    def hand(self, seat: int) -> Counts:
        """A seat's resource cards."""
        self._check_known(seat)
        return _row(self._read.hand, seat)

    def known(self, seat: int) -> Counts:
        """The minimum cards of a seat that follow from public events other than offers.

        An offer proves that its cards are in hand (C127), but it is not counted here.
        """
        return _row(self._read.known, self._checked_seat(seat))

    def hand_size(self, seat: int) -> int:
        """The number of resource cards that a seat holds."""
        return self._read.hand_size[self._checked_seat(seat)]

    def cards(self, seat: int) -> Counts:
        """A seat's development cards, by DevelopmentCard."""
        self._check_known(seat)
        return _row(self._read.cards, seat)

    def new_cards(self, seat: int) -> Counts:
        """Those development cards of a seat that were bought this turn."""
        self._check_known(seat)
        return as_counts(self._read.new_cards) if seat == self.turn_seat else (0, 0, 0, 0, 0)

    def card_count(self, seat: int) -> int:
        """The number of development cards that a seat holds."""
        return self._read.card_count[self._checked_seat(seat)]

    def played(self, seat: int) -> tuple[int, int, int, int]:
        """Knights, road buildings, years of plenty and monopolies played by a seat."""
        a, b, c, d = (self._read.played[self._checked_seat(seat), kind] for kind in range(4))
        return a, b, c, d

    def knights(self, seat: int) -> int:
        """Knights played by a seat."""
        return self._read.played[self._checked_seat(seat), KNIGHT]

    def road_length(self, seat: int) -> int:
        """The length of a seat's longest trail of roads."""
        return self._read.road_length[self._checked_seat(seat)]

    def pieces(self, seat: int) -> tuple[int, int, int]:
        """Roads, settlements and cities left in a seat's stock."""
        a, b, c = (self._read.pieces[self._checked_seat(seat), piece] for piece in range(3))
        return a, b, c

    def trade_rates(self, seat: int) -> Counts:
        """The best rate at which a seat trades each resource with the bank."""
        return _row(self._read.rates, self._checked_seat(seat))

    def owned_rates(self, seat: int, resource: int) -> set[int]:
        """All rates at which a seat may trade a resource with the bank (C120)."""
        if not self.rules.bank_trade:
            return set()
        built = {*self.settlements(seat), *self.cities(seat)}
        return {BANK_RATE} | {
            harbour.rate
            for harbour in self.board.harbours
            if built & set(harbour.vertices) and harbour.resource in (None, resource)
        }

    def owes(self, seat: int) -> int:
        """The number of cards that a seat must still discard."""
        return self._read.owed[self._checked_seat(seat)]

    def is_playing(self, seat: int) -> bool:
        """True if a seat is still at the table."""
        return not self._read.gone >> self._checked_seat(seat) & 1

    @property
    def action_mask(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The action mask, 1 for each legal flat index: (848,) int8, a new array."""
        mask = np.zeros(NUM_ACTIONS, np.int8)
        self.write_action_mask(mask)
        return mask

    def write_action_mask(self, out: np.ndarray[Any, Any]) -> None:
        """Write the action mask into `out`: (848,) int8, contiguous."""
        doors.write_mask_bytes(self._states, 0, as_row(out, NUM_ACTIONS))

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions of the acting seat."""
        return LegalActions(self)

    def observe(self, seat: int, version: int = 1) -> np.ndarray[Any, np.dtype[np.int8]]:
        """Return what `seat` knows as a flat observation: (OBSERVATION_SIZE,) int8, a new array.

        In version 2 it is longer, and also shows the rules of the table (docs/observation.md).
        """
        version = checked_version(version)
        self._check_known(seat)
        return observation_of(self._states, 0, seat, version)

    def write_observation(self, seat: int, out: np.ndarray[Any, Any]) -> None:
        """Write what `seat` knows into `out`: (OBSERVATION_SIZE,) int8, contiguous."""
        self._check_known(seat)
        doors.observe_game(self._states, 0, seat, as_row(out, OBSERVATION_SIZE))

    def roll_weights(self) -> tuple[int, ...]:
        """The weight of each outcome of the next roll, (first - 1) * 6 + second - 1; 0: impossible.

        Fair dice give 1 to each. Its chance is its share of their sum. After the roll, and in a
        view, it is the roll of the seat whose turn follows; all that it depends on is public.

        >>> from catan_env import Game
        >>> game = Game(seats=2, seed=1, rules="colonist_1v1")
        >>> set(game.roll_weights())
        {250}
        """
        weights = np.zeros(OUTCOMES, np.int64)
        doors.write_dice_weights(self._states, 0, weights)
        return tuple(weights.tolist())

    def refusal_of_roll(self, code: int) -> str | None:
        """Return why balanced dice cannot give an outcome, by its code, now; None if they can."""
        if not self.rules.balanced_dice or self.roll_weights()[code]:
            return None
        return "the balanced dice cannot give it now (C213)"

    def refusal(self, action: Action | int) -> str | None:
        """Return why an action, or a flat index, is refused now, or None if it is legal."""
        if self.is_over:
            return self._ending()
        if not isinstance(action, Action):
            return self._refusal_of_index(action)
        return None if self._is_in_mask(action) else refusal_beyond_mask(self, action)

    def _ending(self) -> str:
        return f"the game is over (seat {self.winner} won)"

    def _refusal_of_index(self, given: int) -> str | None:
        index = action_index(given)
        if not 0 <= index < NUM_ACTIONS:
            return f"allowed are 0..{NUM_ACTIONS - 1} where the action mask is 1"
        if self.in_mask(index):
            return None
        return refusal_beyond_mask(self, Action.from_index(index)) or "it is not in the action mask"

    def _is_legal(self, action: Action) -> bool:
        """True if the rules allow `action` now, also if it is not in the action mask."""
        return self._is_in_mask(action) or is_legal_beyond_mask(self, action)

    def _is_in_mask(self, action: Action) -> bool:
        index = action.index
        return index is not None and self.in_mask(index)

    def in_mask(self, index: int) -> bool:
        """True if the action mask is 1 at a flat index, 0..847."""
        word: int = self._read.mask[WORD_OF[index]]
        return bool(word >> int(BIT_OF[index]) & 1)

    def state_bytes(self) -> bytes:
        """Return the position's whole memory: equal bytes mean equal positions."""
        return self._array.tobytes()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Position):
            return NotImplemented
        return self.state_bytes() == other.state_bytes() and self._rules == other._rules

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return draw(self)

    def _checked_seat(self, seat: int) -> int:
        if isinstance(seat, bool) or not hasattr(seat, "__index__"):
            raise TypeError(f"seat is {seat!r}; allowed are whole numbers")
        if not 0 <= seat < self.seats:
            raise ValueError(f"no seat {seat}; allowed are 0..{self.seats - 1}")
        return seat

    def _check_known(self, seat: int) -> None:
        self._checked_seat(seat)


def as_row(out: np.ndarray[Any, Any], size: int) -> np.ndarray[Any, Any]:
    """Return `out`, (size,) int8, contiguous and writeable, as a row; ValueError otherwise."""
    if not out.flags.writeable:
        raise ValueError("the array is read-only; expected a writeable one")
    if out.dtype != np.int8 or out.shape != (size,) or not out.flags.c_contiguous:
        raise ValueError(
            f"got an array of shape {out.shape} and dtype {out.dtype}; "
            f"expected a contiguous one of shape ({size},) and dtype int8"
        )
    return out.reshape(1, size)


def _row(view: Any, seat: int) -> Counts:
    return as_counts(view[seat, k] for k in range(5))


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else seat
