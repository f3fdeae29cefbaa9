"""docs/protocol.md, made from the code's own tables: `python -m docs.generate.protocol docs`."""

import sys
from collections.abc import Iterator
from dataclasses import fields
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from catan_env.game.game import Game
from catan_env.game.rules import Rules
from catan_env.game.view import SeatView
from catan_env.net.packed import Times, When, Word, to_bytes
from catan_env.protocols.catan_binary import messages
from catan_env.protocols.catan_binary.agent import Agent
from catan_env.protocols.catan_binary.messages import (
    LAYOUTS,
    BinaryCodec,
    Message,
    Setup,
    name_of,
)
from catan_env.protocols.catan_binary.opening import Settings
from catan_env.protocols.catan_binary.room import CatanRoom
from catan_env.protocols.catan_binary.states import EXPECTED, TRANSITIONS

TEXT = Path(__file__).with_name("protocol_text.md")
WORDS = {"B": "u8", "b": "i8", "I": "u32"}
ENUMS = (
    messages.TileType,
    messages.Card,
    messages.Buildable,
    messages.DevCard,
    messages.EdgeSide,
    messages.VertexCorner,
)
STRUCTS = (
    messages.TilePos,
    messages.EdgePos,
    messages.VertPos,
    messages.Cell,
    messages.HarbourCell,
    messages.PlayerSetup,
    messages.TradeSide,
)
TO_SERVER = {"ROLL", "PLAY", "BUILD", "TRADE", "TRADE_ACCEPT", "TRADE_REJECT", "PASS", "ROB"}
SHOWN_TURNS = 6
SHOWN_SEED = 18


def page() -> str:
    """The text of the page."""
    text = TEXT.read_text(encoding="utf-8")
    for name, made in (
        ("messages", message_table()),
        ("structs", struct_table()),
        ("enums", enum_table()),
        ("states", state_diagram()),
        ("expected", expected_table()),
        ("dump", dump()),
    ):
        text = text.replace(f"{{{{{name}}}}}", made)
    return text


def message_table() -> str:
    """The table of the messages: type, name, sender, fields."""
    lines = ["| type | message | sent by | fields |", "|---|---|---|---|"]
    for kind, layout in LAYOUTS.items():
        sender = "both" if kind.name in TO_SERVER else "server"
        sender = "agent" if kind.name in ("ROLL", "PASS") else sender
        lines.append(f"| {kind} | MSG_{kind.name} | {sender} | {_fields(layout)} |")
    return "\n".join(lines)


def struct_table() -> str:
    """The table of the types of fields."""
    rows = [f"| {struct.__name__} | {_fields(struct)} |" for struct in STRUCTS]
    return "\n".join(["| part | fields |", "|---|---|", *rows])


def enum_table() -> str:
    """The table of the bytes that have names."""
    rows = [
        f"| {enum.__name__} | {', '.join(f'{m.name} {int(m)}' for m in enum)} |" for enum in ENUMS
    ]
    return "\n".join(["| byte | values |", "|---|---|", *rows])


def _fields(layout: type) -> str:
    hints = get_type_hints(layout, include_extras=True)
    described = [f"{field.name}: {_type(hints[field.name])}" for field in fields(layout)]
    return ", ".join(described) or "none"


def _type(hint: Any) -> str:
    if get_origin(hint) is not Annotated:
        return str(hint.__name__)
    inner, mark = get_args(hint)
    if isinstance(mark, Word):
        return WORDS[mark.code]
    item = get_args(inner)[0]
    if isinstance(mark, Times):
        return f"{_type(item)} x {mark.number}"
    assert isinstance(mark, When)
    values = " or ".join(messages.Buildable(value).name for value in sorted(mark.values))
    return f"{_type(item)} if {mark.field} is {values}"


def state_diagram() -> str:
    """The states of the server and their transitions."""
    lines = ["stateDiagram-v2", "    [*] --> INIT"]
    lines += [
        f"    {state.name} --> {after.name}"
        for state, next_ in TRANSITIONS.items()
        for after in next_
    ]
    return "\n".join([*lines, "    DEINIT --> [*]"])


def expected_table() -> str:
    """The messages that the server accepts, by the decision that the game waits for."""
    rows = [
        f"| {phase.name.lower()} | {', '.join(map(name_of, expected))} |"
        for phase, expected in EXPECTED.items()
    ]
    return "\n".join(["| the game waits for | expected_messages |", "|---|---|", *rows])


def first_wish(view: SeatView) -> int:
    """The policy of the dump: builds what it can, offers nothing."""
    wishes = (*range(106, 160), *range(52, 106), 2, *range(160, 232))
    mask = view.action_mask
    return next((index for index in wishes if mask[index]), int(mask.argmax()))


def dump() -> str:
    """The messages that seat 0 receives and sends in the first turns of a game."""
    game = Game(seats=2, seed=SHOWN_SEED, rules=Rules.tournament())
    room = CatanRoom(game, Settings(max_turns=SHOWN_TURNS))
    agents = [Agent(first_wish) for _ in range(2)]
    return "\n".join(_lines(room, agents))


def _lines(room: CatanRoom, agents: list[Agent]) -> Iterator[str]:
    """The conversation of seat 0, one message per line; MSG_SETUP split into its parts."""
    effects: list[Any] = [effect for line in range(2) for effect in room.opened(line, 0.0)]
    while effects:
        effect = effects.pop(0)
        if not hasattr(effect, "message"):
            continue
        if effect.line == 0:
            yield from _shown("<", effect.message)
        for message in agents[effect.line].received(effect.message, 0.0):
            if effect.line == 0:
                yield from _shown(">", message)
            effects += room.received(effect.line, message, 0.0)


def _shown(direction: str, message: Message) -> Iterator[str]:
    if not isinstance(message, Setup):
        yield _line(
            direction, BinaryCodec().encode(message), f"{name_of(message)} {_values(message)}"
        )
        return
    yield _line(direction, b"\x01", "MSG_SETUP")
    for parts in (message.cells, message.harbours, message.players):
        for part in parts[:2]:
            yield _line(" ", to_bytes(part), f"{type(part).__name__} {_values(part)}")
        if len(parts) > 2:
            yield f"                   ... {len(parts) - 2} more"


def _line(direction: str, data: bytes, text: str) -> str:
    return f"{direction} {data.hex(' '):{50}} {text}".rstrip()


def _values(value: Any) -> str:
    shown = []
    for field in fields(value):
        part = getattr(value, field.name)
        if part is not None:
            shown.append(f"{field.name}={_value(part)}")
    return " ".join(shown)


def _value(part: Any) -> str:
    if isinstance(part, IntEnum):
        return part.name
    if isinstance(part, tuple):
        return f"({', '.join(map(_value, part))})"
    if hasattr(part, "__dataclass_fields__"):
        return f"({', '.join(_value(getattr(part, field.name)) for field in fields(part))})"
    return str(part)


if __name__ == "__main__":
    (Path(sys.argv[1]) / "protocol.md").write_text(page(), encoding="utf-8")
