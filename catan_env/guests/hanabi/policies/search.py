"""`search`: one-step search over `best`, its blueprint.

It draws hands of its own that agree with what it sees, with the meaning of all hints and with the
others' last actions, plays each legal action in each of these worlds, and then has every seat play
by `best` to the end of the game. It takes the action of the greatest mean score, or that of `best`
unless another one is clearly better. The idea is that of SPARTA (Lerer et al. 2020, "Improving
policies via search in cooperative partially observable games"): one seat searches, and the others
play by the blueprint.
"""

from typing import Any

import numpy as np

from catan_env.adapters.paired import Race, check_budget
from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.blueprint import doors, warm
from catan_env.guests.hanabi.blueprint.memory import PICTURE, block_of
from catan_env.guests.hanabi.blueprint.past import Past
from catan_env.guests.hanabi.blueprint.view import game_of
from catan_env.guests.hanabi.game import random_word
from catan_env.guests.hanabi.native.memory import GAME, MOST_CARDS, PLACES
from catan_env.guests.hanabi.native.sheet import sheet_of
from catan_env.guests.hanabi.observation import card_index
from catan_env.guests.hanabi.policies.best import Best
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.view import SeatView
from catan_env.kernel.memory import doorway, new_blocks

Array = np.ndarray[Any, Any]
PLAYOUTS = 4000
RACE = Race(worlds=20, dropped=3.0, clearly=2.5)
"""The usual action is that of `best`."""
SIGNED = 1 << 63


class Search:
    """The searching player: at most `playouts` per decision, and about `seconds` of time."""

    def __init__(
        self, seed: int = 0, playouts: int = PLAYOUTS, seconds: float | None = None
    ) -> None:
        check_budget(playouts, seconds)
        self.playouts, self.seconds = playouts, seconds
        self._seed, self._best, self._past = seed, Best(seed), Past()
        warm.ready()

    def act(self, view: SeatView) -> int:
        """The number of the chosen action."""
        usual = self._best.act(view)
        self._past.follow(view, self._best.picture)
        actions = self._candidates(view, usual)
        if len(actions) < 2:
            return usual
        rehearsal = Rehearsal(view, self._best, self._past)
        seed = random_word(self._seed, len(view.events)) % SIGNED

        def play(alive: Array, played: int) -> Array:
            worlds = rehearsal.worlds(RACE.worlds, (seed + played) % SIGNED)
            return rehearsal.scores(worlds, actions[alive])

        place = int(np.argmax(actions == usual))
        return int(actions[RACE.best_of(len(actions), place, play, self.playouts, self.seconds)])

    def _candidates(self, view: SeatView, usual: int) -> Array:
        """The legal actions without hints from which a partner would conclude something false."""
        every = view.legal_actions.indices.tolist()
        table = all_actions(view.rules, view.players)
        hints = self._best.hints() if view.tokens else []
        allowed = {number_of(view, hint.action) for hint in hints if self._best.is_true(hint)} | {
            usual
        }
        return np.array([k for k in every if not table[k].is_hint or k in allowed])


def searching(playouts: int) -> type[Search]:
    """The searching player with at most that many playouts per decision."""

    class Budgeted(Search):
        """A searching player that is made from its seed alone."""

        def __init__(self, seed: int = 0) -> None:
            super().__init__(seed, playouts)

    return Budgeted


class Rehearsal:
    """Playouts from a seat's view, with the picture of `best` there."""

    def __init__(self, view: SeatView, best: Best, past: Past) -> None:
        self._sheet = doorway(sheet_of(view.rules, view.players))
        self._base, self._picture = doorway(game_of(view)), doorway(block_of(best.picture))
        self._games, self._pictures = doorway(new_blocks(1, GAME)), doorway(new_blocks(1, PICTURE))
        self._past = past.blocks()
        self._left = np.zeros(MOST_CARDS, np.int64)
        for card, n in best.left.items():
            self._left[card_index(view.rules, card)] = n
        slots = best.picture.hands[view.viewer]
        self._masks, self._hints = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.int64)
        for place, slot in enumerate(slots):
            self._masks[place], self._hints[place] = best.mine(place), slot.hinted

    def worlds(self, n: int, seed: int) -> Array:
        """The unknown cards in n ways: (n, most cards) int64, the hand and then the deck."""
        worlds = np.zeros((n, MOST_CARDS), np.int64)
        doors.draw_worlds(
            self._games, self._pictures, self._base, self._sheet, self._masks, self._hints,
            self._left, *self._past, seed, worlds, 0, n,
        )  # fmt: skip
        return worlds

    def scores(self, worlds: Array, actions: Array) -> Array:
        """The final scores after each of the actions, (m,), in each world: (n, m) int8."""
        scores = np.zeros((len(worlds), len(actions)), np.int8)
        wanted = np.ascontiguousarray(actions, np.int64)
        doors.try_actions(
            self._games, self._pictures, self._base, self._picture, self._sheet, worlds, wanted,
            scores, 0, len(worlds),
        )  # fmt: skip
        return scores
