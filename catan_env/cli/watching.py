"""`--watch` of `catan-env serve` and `catan-env match`: their tables in a browser, live."""

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from typing import Any

from catan_env.cli.parser import check_chosen, seconds, whole
from catan_env.net.address import in_url, is_loopback
from catan_env.net.background import ended
from catan_env.net.serve import listen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options for showing the games."""
    add = parser.add_argument
    add("--watch", type=whole(0, 65535), nargs="?", const=0, metavar="PORT",
        help="show the games in a browser (default port: any free one)")  # fmt: skip
    add("--watch-delay", type=seconds,
        help="seconds by which the page lags behind the games (default: 0)")  # fmt: skip
    add("--watch-full", action="store_true",
        help="show all cards, not only public ones; the link is a secret then")  # fmt: skip


def check_options(chosen: argparse.Namespace) -> None:
    """Raise ValueError for an option without effect, because nothing is shown."""
    if chosen.watch is None:
        options = {"--watch-delay": chosen.watch_delay, "--watch-full": chosen.watch_full}
        check_chosen("with --watch", options)


async def watched(
    chosen: argparse.Namespace,
    entrants: Sequence[str],
    playing: Callable[..., Awaitable[Any]],
) -> None:
    """Play the games, shown if requested: in that case until the last watcher leaves."""
    if chosen.watch is None:
        await playing()
        return
    from catan_env.web.lobby import SpectatorLobby
    from catan_env.web.serve import serve_tables

    title = " against ".join(dict.fromkeys(entrants))
    lobby = SpectatorLobby(title, entrants, chosen.watch_full, chosen.watch_delay or 0.0)
    with closing(listen(chosen.host, chosen.watch)) as listener:
        address = f"http://{in_url(chosen.host)}:{listener.getsockname()[1]}{lobby.root}"
        print(f"watch: {address}", file=sys.stderr, flush=True)
        is_public = not is_loopback(chosen.host)
        serving = asyncio.create_task(serve_tables(lobby.room, lobby.pages, listener, is_public))
        try:
            await playing(observer=lobby)
            if lobby.room.lines:
                print("all games are over; Ctrl-C stops the page", file=sys.stderr, flush=True)
            await lobby.wait_for_watchers()
        finally:  # before its socket is closed
            await ended(serving)
