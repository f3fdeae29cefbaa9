"""The pages served by HTTP before any game has ended."""

import json
from importlib import resources

from catan_env.net.websocket import Page
from catan_env.render import artwork
from catan_env.render.replay import SCRIPTS, file, filled

TABLE_SCRIPTS = (
    "stored.js",
    "own.js",
    "trade.js",
    "clock.js",
    "alerts.js",
    "place_shape.js",
    "lit_places.js",
    "advice.js",
    "table.js",
)
"""The scripts of a live table, after those that it shares with a replay."""
HTML, JSON = "text/html; charset=utf-8", "application/json"


def table_page() -> Page:
    """The page of every live table: its content comes over its WebSocket."""
    parts = {
        "title": "Catan",
        "style": file("page.css") + table_file("table.css"),
        "board": "",
        "data": json.dumps({"resources": list(artwork.RESOURCE_TERRAINS)}),
        "choices": table_file("table.html"),
        "script": "".join((*map(file, SCRIPTS), *map(table_file, TABLE_SCRIPTS))),
    }
    return Page(HTML, filled(parts).encode())


def start_page() -> Page:
    """The page on which people open tables, join others', and find their games."""
    page = table_file("start.html").replace("<!--style-->", file("page.css"))
    return Page(HTML, page.replace("<!--stored-->", table_file("stored.js")).encode())


def table_file(name: str) -> str:
    """The text of a part of a live table's page."""
    return resources.files("catan_env.web").joinpath(name).read_text("utf-8")
