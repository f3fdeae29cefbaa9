"""Rows of the guest Hanabi, and of OpenSpiel and PettingZoo if they are installed."""

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.ours import ENVIRONMENT, LOCKSTEP, SETTLE, WITH_OBSERVATIONS
from benchmarks.report import HANABI_STATE
from benchmarks.rows import Row, Work, until
from catan_env.guests.hanabi.batch import Batch

GAMES = 1024
PLAYERS = 2
STEPS = 32


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Two players in 1,024 games, whatever the sizes of the others."""
    yield lockstep(observed=False)
    yield lockstep(observed=True)
    for library, row in (("pyspiel", openspiel), ("pettingzoo.classic.hanabi_v5", pettingzoo)):
        try:
            yield row(import_module(library))
        except ImportError:
            print(f"missing: {library}, its Hanabi row is left out")


def lockstep(observed: bool) -> Row:
    """Our batch with uniformly random play."""
    batch = Batch(GAMES, players=PLAYERS, seed=1, observations=observed, action_masks=observed)
    step = batch.step if observed else batch.play
    for _ in range(SETTLE):
        batch.play(batch.sample_legal())

    def some() -> Work:
        games = 0
        for _ in range(STEPS):
            step(batch.sample_legal())
            games += int(np.count_nonzero(batch.done))
        return Work(STEPS * GAMES, games)

    form = WITH_OBSERVATIONS if observed else LOCKSTEP
    return row_of("catan_env hanabi", form, GAMES, observed, some)


def openspiel(pyspiel: Any) -> Row:
    """OpenSpiel's states from Python; chance outcomes are drawn by their probabilities."""
    game, rng = pyspiel.load_game("hanabi", {"players": PLAYERS}), random.Random(1)

    def some() -> Work:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state.chance_outcomes(), rng.random()))
                continue
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return Work(decisions, 1)

    return row_of("OpenSpiel hanabi", HANABI_STATE, 1, False, some)


def drawn(outcomes: list[tuple[int, float]], share: float) -> int:
    """The outcome at the quantile `share` of the cumulative probabilities."""
    for outcome, weight in outcomes:
        share -= weight
        if share < 0:
            return outcome
    return outcomes[-1][0]


def pettingzoo(hanabi_v5: Any) -> Row:
    """PettingZoo's AEC environment, with observation and mask of every step."""
    environment, rng = hanabi_v5.env(players=PLAYERS), random.Random(1)
    seeds = iter(range(1 << 30))

    def some() -> Work:
        environment.reset(seed=next(seeds))
        decisions = 0
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            environment.step(int(legal[int(rng.random() * len(legal))]))
            decisions += 1
        return Work(decisions, 1)

    return row_of("PettingZoo hanabi_v5", ENVIRONMENT, 1, True, some)


def row_of(engine: str, form: str, games: int, observed: bool, some: Callable[[], Work]) -> Row:
    """A row of this game, which has no trade."""
    return Row(engine, form, games, False, observed, lambda seconds: until(seconds, some))
