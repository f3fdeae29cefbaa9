"""docs/german.md, made from the code's own tables: `python -m docs.generate.german docs`."""

import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec.inspect import Field, StructType, UnionType, type_info

from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.net.room import Send
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.agent import Agent
from catan_env.protocols.catan_german.messages import (
    NAMES,
    TABLE,
    Answer,
    Cards,
    Held,
    HeldCards,
    Map,
    Message,
    Piece,
    Player,
    Row,
    body_of,
)
from catan_env.protocols.catan_german.messages import Harbour as HarbourSaid
from catan_env.protocols.catan_german.messages import Tile as TileSaid
from catan_env.protocols.catan_german.play import Settings
from catan_env.protocols.catan_german.room import GermanRoom
from catan_env.protocols.catan_german.words import PHASES

TEXT = Path(__file__).with_name("german_text.md")
PARTS = (Player, Map, TileSaid, HarbourSaid, Piece, Cards)
_PARTS = {Held: "cards", HeldCards: "counts by kind"}
SHOWN_SEED, SHOWN_LINES, LONGEST_LINE = 18, 60, 220
_PLAIN = {"IntType": "int", "StrType": "str", "BoolType": "bool"}


def page() -> str:
    """The page's text."""
    text = TEXT.read_text(encoding="utf-8")
    for name, made in (
        ("messages", message_table()),
        ("parts", part_table()),
        ("statuses", status_table()),
        ("dump", dump()),
    ):
        text = text.replace(f"{{{{{name}}}}}", made)
    return text


def message_table() -> str:
    """Every message: who says it, what stands in it, since when."""
    lines = ["| message | the server says | a client says | since |", "|---|---|---|---|"]
    return "\n".join(lines + [_row(row) for row in TABLE])


def _row(row: Row) -> str:
    return f"| {row.name} | {_fields(row.server)} | {_fields(row.client)} | {row.since} |"


def _fields(kind: type[Any] | None) -> str:
    if kind is None:
        return ""
    if kind is Answer:
        return "a text, not an object"
    return ", ".join(map(_field, _struct(kind).fields)) or "{}"


def _struct(kind: type[Any]) -> StructType:
    info = type_info(kind)
    assert isinstance(info, StructType)
    return info


def _field(field: Field) -> str:
    return f"{field.encode_name}{'' if field.required else '?'} {_type(field.type)}"


def _type(kind: Any) -> str:
    if isinstance(kind, UnionType):
        kinds = [_type(part) for part in kind.types if type(part).__name__ != "NoneType"]
        return "place" if "point" in kinds or "places" in kinds else " or ".join(kinds)
    name = type(kind).__name__
    if name == "StructType":
        return _PARTS.get(kind.cls, kind.cls.__name__.lower())
    if name == "LiteralType":
        return " or ".join(f'"{value}"' for value in sorted(kind.values))
    if name == "TupleType":
        return f"[{', '.join(map(_type, kind.item_types))}]"
    if name == "VarTupleType":
        return f"{_type(kind.item_type)}s"
    return _PLAIN[name]


def part_table() -> str:
    """The parts of messages."""
    lines = ["| part | fields |", "|---|---|"]
    return "\n".join(lines + [f"| {kind.__name__.lower()} | {_fields(kind)} |" for kind in PARTS])


def status_table() -> str:
    """The Status of the seat to move in each phase of the game."""
    lines = ["| Status | phase |", "|---|---|"]
    lines += [f"| {status} | {phase.name} |" for status, phase in PHASES.items()]
    others = (
        (words.CHOOSING, "lobby: choose a name and a colour, start the game"),
        (words.READY, "lobby: wait for the others"),
        (words.WAIT, "another player decides; an offer may be answered"),
        (words.GONE, "the connection is lost"),
    )
    return "\n".join(lines + [f"| {status} | {meaning} |" for status, meaning in others])


def dump() -> str:
    """The first lines of a game, as received and sent by the last agent to join."""
    game = Game(3, SHOWN_SEED, Rules.german("1.0"))
    room = GermanRoom(game, Settings("1.0", timeout=0.0))
    agents = [Agent(lambda view: int(view.legal_actions.indices[0]), f"Spieler {k + 1}")
              for k in range(3)]  # fmt: skip
    lines: list[str] = []
    effects = [effect for line in range(3) for effect in room.opened(line, 0.0)]
    while effects and len(lines) < SHOWN_LINES:
        effect = effects.pop(0)
        if isinstance(effect, Send):
            _note(lines, "<", effect.line, effect.message)
            for message in agents[effect.line].received(effect.message, 0.0):
                _note(lines, ">", effect.line, message)
                effects += room.received(effect.line, message, 0.0)
    return "\n".join(lines[:SHOWN_LINES])


def _note(lines: list[str], sign: str, line: int, message: Message) -> None:
    if line == 2:
        said = msgspec.json.encode({NAMES[type(message)]: body_of(message)}).decode()
        short = said if len(said) <= LONGEST_LINE else f"{said[:LONGEST_LINE]}..."
        lines.append(f"{sign} {short}")


if __name__ == "__main__":
    (Path(sys.argv[1]) / "german.md").write_text(page(), encoding="utf-8")
