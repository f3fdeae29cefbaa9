"""Games over the German protocol: a lobby for agents' processes and people."""

import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from catan_env.arena.commands import WAIT
from catan_env.arena.seating import GameRoom, Seating, Start
from catan_env.arena.tournament import Tournament
from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.framing import Connection
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from catan_env.protocols.catan_german.play import Settings
from catan_env.protocols.catan_german.room import GermanRoom


@dataclass(frozen=True)
class GermanTournament(Tournament):
    """The games that a server of the German protocol plays; waiting agents join the lobby."""

    table: Settings = field(default_factory=Settings)

    @property
    def max_turns(self) -> int:
        """The limit of turns per game, 0 for none."""
        return self.table.max_turns

    def new_game(self, k: int) -> Game:
        """Game number k before its first settlement."""
        return self.laid(k, Rules.german(self.table.version))

    def seating(self, game: Game, start: Start) -> "LobbySeating":
        """A room for a game; `start` starts its agents."""
        reserved = sum(command != WAIT for command in self.commands)
        room = GermanRoom(game, self.table, reserved)
        return LobbySeating(room, self.end, start, self.patience)

    def agents_at(self, room: GameRoom, agents: tuple[int, ...]) -> tuple[int, ...]:
        """The agent of each seat: the starting player was rolled."""
        assert isinstance(room, GermanRoom)
        return tuple(agents[place] for place in room.places)

    def end(self) -> Connection[Any]:
        """Our end of a connection."""
        codec: Any = GermanCodec(said_by_clients(self.table.version))
        return Connection(codec)


class LobbySeating(Seating):
    """Agents have reserved places; any other connection is a guest of the lobby."""

    async def _seat_all(self) -> None:
        self._start_all()
        await self._wait_for(self._awaited - self._awaited_guests, self._patience)
        for agent in self._agents.values():
            agent.begin()

    def _admit_guest(self, line: int, sock: socket.socket) -> bool:
        return self._is_guest(sock)


def places_of(commands: Sequence[str], seats: int) -> tuple[str, ...]:
    """The commands, and a waiting agent for each place that is left."""
    return (*commands, *[WAIT] * (seats - len(commands)))
