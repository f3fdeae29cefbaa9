"""`--watch`: the link shows the table, and the replay when the game has ended."""

import asyncio
import json
import signal
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

from catan_env import Game
from catan_env.cli.watching import watched
from catan_env.notation import loads
from catan_env.web.lobby import LOBBY, SpectatorLobby
from catan_env.web.messages import Over, Sit, Step, Welcome
from tests.web.test_serve import get, line_to, say
from tests.web.test_serve import heard as next_message

AGENT = f"{sys.executable} -m catan_env agent --policy random"


@pytest.mark.parametrize("protocol", ["binary", pytest.param("german", marks=pytest.mark.nightly)])
def test_a_contest_is_watched_from_its_link(protocol: str, tmp_path: Path) -> None:
    agent = f"{AGENT} --protocol german" if protocol == "german" else AGENT
    command = [
        sys.executable, "-m", "catan_env", "match", "--protocol", protocol, "--games", "1",
        *("--agent", agent) * 3, "--seed", "3", "--max-turns", "60", "--watch", "0",
        "--watch-delay", "5", "--log-dir", str(tmp_path),
    ]  # fmt: skip
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as run:
        try:
            assert run.stderr is not None
            address = next(line for line in run.stderr if line.startswith("watch: ")).split()[1]
            assert get(address)[0] == 200
            until = time.monotonic() + 600
            while not (tables := json.loads(get(address, f"/{LOBBY}")[1])["tables"]):
                assert time.monotonic() < until
                time.sleep(0.05)
            with line_to(address) as line:
                say(line, Sit(tables[0]["link"].removeprefix("/table#")))
                welcome = next_message(line)
                assert isinstance(welcome, Welcome) and welcome.seat is None
                steps = 0
                while not isinstance(message := next_message(line), Over):
                    steps += isinstance(message, Step)
                status, text = get(address, message.record)
                record = loads(text).begin()
                assert status == 200 and get(address, message.replay)[0] == 200
                assert steps > 0 and record is not None
        finally:
            run.kill()


@pytest.mark.parametrize("are_over", [False, True], ids=["during the games", "after the last one"])
def test_ctrl_c_ends_a_watched_contest_without_a_traceback(
    are_over: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def playing(observer: SpectatorLobby) -> None:
        game = Game(2, 1)
        observer.begin(1, game, ["ann", "bob"], SimpleNamespace(game=game))
        asyncio.get_running_loop().call_later(0.3, signal.raise_signal, signal.SIGINT)
        if not are_over:
            await asyncio.sleep(600)

    chosen = Namespace(host="127.0.0.1", watch=0, watch_full=False, watch_delay=0.0)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's `&` ignores it
    try:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(watched(chosen, ["ann", "bob"], playing))
    finally:
        signal.signal(signal.SIGINT, before)
    assert [record.getMessage() for record in caplog.records] == []


def test_a_page_that_failed_fails_the_command_after_the_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def failing(*_: object) -> None:
        raise ArithmeticError("a fault of the page")

    monkeypatch.setattr("catan_env.web.serve.serve_tables", failing)
    played = []

    async def playing(observer: SpectatorLobby) -> None:
        await asyncio.sleep(0)
        played.append(observer)

    chosen = Namespace(host="127.0.0.1", watch=0, watch_full=False, watch_delay=0.0)
    with pytest.raises(ArithmeticError, match="a fault of the page"):
        asyncio.run(watched(chosen, ["ann", "bob"], playing))
    assert len(played) == 1
