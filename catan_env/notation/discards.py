"""Discards on a seven, which seats make at the same time: the engine takes them clockwise."""

from collections.abc import Sequence

from catan_env.core.constants import MOST_CARDS, Phase, Resource
from catan_env.game.action import Action
from catan_env.notation.playback import UNSEEN, Playback
from catan_env.notation.values import ADMIN, BANK, Message


def concede(playback: Playback, message: Message) -> None:
    """Play the discards of a message, of one seat or, from the admin, of several."""
    discards = _discards_in(playback, message)
    if playback.scripted:
        _tick(playback, message, discards)
    else:
        for seat, cards in discards.items():
            _collect(playback, message, seat, cards)
        play_collected(playback)
    playback.at += 1


def _discards_in(playback: Playback, message: Message) -> dict[int, list[Resource]]:
    """Return the cards that each seat gives to the bank."""
    speaker = message["player"]
    shares = [share for share in playback.shares(message) if any(share.cards)]
    own = [share for share in shares if share.player != BANK]
    if speaker != ADMIN:
        playback.seat_of(message)
        if any(share.player != speaker for share in own):
            playback.refuse(
                message["value"]["resources"], f"cards of {speaker}", ".value.resources"
            )
    if not own or any(n > 0 for share in own for n in share.cards):
        playback.refuse(message["value"]["resources"], "cards given up", ".value.resources")
    if any(-sum(share.cards) > MOST_CARDS for share in own):
        allowed = f"at most {MOST_CARDS} cards given up"
        playback.refuse(message["value"]["resources"], allowed, ".value.resources")
    return {
        playback.players.index(share.player): [
            Resource(k) for k in range(UNSEEN) for _ in range(-share.cards[k])
        ]
        for share in own
    }


def _tick(playback: Playback, message: Message, discards: dict[int, list[Resource]]) -> None:
    """Tick discards off that the table has chosen, one by one, in any order."""
    left = list(playback.scripted)
    for seat, cards in discards.items():
        for card in cards:
            said = ("CR", playback.players[seat], card)
            at = next(
                (k for k, batch in enumerate(left) if _card_of(playback, batch) == said), None
            )
            if at is None:
                playback.refuse_other(message, left[0][0] if left else None)
            del left[at]
    playback.scripted = left


def _card_of(playback: Playback, batch: Sequence[Message]) -> tuple[str, str, Resource | None]:
    """Return the event, the player and the card of a discard that the table has chosen."""
    choice = batch[0]
    if choice["event"] != "CR":
        return choice["event"], choice["player"], None
    ((_, (card,)),) = _discards_in(playback, choice).items()
    return "CR", choice["player"], card


def _collect(playback: Playback, message: Message, seat: int, cards: list[Resource]) -> None:
    """Play the discards of the seat to decide; keep another's until it is asked."""
    table = playback.narrator.table
    if seat == table.seat or table.phase != Phase.DISCARD:
        for card in cards:
            playback.follow(seat, Action.discard(card))
        return
    kept = [*playback.conceded.get(seat, []), *cards]
    if len(kept) > table.owes(seat) or not _may_hold(playback, seat, kept):
        playback.refuse(
            message["value"]["resources"],
            f"{table.owes(seat)} cards that player {playback.players[seat]} holds",
            ".value.resources",
        )
    playback.conceded[seat] = kept


def _may_hold(playback: Playback, seat: int, cards: list[Resource]) -> bool:
    """True if the seat may hold all these cards, as far as the record shows."""
    table = playback.narrator.table
    held = table.hand(seat) if playback.sees(seat) else table.known(seat)
    missing = sum(max(0, cards.count(Resource(k)) - n) for k, n in enumerate(held))
    return missing <= table.hand_size(seat) - sum(held)


def check_collected(playback: Playback) -> None:
    """Raise NotationError if the message ends the discards before those that were collected."""
    if playback.conceded and playback.narrator.table.phase != Phase.DISCARD:
        name = playback.players[min(playback.conceded)]
        came = playback.messages[playback.at]["event"]
        playback.refuse(came, f"the discards that precede those of player {name}", ".event")


def play_collected(playback: Playback) -> None:
    """Play the discards that came before their seat was asked, if it is asked now."""
    table = playback.narrator.table
    while table.phase == Phase.DISCARD and table.seat in playback.conceded:
        seat = table.seat
        for card in playback.conceded.pop(seat):
            playback.follow(seat, Action.discard(card))
