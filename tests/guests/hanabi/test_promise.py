"""A seat's view from the wire equals the environment's, byte for byte."""

import random
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from catan_env.guests.hanabi import Game
from catan_env.guests.hanabi.policies import decide, load_policy
from catan_env.guests.hanabi.rules import OFFICIAL, SERVER
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.dialect import DIALECTS, Dialect
from catan_env.guests.hanabi.wire.room import HanabiRoom
from tests.covering import covering
from tests.guests.hanabi.conversation import play
from tests.guests.hanabi.dealt import dealt_deck
from tests.guests.hanabi.random_games import careful_action

OPENING = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


def rules_of(dialect: Dialect) -> Any:
    if dialect.name == "strict":
        return OFFICIAL
    return replace(SERVER, errors=dialect.errors)


def compare(game: Game, agents: list[Any]) -> None:
    """Compare every seat; line i is seat i + 1, because the last to join moves first."""
    for line, agent in enumerate(agents):
        seat = (line + 1) % len(agents)
        view, truth = agent.follower.view, game.view(seat)
        assert agent.follower.seat == seat == view.viewer
        assert view.observation.tobytes() == truth.observation.tobytes()
        assert view.action_mask.tobytes() == truth.action_mask.tobytes()
        assert view.events == truth.events and view.dealt == truth.dealt
        assert view.hands == truth.hands and view.knowledge == truth.knowledge
        assert (view.turns_left, view.deck_size) == (truth.turns_left, truth.deck_size)


Play = Callable[[HanabiRoom, list[Callable[..., int]]], Iterator[list[Any]]]


def check_a_game(dialect: Dialect, players: int, seed: int, play: Play) -> None:
    """Play a game, and compare every seat's view after the start and each action's response."""
    chance = random.Random(seed)
    order = chance.sample(places.IDS, 50)
    game = Game(players, rules=rules_of(dialect), deck=dealt_deck(order, players))
    truth = game.copy()

    def answer(view: Any) -> int:
        action = careful_action(truth, chance)
        number = truth.number_of(action)
        assert number is not None and view.action_mask[number]
        truth.play(action)
        return number

    room = HanabiRoom(dialect, order=order, games=1, seed=seed)
    agents: list[Any] = []
    compared = 0
    for agents in play(room, [answer] * players):
        if agents[0].follower.view is None or agents[0].is_over:
            continue
        while len(game.events) < len(agents[0].follower.view.events):
            game.play(truth.events[len(game.events)].action)
        compare(game, agents)
        compared += 1
    assert truth.is_over and compared >= len(truth.events)
    assert [agent.score for agent in agents] == [truth.score] * players


@pytest.mark.parametrize(("players", "name"), covering([2, 3, 4, 5], DIALECTS))
def test_the_wire_gives_what_the_environment_gives(name: str, players: int, games: int) -> None:
    for seed in range(max(2, games // 500)):
        check_a_game(DIALECTS[name], players, seed, play)


@pytest.mark.parametrize(("players", "name"), covering([2, 3, 4, 5], DIALECTS))
def test_a_websocket_gives_what_the_environment_gives(name: str, players: int, games: int) -> None:
    pytest.importorskip("websockets")
    from tests.guests.hanabi import over_sockets

    def play_there(room: HanabiRoom, decides: list[Any]) -> Iterator[list[Any]]:
        with over_sockets.served(room) as port:
            yield from over_sockets.play(port, decides)

    for seed in range(max(1, games // 10_000)):
        check_a_game(DIALECTS[name], players, 1000 + seed, play_there)


def decisions(dialect: Dialect, policy: str, players: int, seed: int) -> list[int]:
    """The agents' actions in one game, in turn."""
    answers: list[int] = []

    def answering(seat: int) -> Callable[[Any], int]:
        player = load_policy(policy, seed=seat)

        def decide_and_note(view: Any) -> int:
            answers.append(decide(player, view))
            return answers[-1]

        return decide_and_note

    order = random.Random(seed).sample(places.IDS, 50)
    room = HanabiRoom(dialect, order=order, games=1, seed=seed)
    for _ in play(room, [answering(seat) for seat in range(players)]):
        pass
    return answers


@pytest.mark.parametrize("policy", ["random", "piers", "best", "hat", "learnt"])
def test_agents_decide_equally_in_every_dialect(policy: str, games: int) -> None:
    """As long as both games last: strict ends first, that of 2015 with the fourth error."""
    for seed in range(max(1, games // 2500)):
        strict, spec, implemented = (
            decisions(DIALECTS[name], policy, 2 if policy == "learnt" else 2 + seed % 4, seed)
            for name in ("strict", "spec", "implemented")
        )
        assert len(strict) > 5
        assert spec[: len(strict)] == strict
        assert implemented[: len(spec)] == spec


def test_a_client_that_never_reads_is_cut_off_and_the_others_continue() -> None:
    pytest.importorskip("websockets")
    from catan_env.net.serve import Bounds
    from tests.guests.hanabi import over_sockets

    room = HanabiRoom(DIALECTS["spec"], games=1, seed=5)
    policies = [load_policy("iggi", seed=seat) for seat in range(5)]
    heard: list[bool] = []
    agents: list[Any] = []
    with over_sockets.served(room, Bounds(unread=1 << 16)) as port, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", port))
        deaf.sendall(OPENING)
        decides = [partial(decide, policy) for policy in policies]
        for agents in over_sockets.play(port, decides):  # noqa: B007 - looked at in the end
            heard.append(room.hears(0))
    assert agents[0].score is not None
    assert [agent.score for agent in agents] == [agents[0].score] * 5
    assert heard[0] and not heard[-2]
