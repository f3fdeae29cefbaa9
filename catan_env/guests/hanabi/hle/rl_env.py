"""`rl_env` of the Hanabi Learning Environment: `make`, `HanabiEnv` and `Agent`.

Observations, legal moves, rewards and ends are those of that library, move by move; the decks of a
seed are not. Instead of the library's own object, `pyhanabi` of an observation is a `SeatView`.

Two options are added to `config`. With `sad`, `step` takes a second action, the greedy one of the
player that moves, and the vector of each observation ends with the section of a last action that
describes it, as in Hu and Foerster (2019), "Simplified action decoder". With `other_play`, every
player sees the colours under a permutation of its own, drawn for each game, as in Hu et al. (2020),
"Other-play for zero-shot coordination".
"""

from collections.abc import Sequence
from random import Random, SystemRandom
from typing import Any

from catan_env.guests.hanabi.action import Action, all_actions
from catan_env.guests.hanabi.cards import LETTERS, Card
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.game import LIMIT, Game, random_word
from catan_env.guests.hanabi.hle.moves import MOVE_TYPES, Move, from_move, to_card, to_hint, to_move
from catan_env.guests.hanabi.observation import sections
from catan_env.guests.hanabi.permuted import PermutedGame
from catan_env.guests.hanabi.position import number_of
from catan_env.guests.hanabi.rules import Rules
from catan_env.guests.hanabi.view import SeatView

