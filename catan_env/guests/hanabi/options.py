"""Hanabi's environments: options, rewards and endings; `catan_env.adapters` does the rest."""

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium import spaces

from catan_env.adapters.options import Options as GameOptions
from catan_env.adapters.pasts import Past, WithPast
from catan_env.adapters.plain import PlainEpisode, PlainGames
from catan_env.adapters.seats import OtherSeats
from catan_env.guests.hanabi.action import all_actions
from catan_env.guests.hanabi.batch import Batch
from catan_env.guests.hanabi.errors import IllegalActionError
from catan_env.guests.hanabi.game import Game
from catan_env.guests.hanabi.observation import observation_size
from catan_env.guests.hanabi.permuted import PermutedGame
from catan_env.guests.hanabi.policies import Policy, as_policy
from catan_env.guests.hanabi.policies.network import Network, Shipped
from catan_env.guests.hanabi.remembered import RememberingGame, memory_size
from catan_env.guests.hanabi.rules import Rules, rules_of
from catan_env.kernel.numbers import flag

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, kw_only=True)
class Options(GameOptions):
    """The options of Hanabi's environments; the table in `hanabi.aec` explains them."""

    illegal_error: ClassVar[type[Exception]] = IllegalActionError
    is_paid_on_the_way: ClassVar[bool] = True
    is_reward_shared: ClassVar[bool] = True

    players: int = 2
    rules: Rules | str = "official"
    max_turns: int | None = None
    other_play: bool = False
    memory: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rules", rules_of(self.rules))
        self.table_rules.check_players(self.players)
        flag("other_play", self.other_play)
        flag("memory", self.memory)
        if self.memory and self.other_play:
            raise ValueError("memory and other_play are both set; allowed is one of them")

    @classmethod
    def of(cls, given: dict[str, Any]) -> Self:
        """Options by name; `seats` is another name of `players`."""
        if "seats" in given and "players" not in given:
            given = {"players": given["seats"], **given}
            del given["seats"]
        return super().of(given)

    @property
    def table_rules(self) -> Rules:
        """The rules as an object."""
        assert isinstance(self.rules, Rules)
        return self.rules

    @property
    def num_seats(self) -> int:
        """The number of players."""
        return self.players

    @property
    def num_actions(self) -> int:
        """The number of actions."""
        return len(all_actions(self.table_rules, self.players))

    def vector_space(self) -> spaces.Box:
        """A new observation space, without the mask."""
        size = observation_size(self.table_rules, self.players)
        if self.memory:
            size += memory_size(self.table_rules, self.players)
        return spaces.Box(0, 1, (size,), np.int8)

    def new_game(self, seed: int) -> Game:
        """The game of that seed before its first action."""
        kind = PermutedGame if self.other_play else RememberingGame if self.memory else Game
        return kind(self.players, seed, self.rules)

    def new_episode(self, seed: int) -> PlainEpisode:
        """The game of that seed before its first action."""
        return PlainEpisode(self.new_game(seed), IllegalActionError)

    def new_games(self, n: int, threads: int) -> "HanabiGames | PlainGames":
        """N new games; with a memory or permuted colours they are not native."""
        if self.other_play or self.memory:
            return PlainGames(n, self.num_seats, self.new_episode, self.is_too_long)
        return HanabiGames(n, self, threads)

    def is_too_long(self, episode: PlainEpisode) -> bool:
        """True if the turn limit cuts off a game that is not over."""
        return self.max_turns is not None and len(episode.played.events) >= self.max_turns

    def totals(self, episode: PlainEpisode) -> list[float]:
        """The current score, the same for every seat."""
        return [float(episode.played.score)] * self.players

    def totals_in(self, games: Batch | PlainGames, done: Array) -> Array:
        """Like `totals` for each of the games: (n, players) float64."""
        if isinstance(games, PlainGames):
            return np.array([self.totals(episode) for episode in games.episodes], np.float64)
        return np.repeat(self._scores(games.states)[:, None], self.players, axis=1).astype(
            np.float64
        )

    def reason(self, episode: PlainEpisode, seat: int) -> str:
        """The reason a game ended: "last error", "last turn" or "complete"."""
        game = episode.played
        return _reason(game.has_exploded, game.turns_left == 0)

    def reason_in(self, games: Batch | PlainGames, i: int, seat: int) -> str:
        """Like `reason`, for game i."""
        if isinstance(games, PlainGames):
            return self.reason(games.episodes[i], seat)
        state = games.states[i]
        return _reason(state["mistakes"] == self.table_rules.errors, state["turns_left"] == 0)

    def end_info(self, episode: PlainEpisode) -> dict[str, Any]:
        """The score."""
        return {"score": episode.played.score}

    def end_info_in(self, games: Batch | PlainGames, i: int) -> dict[str, Any]:
        """The score of game i."""
        if isinstance(games, PlainGames):
            return self.end_info(games.episodes[i])
        return {"score": int(self._scores(games.states[i]))}

    def as_policy(self, choice: Any, seed: int) -> Policy:
        """A policy from its name, its class or itself; ValueError if it is for another table."""
        policy = as_policy(choice, seed)
        if isinstance(policy, (Network, Shipped)):
            policy.check_table(self.table_rules, self.players)
        return policy

    def _scores(self, states: Array) -> Array:
        """The score of a block of memory, or of each of several."""
        rules = self.table_rules
        is_kept = rules.score_after_explosion == "kept"
        scores: Array = states["points"] * ((states["mistakes"] < rules.errors) | is_kept)
        return scores


def _reason(has_exploded: bool, is_last_turn: bool) -> str:
    if has_exploded:
        return "last error"
    return "last turn" if is_last_turn else "complete"


class HanabiGames(WithPast, Batch):
    """Games in lockstep that policies can follow from the start."""

    def __init__(self, n: int, options: Options, threads: int) -> None:
        self.past = Past(n, options.new_game)
        self.most_actions = options.max_turns
        super().__init__(
            n, players=options.players, rules=options.rules, autoreset=False, threads=threads
        )


class Partners(OtherSeats):
    """The other seats' players are partners."""

    others = "partners"

    def __init__(self, *given: Any, **options: Any) -> None:
        if "opponents" in options:
            raise TypeError("unknown option opponents; here the other seats are partners=")
        super().__init__(*given, **options)

    @property
    def partners(self) -> Any:
        """The policies of the other seats; they can be replaced at any time."""
        return self.opponents

    @partners.setter
    def partners(self, partners: Any) -> None:
        self.opponents = partners
