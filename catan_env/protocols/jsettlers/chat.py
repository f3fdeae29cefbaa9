"""Trades by chat, as StacSettlers' robots make them: texts to messages and back.

`TRD:0:1,2:` and the offer, or a word, addressed by seat 0 to seats 1 and 2; then the same in
English. An offer lists its cards in the order of the codes:

    game=t~from=0~to=false,true,true,false~give=clay=1~ore=0~...~disj=false~get=clay=0~...~disj=false

>>> said = to_text(MakeOffer("t", 0, False, True, False, False, (1, 0, 0, 0, 0, 0, 0, 2, 0, 0)))
>>> said.split("~give")[0]
'TRD:0:1:game=t~from=0~to=false,true,false,false'
>>> from_text("t", said).counts
(1, 0, 0, 0, 0, 0, 0, 2, 0, 0)
>>> from_text("t", answer(1, 0, ACCEPTED))
Answer(seat=1, to=0, word='ACC')
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from catan_env.protocols.jsettlers.messages import MakeOffer

ACCEPTED, REFUSED, NO_ANSWER = "ACC", "REJ", "NO_RESPONSE"
"""Words; a player whose cards an offer does not ask for gives no answer."""
TAKES_PART = "PARTICIPATE"
"""Said once by each player that trades by chat."""
READY = "NULL:ST"
"""Said by each such player once the dice of a turn are paid."""
NAMES = ("clay", "ore", "sheep", "wheat", "wood")
NOTHING = (0,) * (2 * len(NAMES))
IN_ENGLISH = "~nlchatstring="

_CARDS = "~".join(rf"{name}=(\d{{1,2}})" for name in (*NAMES, "unknown"))
_FLAG = "(true|false)"
_OFFER = re.compile(
    rf"game=[^~]*~from=\d~to={','.join([_FLAG] * 4)}"
    rf"~give={_CARDS}~disj={_FLAG}~get={_CARDS}~disj={_FLAG}"
)
_TRADE = re.compile(r"TRD:([0-3]):([0-3])(?:,[0-3])*:(.*)")


@dataclass(frozen=True)
class Answer:
    """A player's word to another one."""

    seat: int
    to: int
    word: str


def from_text(game: str, text: str) -> MakeOffer | Answer | None:
    """Return what a text means, or None if it is not about a trade.

    An offer of alternatives is returned as one of nothing.
    """
    trade = _TRADE.fullmatch(text.partition(IN_ENGLISH)[0])
    if trade is None:
        return None
    seat, to, body = int(trade[1]), int(trade[2]), trade[3]
    if body in (ACCEPTED, REFUSED, NO_ANSWER):
        return Answer(seat, to, body)
    offer = _OFFER.fullmatch(body)
    return None if offer is None else _offer(game, seat, offer.groups())


def _offer(game: str, seat: int, said: Sequence[str]) -> MakeOffer:
    named, give, get = said[:4], said[4:11], said[11:]
    counts = tuple(int(n) for side in (give, get) for n in side[: len(NAMES)])
    has_alternatives = "true" in (give[-1], get[-1])
    to_0, to_1, to_2, to_3 = (flag == "true" for flag in named)
    return MakeOffer(game, seat, to_0, to_1, to_2, to_3, NOTHING if has_alternatives else counts)


def to_text(offer: MakeOffer) -> str:
    """Return an offer as a text; the inverse of `from_text`."""
    flags = (offer.to_0, offer.to_1, offer.to_2, offer.to_3)
    seats = ",".join(str(seat) for seat, is_named in enumerate(flags) if is_named)
    named = ",".join(str(is_named).lower() for is_named in flags)
    give, get = offer.counts[: len(NAMES)], offer.counts[len(NAMES) :]
    return (
        f"TRD:{offer.seat}:{seats}:game={offer.game}~from={offer.seat}~to={named}"
        f"~give={_cards(give)}~disj=false~get={_cards(get)}~disj=false{IN_ENGLISH}An offer."
    )


def answer(seat: int, to: int, word: str) -> str:
    """Return a word to another player as a text."""
    return f"TRD:{seat}:{to}:{word}{IN_ENGLISH}{word}"


def _cards(counts: Sequence[int]) -> str:
    pairs = zip((*NAMES, "unknown"), (*counts, 0), strict=True)
    return "~".join(f"{name}={n}" for name, n in pairs)
