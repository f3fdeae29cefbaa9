"""The German table over real sockets: agents, third-party clients, and a person typing."""

import asyncio
import subprocess
import sys
from typing import Any

import pytest

from catan_env import Game, SeatView
from catan_env.game.action import Action
from catan_env.net import Connection
from catan_env.net.serve import listen, serve
from catan_env.protocols.catan_german.codec import GermanCodec
from catan_env.protocols.catan_german.messages import said_by_clients
from tests.protocols.german.in_memory import AtTheTable, LineAgent, policy_of, room_of
from tests.protocols.german.peers.client import Client, Say

KINDS = ("builder", "random", "greedy", "best")
VERSIONS = ("0.1", "0.2", "0.3", "1.0")


class Offers:
    """A room that stores its game at each offer, which others may settle meanwhile."""

    def __init__(self, room: Any) -> None:
        self.room = room
        self.at: dict[int, tuple[Game, Any]] = {}
        self._received = room.received
        room.received = self.received

    def received(self, line: int, message: Any, now: float) -> Any:
        effects = self._received(line, message, now)
        play = self.room.play
        if play is not None and play.offer is not None and play.offer.number not in self.at:
            self.at[play.offer.number] = (play.game.copy(), play.offer)
        return effects


class Compared(AtTheTable):
    """As in memory; an answer to an offer is compared with the game when it was made."""

    agent: LineAgent

    def _game_of(self, view: SeatView) -> Game:
        heard = self.agent.follower.offer
        if self._trial is not None or heard is None or heard.seat == view.viewer:
            return super()._game_of(view)
        kept, offer = self._joined.at[heard.number]
        game = kept.copy()
        game.play(Action.offer((view.viewer - offer.seat) % game.seats, offer.give, offer.get))
        return game


class Line(asyncio.Protocol):
    """Any player with `receive`, at a socket."""

    def __init__(self, player: Any) -> None:
        self.player = player

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.player.receive(data))


async def play(room: Any, players: list[Any]) -> None:
    """Play a whole game over sockets; the players connect one after another."""
    loop = asyncio.get_running_loop()
    codec = said_by_clients(room.settings.version)
    with listen("127.0.0.1", 0) as listener:
        serving = asyncio.create_task(serve(room, lambda: Connection(GermanCodec(codec)), listener))
        for player in players:
            at = listener.getsockname()
            await loop.create_connection(lambda player=player: Line(player), *at)
        await serving


def compared_game(number: int) -> None:
    version, seats = VERSIONS[number % 4], 2 + number // 4 % 3
    room = room_of(version, seats, number, max_turns=25 if version == "0.1" else 80)
    offers, players = Offers(room), []
    for k in range(seats):
        table = Compared(offers, policy_of(KINDS[(k + number) % 4], 4 * number + k))  # type: ignore[arg-type]
        table.agent = LineAgent(table, f"Spieler {k}")
        players.append(table.agent)
    asyncio.run(play(room, players))
    assert room.is_over and not room.removals
    assert not any(player.follower.is_in_doubt for player in players)


def test_over_sockets_each_decision_sees_what_the_environment_shows(games: int) -> None:
    """Eight games; a hundred with `--games 125000`."""
    for number in range(max(1, games // 1250)):
        compared_game(number)


class Typing(Client):
    """A person at a terminal: CR LF, and occasional extra blanks."""

    def written(self, said: Say) -> bytes:
        return super().written(said).replace(b":", b" : ").rstrip(b"\n") + b"\r\n"


class Slowly(Line):
    """One byte per packet."""

    def data_received(self, data: bytes) -> None:
        for byte in self.player.receive(data):
            self.transport.write(bytes([byte]))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_person_at_a_terminal_plays_with_agents_and_other_clients(version: str) -> None:
    room = room_of(version, 3, 2, max_turns=12)
    agent = LineAgent(policy_of("builder", 1), "Agent")
    asyncio.run(play_mixed(room, [agent, Typing("Mensch", 1), Client("Gast", 2)]))
    assert room.is_over and not room.removals
    assert room.game.turn > 12


async def play_mixed(room: Any, players: list[Any]) -> None:
    loop = asyncio.get_running_loop()
    codec = said_by_clients(room.settings.version)
    with listen("127.0.0.1", 0) as listener:
        serving = asyncio.create_task(serve(room, lambda: Connection(GermanCodec(codec)), listener))
        for player in players:
            kind = Slowly if isinstance(player, Typing) else Line
            at = listener.getsockname()
            await loop.create_connection(lambda k=kind, p=player: k(p), *at)
        await serving


def test_people_take_the_places_that_agents_leave() -> None:
    """`catan-env serve` starts one agent; two clients connect on their own."""
    cli = f"{sys.executable} -m catan_env"
    agent = f"{cli} agent --protocol german --policy builder --name Ada"
    command = [*cli.split(), "serve", "--protocol", "german", "--protocol-version", "0.3",
               "--seats", "3", "--max-turns", "12", "--sandbox", "none",
               "--agent", agent, "--agent", "wait", "--agent", "wait"]  # fmt: skip
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout is not None
        host, port = next(line for line in server.stdout if " waits for " in line).split()[-2:]
        guests = [Client("Bert", 1), Client("Cleo", 2)]
        asyncio.run(come(host, int(port), guests))
        printed, _ = server.communicate(timeout=120)
    finally:
        server.kill()
    assert server.returncode == 0, printed
    assert all(guest.ledger.ended is not None for guest in guests)


async def come(host: str, port: int, guests: list[Client]) -> None:
    """Stay until the server closes."""
    await asyncio.gather(*(visit(host, port, guest) for guest in guests))


async def visit(host: str, port: int, guest: Client) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    while data := await reader.read(4096):
        writer.write(guest.receive(data))
    writer.close()
