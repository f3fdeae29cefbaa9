"""The basis of all messages: JSON objects tagged by their type, maps, and containers."""

import msgspec

Map = dict[str, int]
Boxes = dict[int, Map] | list[dict[int, Map]]
TopCards = dict[str, list[int | None]]


class Message(msgspec.Struct, tag=str, omit_defaults=True):
    """One JSON object, tagged by its type."""


class Command(msgspec.Struct, tag=str):
    """A request of a player; every map is written, because the real server ignores missing ones."""
