"""Policies of all games by name."""

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from catan_env import Game
from catan_env.adapters.contest import play_game, play_games
from catan_env.adapters.named import named_policy
from catan_env.adapters.policies import ByArrays, Random, batched_choice
from catan_env.arena.match import Match
from catan_env.batch import Batch
from catan_env.failure import PolicyError
from catan_env.guests.hanabi.policies import load_policy as hanabi
from catan_env.guests.renaissance import Game as Solo
from catan_env.guests.renaissance.agent import Agent
from catan_env.guests.renaissance.policies import load_policy as renaissance
from catan_env.policy import as_policy, decide, load_batched
from catan_env.policy import load_policy as catan
from catan_env.text import TextPolicy
from examples.fourth_game import Options as Dice
from examples.fourth_game import load as fourth

THREE = 3


class Inert:
    """A class that is not a policy: it has no `act`."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed


@pytest.mark.parametrize("load", [catan, hanabi, renaissance])
@pytest.mark.parametrize("name", ["Inert", "THREE"])
def test_what_cannot_act_is_not_a_policy(load: Callable[[str], Any], name: str) -> None:
    with pytest.raises(ValueError, match=rf"policy '{__name__}:{name}': .* is not a policy"):
        load(f"{__name__}:{name}")


@pytest.mark.parametrize("load", [catan, hanabi, renaissance, fourth])
@pytest.mark.parametrize("name", ["nobody", ":Class", "module:", ""])
def test_a_name_that_is_unknown_is_refused_with_the_known_ones(
    load: Callable[[str, int], Any], name: str
) -> None:
    refused = rf"^unknown policy '{name}'; allowed are random, .*module:Class and a weights file"
    with pytest.raises(ValueError, match=refused):
        load(name, 0)


@pytest.mark.parametrize("load", [hanabi, renaissance, fourth])
@pytest.mark.parametrize("name", ["no.such:Class", f"{__name__}:Missing"])
def test_a_class_that_is_missing_is_refused_with_the_known_names(
    load: Callable[[str, int], Any], name: str
) -> None:
    with pytest.raises(ValueError, match=rf"^policy '{name}': no .*; allowed are random, "):
        load(name, 0)


class ForAll:
    """A policy of many games that raises an error."""

    reads_arrays = False

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error

    def act(self, view: Any) -> int:
        raise self.error

    def choose(self, games: Any, rows: np.ndarray) -> np.ndarray:
        raise self.error


class WithRuns(ForAll):
    """The same for a policy that plays on by itself."""

    def play_runs(self, *given: Any) -> None:
        raise self.error


class Batched(ForAll):
    """The same for a policy that cannot be batched."""

    def batched(self) -> ForAll:
        raise self.error


class Arrays(ForAll):
    """The same for a policy that sees arrays."""

    def act_batch(self, observations: np.ndarray, action_masks: np.ndarray) -> np.ndarray:
        raise self.error


@pytest.mark.parametrize("load", [catan, load_batched, hanabi, renaissance, as_policy])
def test_a_policy_s_seed_is_a_number_of_64_bits(load: Callable[[str, Any], Any]) -> None:
    for seed in (np.int64(3), np.uint64(2**64 - 1), np.uint8(3), 2**64 - 1):
        load("random", seed)
    for seed in (1.5, "3", None, True, float("nan")):
        with pytest.raises(TypeError, match=r"^seed is .*; allowed are whole numbers$"):
            load("random", seed)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match=r"^seed is .*; allowed are 0..2\*\*64 - 1$"):
            load("random", seed)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_a_numpy_seed_is_the_same_seed(kind: Any) -> None:
    view = Game(2, seed=1).view(0)
    assert catan("random", kind(2**62)).act(view) == catan("random", 2**62).act(view)
    batch, rows = Batch(8, seats=2, seed=3), np.arange(8)
    ours = [load_batched("builder", seed).choose(batch, rows) for seed in (kind(2**62), 2**62)]
    assert (ours[0] == ours[1]).all()


def test_the_games_of_the_greatest_seed_have_policies() -> None:
    batch, rows = Batch(2, seats=2, seed=2**64 - 1), np.arange(2)
    assert len(load_batched("builder", 2**64 - 1).choose(batch, rows)) == 2
    assert Match(("builder", "random"), seed=2**64 - 1, max_turns=5).play(0).winner is None


WAYS: dict[str, Callable[[type[BaseException]], Any]] = {
    "a view": lambda error: play_game(Game(2, seed=1), [ForAll(error)] * 2, decide),
    "games": lambda error: play_games(Batch(2, seats=2), [ForAll(error)], np.zeros((2, 2), int)),
    "runs": lambda error: play_games(Batch(2, seats=2), [WithRuns(error)], np.zeros((2, 2), int)),
    "its batched form": lambda error: batched_choice(Batched(error), 0, as_policy, decide),
    "arrays": lambda error: ByArrays(Arrays(error)).choose(Batch(2, seats=2), np.arange(2)),
    "a guest's agent": lambda error: Agent("ann", ForAll(error), 1)._choose(Solo(1, 1).view(0)),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_policy_that_exits_has_failed(way: str) -> None:
    with pytest.raises(PolicyError, match=rf"^policy {__name__}:\w+ failed.*: SystemExit: "):
        WAYS[way](SystemExit)


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_is_no_failure_of_a_policy(way: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        WAYS[way](KeyboardInterrupt)


def test_an_exit_within_this_package_s_code_is_the_policy_s_too() -> None:
    asking = TextPolicy(lambda text: sys.exit(0))
    with pytest.raises(PolicyError, match=r"TextPolicy failed.*: SystemExit: 0"):
        decide(asking, Game(2, seed=1).view(0))


class Biased:
    """A policy with an option of its own."""

    def __init__(self, seed: int, rank: int) -> None:
        self.seed, self.rank = seed, rank

    def act(self, view: Any) -> int:
        return int(view.legal_actions.indices[self.rank])


def test_a_partial_of_a_class_is_made_with_a_seed_of_its_own() -> None:
    policy: Any = as_policy(partial(Biased, rank=-1), 7)
    assert (policy.seed, policy.rank) == (7, -1)
    view = Game(2, seed=1).view(0)
    last = as_policy(partial(lambda rank, view: view.legal_actions.indices[rank], -1), 7)
    assert last.act(view) == policy.act(view)


def test_a_named_policy_may_be_made_by_a_function() -> None:
    def drawn(seed: int) -> Random:
        return Random(seed)

    policy = named_policy("drawn", 3, {"drawn": drawn}, Random)
    assert isinstance(policy, Random)


def test_plain_games_are_played_by_policies_with_names_and_replayed_from_their_seeds() -> None:
    options, n = Dice(), 3
    games = options.new_games(n, 1)
    for i in range(n):
        games.begin(i, 100 + i)
    player = batched_choice("random", 1, options.as_policy, options.decide)
    history = play_games(games, [player], np.zeros((n, 3), int))
    for i in range(n):
        episode = options.new_episode(100 + i)
        for action in history.actions[i, : history.lengths[i]].tolist():
            episode.play(action)
        assert episode.is_over and str(episode.game()) == str(games.game(i))
