"""A game as one self-contained page for a browser."""

import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.record import names_of
from catan_env.guests.renaissance.watch.frames import Film


def replay_html(game: Game, names: Sequence[str] = (), title: str = "") -> str:
    """The page of a game, position by position, with everything shown.

    >>> page = replay_html(Game(seats=2, seed=7), ["ann", "bob"])
    >>> page.startswith("<!doctype html>"), "ann, bob" in page
    (True, True)
    """
    film = Film(game, names or names_of(game.seats))
    film.follow(game.record()["marks"])
    data = {"fixed": film.fixed, "frames": film.frames}
    return page(title or f"Masters of Renaissance: {', '.join(film.names)}", data)


def page(title: str, data: Any) -> str:
    """The page over its data; `{"live": true}` is a page that asks its server for games."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        "title": html.escape(title),
        "style": file("page.css"),
        "data": text,
        "script": file("page.js"),
    }
    return re.sub(r"<!--(\w+)-->", lambda mark: parts[mark[1]], file("page.html"))


def file(name: str) -> str:
    """The text of a part of the page."""
    return resources.files("catan_env.guests.renaissance.watch").joinpath(name).read_text("utf-8")
