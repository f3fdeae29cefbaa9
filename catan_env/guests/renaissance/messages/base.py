"""The basis of all messages: JSON objects tagged by their type, maps, and containers."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**31 - 1)]
"""Python writes no integer of more than 4,300 digits: a sum of longer ones could not be sent."""
Map = dict[str, Int32]
Boxes = dict[Int32, Map] | list[dict[Int32, Map]]
Hand = Sequence[int | None] | None
"""Leaders; a hidden one is null, or missing as the whole list may be."""
TopCards = dict[str, list[int | list[int | None] | None] | None]
"""Cards by colour and level, in one of the forms that `Known.read_grid` reads."""


class Message(msgspec.Struct, tag=str, omit_defaults=True):
    """One JSON object, tagged by its type."""


class Command(msgspec.Struct, tag=str):
    """A request of a player; every map is written, because the real server ignores missing ones."""
