"""The contents of messages: cards, codes, and the values of every event."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from catan_env.core.constants import DevelopmentCard
from catan_env.game import board_code
from catan_env.notation import places
from catan_env.notation.errors import NotationError, unlike
from catan_env.notation.places import to_number

Message = dict[str, Any]
"""uuid, player, event, value and optionally batch, as in JSON."""

ADMIN, BANK = "A", "B"
UNKNOWN = "?"
"""The kind of a card that a seat has not seen (an extension)."""

DICE, LEFT, BOUGHT, ROBBED = "x-dice", "x-left", "x-bought", "x-robbed"
DISCARDED = "x-discarded"
"""Extensions: the two dice; the player who leaves, buys, is robbed or discards unseen."""
HAPPENINGS = (LEFT, BOUGHT, DISCARDED)
"""Admin messages for events that the notation lacks."""

LETTERS = board_code.LETTERS
"""The letter of each Resource: brick, grain, lumber, ore, wool."""
MOST = 99
"""The most cards of a kind in one entry."""
KINDS = {letter: kind for kind, letter in enumerate(LETTERS + UNKNOWN)}

CARD_CODES = {
    DevelopmentCard.KNIGHT: "KN",
    DevelopmentCard.ROAD_BUILDING: "RB",
    DevelopmentCard.YEAR_OF_PLENTY: "YP",
    DevelopmentCard.MONOPOLY: "MO",
    DevelopmentCard.VICTORY_POINT: "VP",
}
CARDS = {code: card for card, code in CARD_CODES.items()}
PHASES = ("Setup", "Deployment", "Play", "End")


class Share(NamedTuple):
    """One party's part in an exchange: cards gained (negative if lost), by Resource."""

    player: str
    cards: tuple[int, ...]
    """Five counts by Resource, and one of unseen cards."""
    kinds: tuple[int, ...]
    """The kinds that were named, including those with zero cards."""


