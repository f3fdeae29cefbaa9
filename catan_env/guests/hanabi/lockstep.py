"""Many games in which one seat of each learns, or every seat: what both vector forms stand on."""

from typing import Any

import numpy as np

from catan_env.guests.hanabi.aec import Options
from catan_env.guests.hanabi.batch import GOES_ON, REFUSED, STAY, Batch
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.policies import Policy, as_policy, decide
from catan_env.guests.hanabi.single import MOST_SEEDS, checked_seat, one_each

Array = np.ndarray[Any, Any]


class Lockstep:
    """N games on a batch; those who do not learn are policies, or random and native.

    Beside games with policies, plain games are kept in step, since a policy wants a game's past.
    `seat` is who learns in each game, or with `self_play` who is to move.
    """

    def __init__(
        self,
        n: int,
        options: Options,
        seat: int | str,
        partners: Any,
        self_play: bool,
        threads: int = 1,
    ) -> None:
        self.options, self.n, self.self_play = options, n, self_play
        self.batch = Batch(
            n, players=options.players, rules=options.rules, autoreset=False, threads=threads
        )
        self._choice = checked_seat(seat, options.players)
        self._partners = one_each(partners, options.players - 1)
        self._is_native = all(partner == "random" for partner in self._partners)
        self._games: list[Game | None] = [None] * n
        self._policies: list[list[Policy]] = [[] for _ in range(n)]
        self._random = [np.random.default_rng() for _ in range(n)]
        self.seat = np.zeros(n, np.int8)
        self.acted = np.zeros(n, np.int8)
        self.rewards = np.zeros(n, np.float32)
        self.ended = np.zeros(n, np.bool_)
        self.reasons: dict[int, str] = {}

    def begin(self, rows: Any, seeds: list[int | None]) -> None:
        """Begin the games `rows` anew; a game without a seed draws one.

        One that partners ended before the seat's first turn is dealt again.
        """
        rows = list(rows)
        while rows:
            for i in rows:
                self._begin(i, seeds[i])
            self._let_partners_play(np.isin(np.arange(self.n), rows))
            rows = [i for i in rows if self.ended[i]]
            seeds = [None] * self.n
        self.batch.refresh()

    def step(self, actions: Array) -> None:
        """Play an action in each game, then the partners' up to the next one asked for."""
        batch = self.batch
        self.acted[:] = batch.seat
        self.reasons = {}
        before = self._scores()
        batch.play(actions)
        self.rewards[:] = batch.rewards[:, 0]
        self.ended[:] = batch.done != GOES_ON
        for i in np.flatnonzero(batch.done == REFUSED).tolist():
            self._refuse(i, int(actions[i]), before[i])
        self._follow(actions, batch.done == GOES_ON)
        self._let_partners_play(~self.ended)
        for i in np.flatnonzero(self.ended).tolist():
            self.reasons.setdefault(i, self._reason(i))
        batch.refresh()

    def observations(self) -> Array:
        """What the seats that are asked know: a fresh array."""
        return self.batch.observe(self.seat)

    def masks(self) -> Array:
        """Their legal actions, int8, zeros where a game is over: a fresh array."""
        assert self.batch.action_masks is not None
        return self.batch.action_masks * (~self.ended[:, None]).astype(np.int8)

    def score(self, i: int) -> int:
        """What game i is worth as it stands."""
        return int(self._scores()[i])

    def _begin(self, i: int, seed: int | None) -> None:
        if seed is not None:
            self._random[i] = np.random.default_rng(seed)
        draw = self._random[i].integers
        self.batch.begin(i, int(draw(MOST_SEEDS)) if seed is None else seed)
        self.ended[i] = False
        players = self.options.players
        self.seat[i] = draw(players) if self._choice == "random" else self._choice
        if self.self_play:
            self.seat[i] = 0
        elif not self._is_native:
            self._games[i] = self.batch.game(i)
            self._policies[i] = [as_policy(p, int(draw(MOST_SEEDS))) for p in self._partners]

    def _follow(self, actions: Array, rows: Array) -> None:
        if not self._is_native:
            for i in np.flatnonzero(rows).tolist():
                game = self._games[i]
                if game is not None and actions[i] != STAY:
                    game.play(int(actions[i]))

    def _let_partners_play(self, rows: Array) -> None:
        """Play on in these games until the seat that learns is to move, or the game is over."""
        batch = self.batch
        if self.self_play:
            self.seat[rows] = batch.seat[rows]
            return
        while (waits := rows & ~self.ended & (batch.seat != self.seat)).any():
            actions = self._answers(waits)
            batch.play(actions)
            self.rewards += batch.rewards[:, 0]
            self.ended |= batch.done != GOES_ON
            self._follow(actions, waits)

    def _answers(self, waits: Array) -> Array:
        if self._is_native:
            return np.where(waits, self.batch.sample_legal(), STAY)
        actions = np.full(self.n, STAY)
        for i in np.flatnonzero(waits).tolist():
            game = self._games[i]
            assert game is not None
            place = int(game.seat - self.seat[i]) % self.options.players - 1
            actions[i] = decide(self._policies[i][place], game.view(game.seat))
        return actions

    def _refuse(self, i: int, action: int, before: int) -> None:
        if self.options.illegal == "raise":
            raise IllegalActionError(f"the rules do not allow action {action} in game {i} now")
        self.rewards[i] = -before
        self.reasons[i] = f"illegal action: the rules do not allow {action} now"

    def _reason(self, i: int) -> str:
        state, rules = self.batch.states[i], self.options.table_rules
        if state["mistakes"] == rules.errors:
            return "last error"
        return "last turn" if state["turns_left"] == 0 else "complete"

    def _scores(self) -> Array:
        states, rules = self.batch.states, self.options.table_rules
        keeps = rules.score_after_explosion == "kept"
        alive = (states["mistakes"] < rules.errors) | keeps
        return np.where(alive, states["points"], 0)
