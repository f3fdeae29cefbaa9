"""A language model's seat: the MCP server's tools, in process and as a command."""

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from catan_env.text.answer import AnswerError
from catan_env.text.service import TextGame

COMMAND = ["-m", "catan_env", "mcp"]


def with_client(game: TextGame | list[str], play: Callable[[Any], Awaitable[Any]]) -> Any:
    """The result of `play` with a client of a server in this process, or of Python's arguments."""
    # Half a second and 37 MB, for these tests alone.
    from mcp import Client, StdioServerParameters

    from catan_env.text.mcp import server

    if isinstance(game, TextGame):
        served: Any = server(game)
    else:
        served = StdioServerParameters(command=sys.executable, args=game)

    async def run() -> Any:
        async with Client(served) as client:
            return await play(client)

    return asyncio.run(run())


async def called(client: Any, tool: str, **arguments: Any) -> tuple[bool, str]:
    """True if the tool refused, and its text."""
    result = await client.call_tool(tool, arguments)
    return bool(result.is_error), result.content[0].text


async def whole_game(client: Any) -> str:
    """A game to its end, by the last of the actions; the last position."""
    game = {"seats": 2, "rules": "duel", "opponent": "builder", "seed": 4}
    refused, text = await called(client, "new_game", **game)
    while "The game is over" not in text:
        assert not refused
        refused, text = await called(client, "act", answer=re.findall(r"(\d+)\. ", text)[-1])
    return text


@pytest.mark.parametrize(
    "served",
    [None, pytest.param(COMMAND, marks=pytest.mark.nightly)],
    ids=["in process", "as a command"],
)
def test_a_whole_game_is_played_by_tools_alone(served: Any) -> None:
    text = with_client(served or TextGame(), whole_game)
    assert re.search(r"The game is over: seat \d has won[.,]", text)


def test_the_command_serves_the_same_tools() -> None:
    async def play(client: Any) -> list[tuple[bool, str]]:
        begun = await called(client, "new_game", seats=2, seed=3)
        return [begun, await called(client, "act", answer="1")]

    assert with_client(COMMAND, play) == with_client(TextGame(), play)


def test_a_refusal_has_its_reason_and_changes_nothing() -> None:
    async def play(client: Any) -> None:
        assert (await called(client, "act", answer="1"))[1].endswith("call new_game first")
        refused, reply = await called(client, "new_game", seats=2, seat=2)
        assert refused and "seat is 2; allowed are 0 to 1" in reply
        refused, reply = await called(client, "new_game", seats=0)
        assert refused and "0 seats; allowed are 2, 3 and 4" in reply
        assert "unknown policy 'x'" in (await called(client, "new_game", opponent="x"))[1]
        _, text = await called(client, "new_game", seats=2, seed=3)
        for wrong, reason in (("99", "no action 99"), ("", "is empty"), ("1 2", "2 numbers")):
            refused, reply = await called(client, "act", answer=wrong)
            assert refused and reason in reply
        assert await called(client, "state") == (False, text)
        refused, reply = await called(client, "history", last=0)
        assert refused and "allowed are 1 to 200" in reply

    with_client(TextGame(), play)


def test_history_hides_what_others_drew() -> None:
    game = TextGame()
    text = game.new_game(seats=3, opponent="random", seed=8)
    while "buy a development card" not in game.history(200) and "is over" not in text:
        text = game.act("1")
    bought = [line for line in game.history(200).splitlines() if "buy a development" in line]
    assert all(line.endswith(": a card") for line in bought if not line.startswith("seat 0"))
    assert bought


def test_advice_numbers_the_actions_as_the_position_does() -> None:
    game = TextGame()
    text = game.new_game(seats=2, rules="duel", seed=3)
    for line in game.advice().splitlines()[:-1]:
        assert line.rpartition(":")[0] in text
    assert "chances to win now: seat 0" in game.advice()
    with pytest.raises(AnswerError, match="call new_game first"):
        TextGame().advice()
