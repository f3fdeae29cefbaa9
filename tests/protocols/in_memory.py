"""A room and its agents joined in memory: every message crosses as bytes."""

from collections import deque
from collections.abc import Callable, Iterable
from random import Random

import numpy as np

from catan_env import Board, Game, Resource, Rules, SeatView, Terrain
from catan_env.game.board import Harbour, Tile
from catan_env.net import Connection
from catan_env.net.room import Effect, Send
from catan_env.net.visit import Visit
from catan_env.policy import load_policy
from catan_env.protocols.catan_binary.agent import Agent, client_end
from catan_env.protocols.catan_binary.messages import BinaryCodec
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom

TOKENS = (0, 2, 3, 4, 5, 6, 6, 7, 8, 8, 9, 10, 11, 12)
Policy = Callable[[SeatView], int]


def random_policy(seed: int) -> Policy:
    """Any legal action; sometimes passes, so that it does not make offers without end."""
    chance = Random(seed)
    return lambda view: int(chance.choice(np.flatnonzero(view.action_mask)))


class Played:
    """A game played over bytes, and its messages; a seat's line has its number."""

    def __init__(
        self,
        room: CatanRoom,
        policies: list[Policy],
        order: str = "big",
        announced: bool | None = None,
        is_ours: bool = True,
    ) -> None:
        self.room = room
        self.agents = [Agent(policy, announced, is_ours=is_ours) for policy in policies]
        self.visits = [Visit(client_end(), agent) for agent in self.agents]
        self.heard: list[tuple[int, object]] = []
        self.absent: set[int] = set()
        """Seats that never connect."""
        self._ends = [Connection(BinaryCodec(order)) for _ in policies]
        self._effects: deque[Effect] = deque()

    def play(self, max_messages: int = 100_000) -> "Played":
        """Play to the end."""
        for seat in range(len(self.agents)):
            if seat in self.absent:
                self._effects.extend(self.room.leave(seat, "absent", 0.0))
            else:
                self._effects.extend(self.room.opened(seat, 0.0))
        while (self._effects or self._break_silence()) and max_messages:
            max_messages -= 1
            effect = self._effects.popleft()
            if isinstance(effect, Send):
                seat, message = effect
                self.heard.append((seat, message))
                self._pass_on(seat, self.visits[seat].receive(self._ends[seat].send(message), 0.0))
        return self

    def _pass_on(self, seat: int, replies: Iterable[bytes]) -> None:
        for reply in replies:
            for said in self._ends[seat].receive(reply):
                self._effects.extend(self.room.received(seat, said, 0.0))

    def _break_silence(self) -> bool:
        """Let agents notice the silence; True if one of them continues."""
        for seat, agent in enumerate(self.agents):
            if agent.deadline is not None and not agent.is_over:
                self._pass_on(seat, self.visits[seat].time(agent.deadline))
        return bool(self._effects)


def odd_board(seed: int) -> Board:
    """Any terrain with a desert or more, any counters, up to 20 harbours at any vertices."""
    chance = Random(seed)
    terrains = [Terrain.DESERT, *(Terrain(chance.randrange(6)) for _ in range(18))]
    chance.shuffle(terrains)
    tiles = [Tile(t, 0 if t == Terrain.DESERT else chance.choice(TOKENS)) for t in terrains]
    kinds = (None, *Resource)
    harbours = [
        Harbour(tuple(chance.sample(range(54), 2)), chance.choice(kinds), chance.randint(2, 6))
        for _ in range(chance.randrange(21))
    ]
    return Board(tuple(tiles), tuple(harbours))


def tournament(
    seats: int, seed: int, board: Board | str = "spiral", **settings: object
) -> CatanRoom:
    """A room for a fresh game."""
    game = Game(seats=seats, seed=seed, rules=Rules.tournament(), board=board)
    return CatanRoom(game, Settings(**{"max_turns": 500, **settings}))


def builder_policy(seed: int) -> Policy:
    """Builds whenever it can, and trades towards it."""
    return load_policy("builder", seed).act
