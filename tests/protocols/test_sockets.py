"""Six games at once over real sockets: agents see what the environment would have shown."""

import asyncio
from hashlib import sha256

from catan_env import ActionKind, Game, SeatView
from catan_env.net import Connection
from catan_env.net.serve import listen, serve
from catan_env.net.visit import Visit
from catan_env.protocols.catan_binary.agent import Agent, client_end
from catan_env.protocols.catan_binary.messages import BinaryCodec
from tests.protocols.in_memory import builder_policy, random_policy, tournament


class Seated(asyncio.Protocol):
    """One agent at a socket, which stores a digest of each view."""

    def __init__(self, policy) -> None:
        self.seen: list[bytes] = []
        self._policy = policy
        self._visit = Visit(client_end(), Agent(self._decide, is_ours=True))

    def connection_made(self, transport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        for reply in self._visit.receive(data, 0.0):
            self._transport.write(reply)

    def _decide(self, view: SeatView) -> int:
        self.seen.append(digest(view))
        return self._policy(view)


def digest(view: SeatView) -> bytes:
    return sha256(view.observation.tobytes() + view.action_mask.tobytes()).digest()


async def play(seats: int, seed: int):
    loop = asyncio.get_running_loop()
    room = tournament(seats, seed, timeout_secs=60, max_turns=120)
    agents: list[Seated] = []
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        serving = asyncio.create_task(serve(room, lambda: Connection(BinaryCodec("big")), listener))
        for seat in range(seats):
            made = random_policy if seat % 2 else builder_policy
            agents.append(Seated(made(seed + seat)))
            await loop.create_connection(lambda seat=seat: agents[seat], "127.0.0.1", port)
        await serving
    return room, agents


def what_the_environment_shows(game: Game) -> list[list[bytes]]:
    """Return digests by seat, from the replayed game."""
    again = Game(game.seats, game.seed, game.rules)
    shown: list[list[bytes]] = [[] for _ in range(game.seats)]
    for event in game.events[len(again.events) :]:
        if event.action.kind != ActionKind.DISCARD:  # the table's
            shown[event.seat].append(digest(again.view(event.seat)))
            assert again.play(event.action) == event
    return shown


def test_over_sockets_an_agent_sees_what_the_environment_would_show_it():
    async def play_all():
        return await asyncio.gather(*(play(2 + seed % 3, seed) for seed in range(6)))

    for room, agents in asyncio.run(play_all()):
        assert room.is_over and not room.removals
        assert [agent.seen for agent in agents] == what_the_environment_shows(room.game)
