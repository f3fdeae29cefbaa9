"""The pages served by HTTP before any game has ended."""

import json
from importlib import resources

from catan_env.net.websocket import Page
from catan_env.render import artwork
from catan_env.render.replay import SCRIPTS, file, filled

TABLE_SCRIPTS = ("own.js", "trade.js", "clock.js", "table.js")
"""The scripts of a live table, after those that it shares with a replay."""
HTML, JSON = "text/html; charset=utf-8", "application/json"


def table_page() -> Page:
    """The page of every live table: its content comes over its WebSocket."""
    parts = {
        "title": "Catan",
        "style": file("page.css") + _file("table.css"),
        "board": "",
        "data": json.dumps({"resources": list(artwork.RESOURCE_TERRAINS)}),
        "choices": _file("table.html"),
        "script": "".join((*map(file, SCRIPTS), *map(_file, TABLE_SCRIPTS))),
    }
    return Page(HTML, filled(parts).encode())


def start_page() -> Page:
    """The page on which people open tables, join others', and find their games."""
    return Page(HTML, _file("start.html").replace("<!--style-->", file("page.css")).encode())


def _file(name: str) -> str:
    return resources.files("catan_env.web").joinpath(name).read_text("utf-8")
