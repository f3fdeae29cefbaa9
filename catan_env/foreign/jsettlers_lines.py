"""The lines of JSettlers' game event logs: of its own since 2.5, and of StacSettlers.

A line has the text form of a message: its name, and fields such as `playerNumber=3`. JSettlers'
lines begin with the message's audience or sender, StacSettlers' with the time.
"""

import re
from dataclasses import dataclass, field

HEADER = "SOC game event log: type="
SETS = ("give", "get", "resources", "toAccepting", "toOffering")
"""Fields that are six counts of cards."""
KINDS = ("clay", "ore", "sheep", "wheat", "wood", "unknown")
CHAT = frozenset(("SOCGameTextMsg", "SOCGameServerText", "SOCMakeOffer"))
"""Messages with free text, or with fields in fields."""
OLDEST = 2500
_TO = r"(all|ob|un|fo|[pf]\d|!p\d|!p\[[\d, ]+\])"
_OURS = re.compile(rf"(?:\d+:\d\d\.\d{{3}}:)?{_TO}:(SOC\w+)(?::(.*))?")
_STAC = re.compile(r"\d{4}(?::\d\d){5}:\d{3}:[+-]\d{4}:(SOC\w+)(?::(.*))?")
_STAC_LIKE = re.compile(r":SOC[A-Z][A-Za-z]*:game=")


@dataclass(frozen=True)
class Message:
    """A message: who it is to ("all", "p3", "!p3", or "" in StacSettlers' logs) and its fields."""

    name: str
    to: str = ""
    text: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    cards: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """Six counts by the field's name, in the order of KINDS."""
    bare: tuple[str, ...] = ()
    """Values without a name, in order; those named `p` are among them."""

    def number(self, name: str, base: int = 10) -> int:
        """A field as a number; ValueError."""
        if name not in self.fields:
            raise ValueError(f"{self.name} has no {name}")
        try:
            return int(self.fields[name], base)
        except ValueError:
            raise ValueError(f"{self.name}: {name} is {self.fields[name][:20]!r}") from None

    def six(self, name: str) -> tuple[int, ...]:
        """A field as six counts; ValueError."""
        if name not in self.cards:
            raise ValueError(f"{self.name} has no {name}")
        return self.cards[name]


def is_one(text: str) -> bool:
    """True if a text looks like a log."""
    return text.startswith(HEADER) or is_stac(text)


def is_stac(text: str) -> bool:
    """True if a text looks like a log of StacSettlers."""
    return any(_STAC.fullmatch(line) for line in lines_of(text[:4000])[:5])


def lines_of(text: str) -> list[str]:
    """The lines of a log: only a line feed ends one, chat may contain other separators."""
    return text.split("\n")


def message_in(line: str, stac: bool) -> Message | None:
    """The message of a line; None for a comment, chat, or what a client or an observer is sent.

    ValueError if the line is damaged. StacSettlers' logs do not tell clients from the server.
    """
    line = line.strip()
    if stac:
        found = _STAC.fullmatch(line)
        if found is not None:
            return parsed(found[1], "", found[2] or "")
        if _STAC_LIKE.search(line) and "GAME-TEXT-MESSAGE" not in line:
            raise ValueError(f"{line[:60]!r} is not a message")
        return None
    if not line or line.startswith("#"):
        return None
    found = _OURS.fullmatch(line)
    if found is None:
        raise ValueError(f"{line[:60]!r} is not a message")
    to = found[1]
    return None if to[0] in "fou" else parsed(found[2], to, found[3] or "")


def check_header(line: str) -> None:
    """Raise ValueError unless it is the first line of a log that can be read."""
    version = re.search(r", version=(\d+),", line)
    if version is None or int(version[1]) < OLDEST:
        raise ValueError(
            f"the first line is {line[:60]!r}; only version={OLDEST} or later can be read"
        )


def parsed(name: str, to: str, text: str) -> Message:
    """A message; ValueError if its fields are damaged."""
    fields: dict[str, str] = {}
    cards: dict[str, dict[str, int]] = {}
    bare: list[str] = []
    now: dict[str, int] | None = None
    if name in CHAT:
        return Message(name, to, text)
    try:
        for piece in text.split("|"):
            key, sign, value = piece.partition("=")
            if key in SETS and value.startswith("clay="):
                now = cards.setdefault(key, {})
                now["clay"] = int(value[5:])
            elif now is not None and key in KINDS:
                now[key] = int(value)
            elif re.fullmatch(r"(e\d+=-?\d+,?)+", piece):
                fields |= dict(pair.split("=") for pair in piece.split(","))
            elif key == "p" or not sign:
                bare.append(value if sign else piece)
            else:
                fields[key], now = value, None
        sets = {key: tuple(each[kind] for kind in KINDS) for key, each in cards.items()}
    except (ValueError, KeyError):
        raise ValueError(f"the fields of {name} are damaged: {text[:60]!r}") from None
    return Message(name, to, text, fields, sets, tuple(bare))
