"""The pages served by HTTP before any game has ended."""

import json
from importlib import resources

from catan_env.net.websocket import Page
from catan_env.render import artwork
from catan_env.render.replay import SCRIPTS, file, filled

HTML, JSON = "text/html; charset=utf-8", "application/json"


def table_page() -> Page:
    """The page of every live table: its content comes over its WebSocket."""
    parts = {
        "title": "Catan",
        "style": file("page.css") + _file("table.css"),
        "board": "",
        "data": json.dumps({"resources": list(artwork.RESOURCE_TERRAINS)}),
        "choices": _file("table.html"),
        "script": "".join(map(file, SCRIPTS)) + _file("table.js"),
    }
    return Page(HTML, filled(parts).encode())


def _file(name: str) -> str:
    return resources.files("catan_env.web").joinpath(name).read_text("utf-8")