def resources(shares: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    """Return the resource notation of cards by party and letter."""
    return [{"player": player, **cards} for player, cards in shares.items()]


def cards_of(counts: Any, sign: int = 1) -> dict[str, int]:
    """Return the letters and numbers of five counts by Resource, without zeros."""
    return {letter: sign * n for letter, n in zip(LETTERS, counts, strict=True) if n}


def swap(
    one: str, gives: Mapping[str, int], other: str, gets: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Return the resource notation of a trade: `one` gives and gets, `other` the reverse."""
    lost = {letter: -n for letter, n in gives.items()}
    back = {letter: -n for letter, n in gets.items()}
    return [{"player": one, **lost, **gets}, {"player": other, **gives, **back}]


def to_shares(value: Any, at: str) -> list[Share]:
    """Return checked resource notation, each kind summing to zero; a party's entries are added."""
    if not isinstance(value, list):
        raise unlike(value, "expected a list of objects, one for each party", at)
    shares = [_to_share(entry, at, k) for k, entry in enumerate(value)]
    totals = list(map(sum, zip(*(share.cards for share in shares), strict=True)))
    if any(totals):
        kind = next(kind for kind, total in enumerate(totals) if total)
        last = max(k for k, share in enumerate(shares) if kind in share.kinds)
        letter = (LETTERS + UNKNOWN)[kind]
        raise NotationError(
            f"the entries of {letter} sum to {totals[kind]:+}; expected 0",
            f"{at}[{last}].{letter}",
        )
    is_merged = len({share.player for share in shares}) == len(shares)
    return shares if is_merged else _merged(shares, at)


def _merged(shares: list[Share], at: str) -> list[Share]:
    """Return one share of each party, the sum of its entries."""
    sums: dict[str, dict[int, int]] = {}
    last: dict[tuple[str, int], int] = {}
    for k, share in enumerate(shares):
        cards = sums.setdefault(share.player, {})
        for kind in share.kinds:
            cards[kind] = cards.get(kind, 0) + share.cards[kind]
            last[share.player, kind] = k
    for (player, kind), k in last.items():
        _to_count(sums[player][kind], f"{at}[{k}].{(LETTERS + UNKNOWN)[kind]}")
    kinds = range(len(KINDS))
    return [
        Share(player, tuple(cards.get(kind, 0) for kind in kinds), tuple(cards))
        for player, cards in sums.items()
    ]


def _to_share(entry: Any, at: str, k: int) -> Share:
    if not isinstance(entry, dict) or not isinstance(entry.get("player"), str):
        allowed = "expected an object with a player and counts by resource"
        raise unlike(entry, allowed, f"{at}[{k}]")
    cards = [0] * len(KINDS)
    kinds = []
    for letter, n in entry.items():
        if letter in KINDS:
            kind = KINDS[letter]
            kinds.append(kind)
            is_plain = type(n) is int and -MOST <= n <= MOST
            cards[kind] = n if is_plain else _to_count(n, f"{at}[{k}].{letter}")
        elif letter != "player":
            raise unlike(letter, "expected 'player', B, G, L, O, W or ?", f"{at}[{k}]")
    return Share(entry["player"], tuple(cards), tuple(kinds))


def _to_count(value: Any, at: str) -> int:
    n = to_number(value, at)
    if abs(n) > MOST:
        raise unlike(value, f"expected -{MOST}..{MOST} cards", at)
    return n


def to_card(value: Message, at: str) -> DevelopmentCard | None:
    """Return the card named by cCode, or by code in older texts; None if it is hidden."""
    for key in ("cCode", "code"):
        if key in value:
            code = value[key]
            if not isinstance(code, str) or code not in CARDS:
                raise unlike(code, "expected KN, MO, RB, VP or YP", f"{at}.{key}")
            return CARDS[code]
    return None


def to_word(value: Any, at: str) -> str:
    """Return a string that can be written as UTF-8: JSON may escape half of a surrogate pair."""
    if not isinstance(value, str):
        raise unlike(value, "expected a string", at)
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise unlike(value, "expected no half of a surrogate pair", at)
    return value


def _to_changes(value: Any, at: str) -> dict[str, tuple[int, ...]]:
    return {share.player: share.cards for share in to_shares(value, at) if any(share.cards)}


_READ: dict[str, Callable[[Any, str], Any]] = {
    "intersection": places.to_vertex,
    "path": places.to_edge,
    "tile": places.to_tile,
    "resources": _to_changes,
    "msg": to_word,
    "phase": to_word,
    "player": to_word,
    "uuid": to_word,
    "length": to_number,
    "result": to_number,
    "round": to_number,
    "strength": to_number,
}


def field(message: Message, key: str) -> Any:
    """Return the value of a message under `key`, parsed; NotationError if it is missing."""
    at = f".value.{key}"
    if key not in message["value"]:
        raise NotationError(f"{key} is missing from the value of {message['event']}", ".value")
    return _READ[key](message["value"][key], at)


def extension(message: Message, key: str) -> tuple[Any, str] | None:
    """Return the value under an extension's key and its path; None if it is missing.

    It is next to the message's event; older records have it in the value.
    """
    if key in message:
        return message[key], f".{key}"
    value = message.get("value")
    return (value[key], f".value.{key}") if isinstance(value, dict) and key in value else None


def check_keys(value: Mapping[str, Any], allowed: Collection[str], noun: str, at: str) -> None:
    """Raise NotationError for a key that is neither allowed nor an extension, with "x-"."""
    for key in value:
        if key not in allowed and not key.startswith("x-"):
            raise unlike(key, f"{noun} has no such key", at)


def meaning(message: Message) -> dict[str, Any]:
    """Return a message's value in normal form: equivalent messages have equal values."""
    read: dict[str, Any] = {}
    for key, value in message["value"].items():
        if key in ("cCode", "code"):
            read["card"] = to_card(message["value"], ".value")
        elif key in _READ:
            read[key] = _READ[key](value, f".value.{key}")
    return read


def shares_of(message: Message) -> list[Share]:
    """Return the resource notation of a message."""
    if "resources" not in message["value"]:
        raise NotationError(f"resources are missing from the value of {message['event']}", ".value")
    return to_shares(message["value"]["resources"], ".value.resources")


def robbed_unseen(message: Message) -> str | None:
    """Return the player who lost a card whose kind the record's player did not see.

    Older records move a card of the kind "?" instead.
    """
    found = extension(message, ROBBED)
    if found is not None:
        return to_word(*found)
    losers = [share.player for share in shares_of(message) if share.cards[len(LETTERS)] == -1]
    return losers[0] if len(losers) == 1 else None
