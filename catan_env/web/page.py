"""What HTTP gives: the page of live tables, and a replay and a record of every game that ended."""

import json
from collections.abc import Callable
from importlib import resources

from catan_env.net.websocket import Page
from catan_env.notation import dumps, loads, to_sgn
from catan_env.render import artwork
from catan_env.render.replay import file, filled, replay_html
from catan_env.web.messages import Over
from catan_env.web.table import LiveTable

HTML, JSON = "text/html; charset=utf-8", "application/json"


def table_page() -> Page:
    """The page of every live table: what it shows comes over its WebSocket."""
    parts = {
        "title": "Catan",
        "style": file("page.css") + _file("table.css"),
        "board": "",
        "data": json.dumps({"resources": list(artwork.RESOURCE_TERRAINS)}),
        "choices": _file("table.html"),
        "script": file("page.js") + _file("table.js"),
    }
    return Page(HTML, filled(parts).encode())


def _file(name: str) -> str:
    return resources.files("catan_env.web").joinpath(name).read_text("utf-8")


def keeper(
    pages: dict[str, Page], path: str, write: Callable[[LiveTable], None] | None = None
) -> Callable[[LiveTable], Over]:
    """What keeps an ended game among `pages`, as a replay and as a record, under `path`.

    `write` may keep it elsewhere as well.
    """

    def keep(table: LiveTable) -> Over:
        messages = to_sgn(table.game, players=table.names)
        over = Over(f"{path}.html", f"{path}.sgn.json")
        replay = replay_html(loads(messages), f"Catan: {', '.join(table.names)}")
        pages[over.replay] = Page(HTML, replay.encode())
        pages[over.record] = Page(JSON, dumps(messages).encode())
        if write is not None:
            write(table)
        return over

    return keep
