"""This package's rows."""

import random
from collections.abc import Iterator

import numpy as np

import catan_env
from benchmarks.rows import Row, Work, until
from catan_env.batch import Batch, play_out
from catan_env.game.rules import Rules

LOCKSTEP = "lockstep: packed masks, uniform pick, step with reset"
WITH_OBSERVATIONS = "lockstep, with observation and byte mask of every step"
WHOLE_GAMES = "whole random games, one after another"
ONE_GAME = "one game object: list the legal actions, pick, play"
ENVIRONMENT = "environment loop: last, pick, step"

WITHOUT_TRADE = Rules("base without trade between seats", player_trade=False)
SETTLE = 3000  # steps before the clock runs, so that games of every age are included


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Every form of this engine, at every number of games."""
    for trade in (True, False):
        for n in sizes:
            yield lockstep(n, trade, observed=False)
            yield lockstep(n, trade, observed=True)
        yield whole_games(trade)
        yield one_game(trade)
    yield environment()


def rules_for(trade: bool) -> Rules:
    """The rulebook's rules, with or without trade between seats."""
    return Rules.base() if trade else WITHOUT_TRADE


def lockstep(n: int, trade: bool, observed: bool) -> Row:
    """N games in lockstep."""
    batch = Batch(n, rules=rules_for(trade), observations=observed, action_masks=observed)
    for _ in range(SETTLE):
        batch.play(batch.sample_legal())
    batch.refresh()
    step = batch.step if observed else batch.play

    def some() -> Work:
        games = 0
        for _ in range(max(4096 // n, 1) * 8):
            step(batch.sample_legal())
            games += int(np.count_nonzero(batch.done))
        return Work(max(4096 // n, 1) * 8 * n, games)

    form = WITH_OBSERVATIONS if observed else LOCKSTEP
    return Row("catan_env", form, n, trade, observed, lambda seconds: until(seconds, some))


def whole_games(trade: bool) -> Row:
    """Native play-out."""
    seeds = iter(range(1, 1 << 30))

    def some() -> Work:
        result = play_out(200, rules=rules_for(trade), seed=next(seeds))
        return Work(result.total_decisions, result.games)

    return Row("catan_env", WHOLE_GAMES, 1, trade, False, lambda seconds: until(seconds, some))


def one_game(trade: bool) -> Row:
    """`Game.play` with random legal actions."""
    rng = random.Random(1)
    seeds = iter(range(1 << 30))

    def some() -> Work:
        game = catan_env.Game(seed=next(seeds), rules=rules_for(trade))
        decisions = forced = 0
        while not game.is_over:
            legal = game.legal_actions.indices
            game.play(int(legal[int(rng.random() * len(legal))]))
            decisions += 1
            forced += len(legal) == 1
        return Work(decisions, 1, forced)

    return Row("catan_env", ONE_GAME, 1, trade, False, lambda seconds: until(seconds, some))


def environment() -> Row:
    """The PettingZoo AEC environment."""
    env = catan_env.raw_env()
    rng = random.Random(1)
    seeds = iter(range(1 << 30))

    def some() -> Work:
        env.reset(seed=next(seeds))
        decisions = 0
        while env.agents:
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(rng.random() * len(legal))]))
            decisions += 1
        return Work(decisions, 1)

    return Row("catan_env", ENVIRONMENT, 1, True, True, lambda seconds: until(seconds, some))
