"""The version of a record: 0.3 is read, the others are named and refused.

The author's drafts differ in the form of a message:

- 0.1: an object with one key, the event code: {"PS": "Setup"}
- 0.2: uuid, player, event and value, except the first, {"PS": {"phase": "Setup"}}; tiles are arrays
- 0.3: as 0.2, with `batch`, tiles and harbours as objects, resources as an array of parties
- 0.4: an object with `aCode` instead of `event`, and no uuid
- 1.0: an array: ["1", "BS", {...}]
"""

from collections.abc import Sequence
from typing import Any

from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.values import Message

READ = (0.3, 0.03)
"""The version that is read, as in VI and in the text's own heading."""


def check_version(message: Message) -> None:
    """Raise NotationError unless this message, a VI, names the version that is read."""
    version = message["value"].get("version")
    if isinstance(version, bool) or not isinstance(version, (int, float)):
        raise unlike(version, "expected a version number, 0.3", ".value.version")
    if version not in READ:
        raise _refusal(f"{version}", ".value.version")


def refuse_other_versions(messages: Sequence[Any]) -> None:
    """Raise NotationError if the first message has the form of another version."""
    if not messages:
        return
    is_action = _is_action_of_1_0(list(messages[:3]))
    version = "1.0" if is_action else _version_of_shape(messages[0])
    if version is None and any(_is_map_of_0_2(message) for message in messages[:10]):
        version = "0.2"
    if version is not None:
        raise _refusal(version, "").of_message(0, messages[0])


def _version_of_shape(message: Any) -> str | None:
    if _is_action_of_1_0(message):
        return "1.0"
    if not isinstance(message, dict) or "event" in message:
        return None
    if "aCode" in message:
        return "0.4"
    if len(message) != 1 or next(iter(message)) not in ("PS", "PA", "MD"):
        return None
    return "0.1" if isinstance(next(iter(message.values())), str) else "0.2"


def _is_action_of_1_0(message: Any) -> bool:
    if not isinstance(message, list) or len(message) != 3:
        return False
    player, code, value = message
    return isinstance(player, str) and isinstance(code, str) and isinstance(value, dict)


def _is_map_of_0_2(message: Any) -> bool:
    """True if the message is a map whose tiles are arrays."""
    if not isinstance(message, dict) or message.get("event") != "MD":
        return False
    value = message.get("value")
    tiles = value.get("tiles") if isinstance(value, dict) else None
    return isinstance(tiles, list) and bool(tiles) and isinstance(tiles[0], list)


def _refusal(version: str, path: str) -> NotationError:
    return NotationError(
        f"this is Settlers Game Notation {version}; 0.3 is the version that is read", path
    )