MINIMAL, CARD_KNOWLEDGE = 0, 1
SIZES = ("colors", "ranks", "hand_size", "max_information_tokens", "max_life_tokens")
SMALL = {"hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}
CONFIGS: dict[str, dict[str, Any]] = {
    "Hanabi-Full": {},
    "Hanabi-Full-CardKnowledge": {},
    "Hanabi-Full-Minimal": {"observation_type": MINIMAL},
    "Hanabi-Small": {"colors": 2, **SMALL},
    "Hanabi-Very-Small": {"colors": 1, **SMALL},
}
OPTIONS = (*SIZES, "players", "observation_type", "seed", "random_start_player", "sad",
           "other_play")  # fmt: skip


def make(
    environment_name: str = "Hanabi-Full", num_players: int = 2, pyhanabi_path: str | None = None
) -> "HanabiEnv":
    """An environment by name; there is no library to be found at `pyhanabi_path`."""
    if environment_name not in CONFIGS:
        raise ValueError(f"Unknown environment {environment_name}; known are {', '.join(CONFIGS)}")
    return HanabiEnv({"players": num_players, **CONFIGS[environment_name]})


class Environment:
    """The base of environments."""

    def reset(self) -> dict[str, Any]:
        """Start a game."""
        raise NotImplementedError

    def step(self, action: Move | int) -> tuple[dict[str, Any], int, bool, dict[str, Any]]:
        """Play a move."""
        raise NotImplementedError


class HanabiEnv(Environment):
    """Games one after the other, with the observations of all players.

    >>> environment = HanabiEnv({"players": 3, "seed": 5})
    >>> observations = environment.reset()
    >>> first = observations["player_observations"][0]
    >>> len(first["vectorized"]), first["legal_moves"][0]
    (956, {'action_type': 'PLAY', 'card_index': 0})
    >>> observations, reward, done, info = environment.step(first["legal_moves"][0])
    """

    def __init__(self, config: dict[str, Any]) -> None:
        unknown = sorted(config.keys() - set(OPTIONS))
        if unknown:
            raise ValueError(f"unknown options {', '.join(unknown)}; known: {', '.join(OPTIONS)}")
        sizes = {name: config[name] for name in SIZES if name in config}
        if sizes.get("hand_size") == -1:
            del sizes["hand_size"]
        self.rules = Rules(**sizes)
        self.players = self.rules.check_players(config.get("players", 2))
        self.observation_type = config.get("observation_type", CARD_KNOWLEDGE)
        if self.observation_type not in (MINIMAL, CARD_KNOWLEDGE):
            raise ValueError(f"observation_type is {self.observation_type}; allowed are 0 and 1")
        seed = config.get("seed", -1)
        self._seed = SystemRandom().randrange(LIMIT) if seed == -1 else seed
        self._starts_anywhere = bool(config.get("random_start_player", False))
        self.sad, self.other_play = bool(config.get("sad")), bool(config.get("other_play"))
        self._games = 0

    def reset(self, deck: Sequence[Card] | None = None) -> dict[str, Any]:
        """The observations of a new game's first position; `deck` replaces the shuffled one."""
        seed = self._seed if not self._games else random_word(self._seed, self._games)
        self._games += 1
        kind = PermutedGame if self.other_play else Game
        self.state = kind(self.players, seed, self.rules, deck)
        self._start = Random(seed).randrange(self.players) if self._starts_anywhere else 0
        self._greedy: Game | None = None
        return self._observations()

    def step(
        self, action: Move | int, greedy_action: Move | int | None = None
    ) -> tuple[dict[str, Any], int, bool, dict[str, Any]]:
        """Play a move; AssertionError if it is illegal."""
        if self.sad:
            self._greedy = self.state.copy()
            self._play(self._greedy, action if greedy_action is None else greedy_action)
        before = self.state.score
        self._play(self.state, action)
        return self._observations(), self.state.score - before, self.state.is_over, {}

    def num_moves(self) -> int:
        """The number of moves, legal or not."""
        return len(all_actions(self.rules, self.players))

    def vectorized_observation_shape(self) -> list[int]:
        """The length of the vector, in a list."""
        place = sections(self.rules, self.players)
        last = place["last_action"]
        size = last.stop if self.observation_type == MINIMAL else place["knowledge"].stop
        return [size + self.sad * (last.stop - last.start)]

    def _play(self, game: Game, move: Move | int) -> None:
        action: Action | int = from_move(move) if isinstance(move, dict) else int(move)
        try:
            game.play(action)
        except IllegalActionError as error:
            raise AssertionError(f"Illegal action: {error}") from None

    def _observations(self) -> dict[str, Any]:
        seats = [(player - self._start) % self.players for player in range(self.players)]
        return {
            "player_observations": [self._observation(seat) for seat in seats],
            "current_player": self._current(),
        }

    def _current(self) -> int:
        return (self.state.seat + self._start) % self.players

    def _observation(self, seat: int) -> dict[str, Any]:
        view = self.state.view(seat)
        order = [(seat + step) % self.players for step in range(self.players)]
        hides = self.observation_type == MINIMAL
        nothing = {"color": None, "rank": None}
        legal = _moves_of(view)
        return {
            "current_player": self._current(),
            "current_player_offset": (view.seat - seat) % self.players,
            "life_tokens": view.lives,
            "information_tokens": view.tokens,
            "num_players": self.players,
            "deck_size": view.deck_size,
            "fireworks": dict(zip(LETTERS, view.tops, strict=False)),
            "legal_moves": [to_move(action) for action in legal],
            "legal_moves_as_int": [number_of(view, action) for action in legal],
            "observed_hands": [[to_card(card) for card in view.hands[s]] for s in order],
            "discard_pile": [to_card(card) for card in view.discards],
            "card_knowledge": [
                [nothing.copy() if hides else to_hint(known) for known in view.knowledge[s]]
                for s in order
            ],
            "vectorized": self._vector(view),
            "pyhanabi": view,
        }

    def _vector(self, view: SeatView) -> list[int]:
        place = sections(self.rules, self.players)
        bits: list[int] = view.observation.tolist()
        if self.observation_type == MINIMAL:
            bits = bits[: place["last_action"].stop]
        if not self.sad:
            return bits
        if self._greedy is None:
            return bits + [0] * (place["last_action"].stop - place["last_action"].start)
        greedy: list[int] = self._greedy.observe(view.viewer)[place["last_action"]].tolist()
        return bits + greedy


def _moves_of(view: SeatView) -> list[Action]:
    """The legal moves; at the end of a game those that it would allow if it continued."""
    view.is_over, is_over = False, view.is_over
    moves = list(view.legal_actions)
    view.is_over = is_over
    return moves


class Agent:
    """The base of agents: `act` returns a move, or None when another player is to move."""

    def __init__(self, config: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError

    def reset(self, config: dict[str, Any]) -> None:
        """Prepare for another game."""
        raise NotImplementedError

    def act(self, observation: dict[str, Any]) -> Move | None:
        """A move."""
        raise NotImplementedError


__all__ = ["MOVE_TYPES", "Agent", "Environment", "HanabiEnv", "make"]
