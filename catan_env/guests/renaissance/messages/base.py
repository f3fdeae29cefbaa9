"""What all messages are made of: JSON objects tagged by their type, maps, and containers."""

import msgspec

Map = dict[str, int]
Boxes = dict[int, Map] | list[dict[int, Map]]
TopCards = dict[str, list[int | None]]


class Message(msgspec.Struct, tag=str, omit_defaults=True):
    """One JSON object, tagged by its type."""


class Command(msgspec.Struct, tag=str):
    """What a player asks for; every map is written: a missing one the real server passes over."""
