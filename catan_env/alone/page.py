"""One HTML file in which a person plays against a policy, without a server."""

import html
import json
import re
from base64 import b64encode
from importlib import resources
from pathlib import Path
from zlib import compress, crc32

from catan_env.alone.module import built_module
from catan_env.alone.networks import network_of
from catan_env.alone.tables import tables
from catan_env.game.rules import Rules
from catan_env.game.start import board_for
from catan_env.notation.record import different_names
from catan_env.render.replay import SCRIPTS, file, filled, script_text
from catan_env.web.page import TABLE_SCRIPTS, table_file

WORKER_SCRIPTS = (
    "engine.js", "game.js", "places.js", "words.js", "reasons.js", "steps.js", "table.js",
    "record.js", "policy.js", "judged.js", "room.js", "worker.js",
)  # fmt: skip
"""The scripts of the worker that answers the page, in this order."""
COMMENT = re.compile(r"^ *(//[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
"""Lines of the scripts that are only for those that read them in the repository."""


def alone_html(
    policy: str,
    seats: int = 4,
    rules: Rules | None = None,
    board: str = "spiral",
    name: str = "Guest",
    pace: float = 0.6,
) -> str:
    """The page of a person against `seats - 1` seats of a policy.

    `policy` is "greedy", "best", or a weights file of the kind "pointer" or "rerank".
    ValueError if the engine for web pages has not been built here.
    """
    rules = Rules.base() if rules is None else rules
    board_for(board, rules)
    title = Path(policy).stem
    players = different_names([name, *[title] * (seats - 1)])
    network = network_of(policy, seats, rules)
    code = built_module()
    about = {**tables(players, rules, board), "policy": title, "pace": pace}
    weights = b""
    if network is not None:
        described, weights = network
        about["network"] = {**about["network"], **described}
    game = {
        "tables": squeezed(json.dumps(about, separators=(",", ":")).encode()),
        "code": squeezed(code),
        "weights": squeezed(weights),
        "worker": worker_source(),
    }
    parts: dict[str, str | int] = {
        "id": crc32("".join(game.values()).encode()),  # of the games that this page stores
        "seats": seats,
        **game,
        "template": file("page.html"),
        "replay": file("replay.js"),
    }
    return filled(
        {
            "title": f"Catan against {html.escape(title)}",
            "style": f"{file('page.css')}</style>\n<style>\n{table_file('table.css')}",
            "board": "",
            "data": script_text({"resources": about["resources"]}),
            "choices": table_file("table.html"),
            "script": scripts(parts),
        }
    )


def scripts(parts: dict[str, str | int]) -> str:
    """The page's scripts: those that a replay needs, too, then the live table's, each by itself."""
    shared, live = "".join(map(file, SCRIPTS)), "".join(map(table_file, TABLE_SCRIPTS))
    alone = _file("alone.js")
    return f"{shared}</script>\n<script>\nconst ALONE = {script_text(parts)};\n{alone}{live}"


def worker_source() -> str:
    """The script of the worker that plays the table's part, without comments."""
    return '"use strict";\n' + COMMENT.sub("", "".join(map(_file, WORKER_SCRIPTS)))


def squeezed(data: bytes) -> str:
    """Bytes compressed, as text."""
    return b64encode(compress(data, 9)).decode()


def _file(name: str) -> str:
    return resources.files("catan_env.alone").joinpath(name).read_text("utf-8")
