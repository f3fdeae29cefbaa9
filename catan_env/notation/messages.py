"""The shape of a single message, and the equivalence of two messages."""

import json
from typing import Any, NoReturn

from catan_env.kernel.shown import shortened
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.values import (
    HAPPENINGS,
    ROBBED,
    Message,
    check_keys,
    extension,
    meaning,
    robbed_unseen,
    to_word,
)

EVENT_NAMES = {
    "BC": "build city",
    "BD": "build development card",
    "BR": "build road",
    "BS": "build settlement",
    "CH": "chat",
    "CR": "concede resources",
    "DR": "dice roll",
    "GO": "game over",
    "LA": "largest army",
    "LR": "longest road",
    "MD": "map define",
    "MO": "monopoly",
    "PA": "player add",
    "PD": "play development card",
    "PE": "phase end",
    "PS": "phase start",
    "RA": "robber activate",
    "RD": "robber deactivate",
    "RE": "round end",
    "RM": "robber move",
    "RP": "resource production",
    "RR": "robber rob",
    "RS": "round start",
    "TA": "trade accept",
    "TB": "trade bank",
    "TC": "trade cancel",
    "TD": "trade decline",
    "TE": "turn end",
    "TO": "trade offer",
    "TR": "trade",
    "TS": "turn start",
    "VI": "version information",
    "YP": "year of plenty",
}
"""The 32 event codes of the text, and VI, which its final version adds, with their names."""
EVENTS = frozenset(EVENT_NAMES)
VALUE_KEYS = {
    **dict.fromkeys(EVENTS, frozenset[str]()),
    **dict.fromkeys(("BC", "BS"), frozenset(("intersection",))),
    **dict.fromkeys(("BD", "PD"), frozenset(("cCode", "code"))),
    **dict.fromkeys(("CR", "MO", "RP", "RR", "TB", "TO", "YP"), frozenset(("resources",))),
    **dict.fromkeys(("PE", "PS"), frozenset(("phase",))),
    **dict.fromkeys(("RE", "RS"), frozenset(("round",))),
    **dict.fromkeys(("TA", "TC", "TD"), frozenset(("uuid",))),
    "BR": frozenset(("path",)),
    "CH": frozenset(("msg",)),
    "DR": frozenset(("result",)),
    "LA": frozenset(("strength",)),
    "LR": frozenset(("length",)),
    "MD": frozenset(("tiles", "harbors")),
    "PA": frozenset(("player",)),
    "RM": frozenset(("tile",)),
    "TR": frozenset(("uuid", "resources")),
    "VI": frozenset(("version", "schema_uri")),
}
"""The keys of a value, by event, without extensions; GO, RA, RD, TE and TS have none."""
KEYS = frozenset(("uuid", "player", "event", "value", "batch"))
_NEEDED = (("uuid", str), ("player", str), ("event", str), ("value", dict))


def checked(message: Any) -> Message:
    """Return `message` if it has the right shape; else raise NotationError."""
    if not isinstance(message, dict):
        raise unlike(message, "expected an object with uuid, player, event and value", "")
    get = message.get
    if not (
        type(get("uuid")) is type(get("player")) is type(get("event")) is str
        and type(get("value")) is dict
    ):
        _refuse_needed(message)
    to_word(message["uuid"], ".uuid")
    to_word(message["player"], ".player")
    if message["event"] not in EVENTS:
        raise unlike(message["event"], "expected one of the 33 event codes", ".event")
    if not message["value"].keys() <= VALUE_KEYS[message["event"]]:
        check_keys(message["value"], VALUE_KEYS[message["event"]], message["event"], ".value")
    if len(message) > len(_NEEDED):
        _check_rest(message)
    return message


def _refuse_needed(message: Message) -> NoReturn:
    key, kind = next((key, kind) for key, kind in _NEEDED if type(message.get(key)) is not kind)
    if key not in message:
        raise NotationError(f"{key} is missing from the message")
    allowed = "an object" if kind is dict else "a string"
    raise unlike(message[key], f"expected {allowed}", f".{key}")


def _check_rest(message: Message) -> None:
    if len(message) > len(KEYS) or "batch" not in message:
        check_keys(message, KEYS, "a message", "")
    batch = message.get("batch", [1, 1])
    if (
        not isinstance(batch, list)
        or len(batch) != 2
        or not type(batch[0]) is type(batch[1]) is int
        or not 1 <= batch[0] <= batch[1]
    ):
        raise unlike(batch, "expected [number of the message, length of the batch]", ".batch")


def is_literal(message: Message, expected: Message) -> bool:
    """True if the message is the expected one, word for word."""
    return (
        message["event"] == expected["event"]
        and message["player"] == expected["player"]
        and repr(message["value"]) == repr(expected["value"])  # 1 is not True, nor 1.0
    )


def is_same(message: Message, expected: Message) -> bool:
    """True if `message` means the same as the expected one, whatever its player.

    A trade may leave out the offer's uuid. A theft that the record's player did not see may be
    written with cards of the kind "?".
    """
    event = expected["event"]
    if message["event"] != event:
        return False
    if event == "CH":
        return _happening(message) == _happening(expected)
    if ROBBED in expected:
        return robbed_unseen(message) == expected[ROBBED]
    said, meant = meaning(message), meaning(expected)
    if event == "TR":
        said.setdefault("uuid", meant["uuid"])
    return said == meant


def _happening(message: Message) -> list[Any]:
    """Return the event in an admin message, regardless of its text."""
    return [found and found[0] for found in (extension(message, key) for key in HAPPENINGS)]


def event_of(message: Any) -> str | None:
    """Return the event of a message whose shape has not been checked yet."""
    event = message.get("event") if isinstance(message, dict) else None
    return event if isinstance(event, str) else None


def is_chat(message: Any) -> bool:
    """True if the message is talk, not an event without a code."""
    return event_of(message) == "CH" and not any(extension(message, key) for key in HAPPENINGS)


def say_message(message: Message) -> str:
    """Return a short form of a message, for an error."""
    player, value = shortened(message["player"], 20), shortened(json.dumps(message["value"]), 70)
    event = message["event"]
    return f"{event} ({EVENT_NAMES[event]}) of {player} with {value}"
