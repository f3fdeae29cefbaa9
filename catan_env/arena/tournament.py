"""The settings of games between agents' processes, over the server of the binary protocol."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from pathlib import Path
from typing import Any

from catan_env.arena.commands import WAIT, name_of, words_of
from catan_env.arena.renamed import renamed
from catan_env.arena.sandbox import Sandbox, check_command, check_level
from catan_env.arena.schedule import board_number, entrants_by_seat, games_per_board
from catan_env.arena.seating import GameRoom, Seating, Start
from catan_env.game.chance import derived, new_secret
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.framing import Connection
from catan_env.net.packed import ByteOrder
from catan_env.policy import check_policy, decide, load_policy
from catan_env.protocols.catan_binary.messages import BinaryCodec, Message
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom

BY_TABLE = ("pips", "random")
"""Built-in placements; any other name is a policy."""


@dataclass(frozen=True)
class Tournament:
    """The games of a server; `commands` are the agents' command lines, in order."""

    commands: tuple[str, ...]
    host: str = "127.0.0.1"
    seed: int | None = None
    """Seed of the first board and its chance; each further one adds 1: agents can predict both.
    None: boards and chance come from `secret`."""
    settings: Settings = field(default_factory=Settings)
    placement: str = "pips"
    byte_order: ByteOrder = "big"
    log_dir: Path | None = None
    """The folder for the agents' output: none by default."""
    record_dir: Path | None = None
    """The folder for the games' records: by default next to the agents' output."""
    rotate: bool = False
    paired: bool = False
    """True if each board is played in every rotation in which the seats differ."""
    patience: float = 20.0
    """Seconds in which a started agent must connect."""
    given_names: tuple[str, ...] = ()
    sandbox: Sandbox = field(default_factory=Sandbox)
    secret: bytes = field(default_factory=new_secret, repr=False)
    """The secret from which those of every board and every game's chance are derived."""

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names in tables and records: those given, or derived from their commands.

        >>> Tournament(("catan-env agent --policy builder", "python3 ./mine.py --seed 1")).names
        ('builder', 'mine')
        """
        return self.given_names or tuple(map(name_of, self.commands))

    @property
    def max_turns(self) -> int:
        """The limit of turns per game, 0 for none."""
        return self.settings.max_turns

    def check(self) -> None:
        """Raise ValueError if no game could be played."""
        if not 2 <= len(self.commands) <= 4:
            raise ValueError(f"{len(self.commands)} agents; a game has 2, 3 or 4 seats")
        if self.given_names and len(self.given_names) != len(self.commands):
            raise ValueError(f"{len(self.given_names)} names for {len(self.commands)} agents")
        for command in self.commands:
            if command != WAIT:
                if sys.platform != "linux":
                    raise ValueError("agents are started under Linux only: use --agent wait")
                check_command(words_of(command))
        for name in self.names:
            if not name.isprintable():
                raise ValueError(f"agent's name {name!r}: allowed are printable characters")
        check_level(self.sandbox.level)
        if self.placement not in BY_TABLE:
            check_policy(self.placement)
        self.new_game(0)

    def new_game(self, k: int) -> Game:
        """Game number k, its settlements placed."""
        by_table = self.placement in BY_TABLE
        rules = Rules.tournament(self.placement if by_table else "seats")
        game = self.laid(k, rules)
        policies = [] if by_table else [load_policy(self.placement, seat) for seat in range(4)]
        while game.turn == 0:
            game.play(decide(policies[game.seat], game.view(game.seat)))
        return game

    def laid(self, k: int, rules: Rules) -> Game:
        """Game number k before its first choice, with a separate secret if no seed is given."""
        secret = derived(self.secret, f"game {k}") if self.seed is None else None
        return Game(len(self.commands), self.board_seed(k), rules, secret=secret)

    @property
    def games_per_board(self) -> int:
        """The games on each board, if games are paired; waiting agents may differ.

        >>> [Tournament(one).games_per_board for one in (("a", "b"), ("a", "a"), (WAIT, WAIT))]
        [2, 1, 2]
        """
        commands = enumerate(self.commands)
        return games_per_board([f"{c} {k}" if c == WAIT else c for k, c in commands])

    def board_seed(self, k: int) -> int:
        """The seed of game number k: only of its board if the game has a secret."""
        number = board_number(k, self.games_per_board) if self.paired else k
        if self.seed is None:
            return int.from_bytes(derived(self.secret, f"board {number}")[:8], "big")
        return self.seed + number

    def seating(self, game: Game, start: Start) -> Seating:
        """A room for a game; `start` starts its agents."""
        room = CatanRoom(game, self.settings)
        return Seating(room, partial(_end, self.byte_order), start, self.patience)

    def sandbox_of(self, agent: int) -> Sandbox:
        """The isolation of that agent: others' output and the records are hidden from it."""
        folders = tuple(path for path in (self.log_dir, self.record_dir) if path)
        return replace(self.sandbox, private=(*self.sandbox.private, *folders))

    def agents_at(self, room: GameRoom, agents: tuple[int, ...]) -> tuple[int, ...]:
        """The agent of each seat, of those that were assigned the places in order."""
        return agents

    def agents_by_seat(self, k: int) -> tuple[int, ...]:
        """The agents by seat in game number k."""
        return entrants_by_seat(k if self.rotate else 0, len(self.commands))


def _end(order: ByteOrder) -> Connection[Message]:
    return Connection(BinaryCodec(order))


OBSERVED = {
    "followed": "catan_env.arena.games.announced",
    "play": "catan_env.arena.games.play",
    "play_all": "catan_env.arena.games.play_all",
    "play_game": "catan_env.arena.games.play_game",
}
"""New names of functions whose argument `observer` was `watch`."""
RENAMED = {
    **OBSERVED,
    "LEAVING": "catan_env.arena.games.LEAVING",
    "LOOK_EVERY": "catan_env.arena.games.LOOK_EVERY",
    "Watch": "catan_env.arena.games.Observer",
    "leaving_together": "catan_env.arena.games.leaving_together",
    "output_of": "catan_env.arena.games.output_of",
    "program_of": "catan_env.arena.commands.program_of",
    "stem": "catan_env.arena.games.stem",
}


def __getattr__(name: str) -> Any:
    """A name of 0.2, with a warning; `games` imports this file, and is loaded when asked for."""
    found = renamed(__name__, RENAMED, name)
    return _with_watch(found) if name in OBSERVED else found


def _with_watch(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which takes its observer as `watch` as well."""

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if "watch" in named:
            named["observer"] = named.pop("watch")
        return function(*given, **named)

    return call
