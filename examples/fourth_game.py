"""A game in plain Python with its environments (docs/tutorials/guest.md).

Three players hold a hidden die each. On its turn a player rolls its own die again, or knocks: then
each other player may roll once more, and the highest die wins; in a tie, the first one from the
knocker.
"""

import copy
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
from gymnasium import spaces

from catan_env.adapters.aec import GameAEC
from catan_env.adapters.endings import LOSS, WIN
from catan_env.adapters.flat_network import FlatNetwork
from catan_env.adapters.learning import LearningBatch
from catan_env.adapters.many import ManyGames
from catan_env.adapters.named import named_policy
from catan_env.adapters.one_seat import OneSeatEnv
from catan_env.adapters.options import PlainOptions
from catan_env.adapters.plain import PlainEpisode
from catan_env.adapters.policies import Policy, Random, policy_of

SEATS, FACES = 3, 6
ROLL, KNOCK, KEEP = range(3)


class Game:
    """A game in progress, including everything hidden."""

    def __init__(self, seed: int | None = None) -> None:
        self._chance = np.random.default_rng(seed)
        self.dice = self._chance.integers(1, FACES + 1, SEATS).tolist()
        self.seat, self.turn, self.knocker = 0, 1, -1

    @property
    def is_over(self) -> bool:
        """True when it is the knocker's turn again."""
        return self.seat == self.knocker

    @property
    def winner(self) -> int:
        """The seat with the highest die, the first from the knocker in a tie; -1 before the end."""
        order = [(self.knocker + k) % SEATS for k in range(SEATS)]
        return max(order, key=self.dice.__getitem__) if self.is_over else -1

    @property
    def action_mask(self) -> np.ndarray:
        """Roll, knock, keep: knocking is possible before the knock, keeping after it."""
        before, after = self.knocker < 0, self.knocker >= 0 and not self.is_over
        return np.array([before or after, before, after], np.int8)

    def play(self, action: int) -> None:
        """Play an action; ValueError if it is illegal."""
        if not 0 <= action < 3 or not self.action_mask[action]:
            raise ValueError(f"seat {self.seat} cannot play {action} in turn {self.turn}")
        if action == ROLL:
            self.dice[self.seat] = int(self._chance.integers(1, FACES + 1))
        elif action == KNOCK:
            self.knocker = self.seat
        self.seat, self.turn = (self.seat + 1) % SEATS, self.turn + 1

    def observe(self, seat: int) -> np.ndarray:
        """The seat's own die, and the distance to the knocker: one-hot, (9,) int8."""
        known = np.zeros(FACES + SEATS, np.int8)
        known[self.dice[seat] - 1] = 1
        if self.knocker >= 0:
            known[FACES + (self.knocker - seat) % SEATS] = 1
        return known

    def view(self, seat: int) -> SimpleNamespace:
        """The information of a seat, for a policy."""
        mask = self.action_mask if seat == self.seat else np.zeros(3, np.int8)
        return SimpleNamespace(
            die=self.dice[seat],
            knocker=self.knocker,
            observation=self.observe(seat),
            action_mask=mask,
        )

    def copy(self) -> "Game":
        """A game with the same past and the same future."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        knocked = f"seat {self.knocker} knocked" if self.knocker >= 0 else "no seat knocked"
        dice = ", ".join(map(str, self.dice))
        return f"Turn {self.turn}: seat {self.seat} acts, {knocked}, dice {dice}"


def network(path: str) -> Policy:
    """The policy in a weights file of `training.self_play`."""
    return FlatNetwork(path, FACES + SEATS, Options.num_actions, game=Options.game_name)


def load(name: str, seed: int) -> Policy:
    """A policy by its name, as "module:Class", or from a weights file."""
    return named_policy(name, seed, {"random": Random}, network)


@dataclass(frozen=True, kw_only=True)
class Options(PlainOptions):
    """The options of the environments."""

    game_name = "dice"
    max_turns: int | None = 100
    num_seats = SEATS  # type: ignore[assignment]
    num_actions = 3

    def vector_space(self) -> spaces.Box:
        return spaces.Box(0, 1, (FACES + SEATS,), np.int8)

    def new_episode(self, seed: int) -> PlainEpisode:
        return PlainEpisode(Game(seed), ValueError)

    def is_too_long(self, episode: PlainEpisode) -> bool:
        return self.max_turns is not None and episode.played.turn > self.max_turns

    def totals(self, episode: PlainEpisode) -> list[float]:
        winner = episode.played.winner
        return [0.0 if winner < 0 else 1.0 if winner == s else -0.5 for s in range(SEATS)]

    def reason(self, episode: PlainEpisode, seat: int) -> str:
        return WIN if seat == episode.played.winner else LOSS

    def as_policy(self, choice: Any, seed: int) -> Any:
        return policy_of(choice, seed, load)


METADATA = {"name": "dice_v0", "render_modes": list(Options.render_modes), "render_fps": 2}


class DiceAEC(GameAEC):
    kind, metadata = Options, {**METADATA, "is_parallelizable": False}


class DiceEnv(OneSeatEnv):
    kind, metadata = Options, METADATA


class DiceVectorEnv(ManyGames):
    kind = Options


def batch(num_games: int, *, seed: int = 0, threads: int = 1, **options: Any) -> LearningBatch:
    """The batch for `training.self_play`: `env = "examples.fourth_game:batch"`."""
    return LearningBatch(Options.of(options), num_games, seed, threads)


if __name__ == "__main__":
    environment = DiceEnv(seat=0)
    mask = environment.reset(seed=7)[0]["action_mask"]
    while mask.any():
        observation, reward, _, _, info = environment.step(int(mask.argmax()))
        mask = observation["action_mask"]
    print(f"{info['reason']}: {reward}")
