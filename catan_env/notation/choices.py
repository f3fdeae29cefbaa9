"""Messages in which a seat, or the table, chooses: reading and playing them."""

from collections.abc import Collection, Sequence
from typing import Any

from catan_env.core.constants import DevelopmentCard, Phase, Resource
from catan_env.game.action import Action, Counts
from catan_env.game.event import HIDDEN, Event
from catan_env.game.game import Game
from catan_env.game.likely import likely_discard
from catan_env.game.view import SeatView
from catan_env.notation.discards import check_collected, concede, play_collected
from catan_env.notation.errors import NotationError
from catan_env.notation.messages import event_of
from catan_env.notation.narrator import say
from catan_env.notation.places import to_number
from catan_env.notation.playback import UNSEEN, Choices, Offer, Playback
from catan_env.notation.values import (
    ADMIN,
    BANK,
    BOUGHT,
    DICE,
    DISCARDED,
    LEFT,
    ROBBED,
    Message,
    extension,
    field,
    robbed_unseen,
    to_card,
    to_word,
)


def _build_settlement(playback: Playback, message: Message) -> None:
    vertex = field(message, "intersection")
    playback.play(playback.seat_of(message), Action.settlement(vertex))


def _build_city(playback: Playback, message: Message) -> None:
    playback.play(playback.seat_of(message), Action.city(field(message, "intersection")))


def _build_road(playback: Playback, message: Message) -> None:
    playback.play(playback.seat_of(message), Action.road(field(message, "path")))


def _roll(playback: Playback, message: Message) -> None:
    total = field(message, "result")
    if not 2 <= total <= 12:
        playback.refuse(total, "2..12", ".value.result")
    seat = playback.seat_of(message, playback.narrator.table.turn_seat)
    playback.play(seat, Action.roll(), _dice(playback, message, total))


def _dice(playback: Playback, message: Message, total: int) -> tuple[int, int]:
    """Return the two dice; some pair of that total if the message does not name them."""
    dice, path = extension(message, DICE) or (_pair_of(playback, total), "")
    if not isinstance(dice, list) or len(dice) != 2:
        playback.refuse(dice, "a pair of dice", path)
    first, second = (to_number(die, path) for die in dice)
    if first + second != total or not (1 <= first <= 6 and 1 <= second <= 6):
        playback.refuse(dice, f"two dice that make {total}", path)
    return first, second


def _pair_of(playback: Playback, total: int) -> list[int]:
    """Return the first two dice of a total that can be rolled now, or the first if none can.

    Balanced dice give a pair once until their deck is shuffled: of those left it is one that no
    later roll names, or the one that is named last.
    """
    table = playback.narrator.table
    pairs = [[die, total - die] for die in range(max(1, total - 6), min(6, total - 1) + 1)]
    if not table.rules.balanced_dice:
        return pairs[0]
    weights = table.roll_weights()
    left = [[one, other] for one, other in pairs if weights[6 * one + other - 7]]
    named = _dice_named_in(playback.messages[playback.at + 1 :])

    def next_use(pair: list[int]) -> int:
        said = f"{pair[0]} {pair[1]}"
        return named.index(said) if said in named else len(named)

    return max(left or pairs, key=next_use)


def _dice_named_in(messages: Sequence[Any]) -> list[str]:
    """Return the dice that rolls name, which are checked in their turn."""
    found = [extension(message, DICE) for message in messages if event_of(message) == "DR"]
    return [" ".join(map(str, pair)) for pair, _ in filter(None, found) if isinstance(pair, list)]


def _buy(playback: Playback, message: Message) -> None:
    seat, card = playback.seat_of(message), to_card(message["value"], ".value")
    if card is not None:
        playback.play(seat, Action.buy_development_card(), card)
        return
    if isinstance(playback.position, Game):
        raise NotationError("cCode is missing from the value of BD", ".value")
    playback.withdraw()
    ((_, *statements),) = playback.follow(seat, Action.buy_development_card(), HIDDEN)
    playback.enact([[message, *statements]])


def _happen(playback: Playback, message: Message) -> None:
    """Play an event without a code in the notation, written as an admin message."""
    if message["player"] != ADMIN:
        playback.refuse(message["player"], "A, the admin", ".player")
    unseen = ((BOUGHT, _buy_unseen), (DISCARDED, _discard_unseen))
    for key, happen in ((LEFT, _leave), *unseen):
        if (found := extension(message, key)) is not None:
            happen(playback, playback.seat_named(to_word(*found), found[1]))
            return


def _buy_unseen(playback: Playback, seat: int) -> None:
    if isinstance(playback.position, Game):
        raise NotationError("a card bought unseen; allowed only in one seat's record", f".{BOUGHT}")
    playback.play(seat, Action.buy_development_card(), HIDDEN)


def _discard_unseen(playback: Playback, seat: int) -> None:
    if isinstance(playback.position, Game):
        raise NotationError("a discard unseen; allowed only in one seat's record", f".{DISCARDED}")
    playback.check_decides(seat)
    likely = likely_discard(playback.narrator.table, seat)
    playback.play(seat, Action.discard(likely), HIDDEN)


def _put_down(playback: Playback, message: Message) -> None:
    card, seat = to_card(message["value"], ".value"), playback.seat_of(message)
    playback.withdraw()
    if card is None:
        raise NotationError("cCode is missing from the value of PD", ".value")
    if card == DevelopmentCard.KNIGHT:
        playback.enact(playback.follow(seat, Action.play_knight()))
    elif card == DevelopmentCard.ROAD_BUILDING:
        playback.play(seat, Action.play_road_building())
    elif card == DevelopmentCard.VICTORY_POINT:
        raise NotationError("a victory point is kept, not played", ".value.cCode")
    elif (at := playback.second_message(seat, _PLAYS[card])) is None:
        playback.at = len(playback.messages)
    elif card == DevelopmentCard.MONOPOLY:
        _play_monopoly(playback, seat, _second(playback, at, "MO"), at)
    else:
        _play_year_of_plenty(playback, seat, _second(playback, at, "YP"), at)


def _second(playback: Playback, at: int, event: str) -> Message:
    """Return the message with the rest of a choice; errors in it are reported as its own."""
    message = playback.look(at)
    if message["event"] != event:
        with playback.blaming(at):
            playback.refuse(message["event"], event, ".event")
    return message


def _play_monopoly(playback: Playback, seat: int, message: Message, at: int) -> None:
    with playback.blaming(at):
        kind, taken = _taken(playback, message, seat)
    playback.play(seat, Action.play_monopoly(kind), taken, at)


def _taken(playback: Playback, message: Message, seat: int) -> tuple[Resource, tuple[int, ...]]:
    """Return the kind of card that a monopoly takes, and the number from each seat."""
    shares = playback.shares(message)
    kinds = {kind for share in shares for kind in share.kinds}
    moved = {kind for kind in kinds if any(share.cards[kind] for share in shares)}
    if len(moved) > 1:
        playback.refuse(message["value"]["resources"], "one resource", ".value.resources")
    if not moved and len(kinds) != 1:
        kind = _lacked(playback, seat, message, kinds)
    else:
        (kind,) = moved or kinds
    taken = [0] * len(playback.players)
    for share in shares:
        if share.player not in (BANK, playback.players[seat]):
            taken[playback.players.index(share.player)] = -share.cards[kind]
    return Resource(kind), tuple(taken)


def _lacked(playback: Playback, seat: int, message: Message, kinds: Collection[int]) -> int:
    """Return the first of these kinds, or of all, that all other seats lack.

    Some writers do not name the kind of a monopoly that takes nothing.
    """
    table = playback.narrator.table
    others = [of for of in range(table.seats) if of != seat]
    hands = [table.hand(of) if playback.sees(of) else table.known(of) for of in others]
    for kind in sorted(kinds) or range(UNSEEN):
        if not any(hand[kind] for hand in hands):
            return kind
    playback.refuse(message["value"]["resources"], "one resource", ".value.resources")


def _play_year_of_plenty(playback: Playback, seat: int, message: Message, at: int) -> None:
    gained: list[Resource] = []
    with playback.blaming(at):
        for share in playback.shares(message):
            if share.player == playback.players[seat]:
                gained = [Resource(k) for k in range(UNSEEN) for _ in range(share.cards[k])]
        if len(gained) not in (1, 2):
            playback.refuse(message["value"]["resources"], "two cards gained", ".value.resources")
    playback.play(seat, Action.play_year_of_plenty(gained[0], gained[-1]), None, at)


def _two_shares(playback: Playback, message: Message, seat: int) -> tuple[tuple[int, ...], str]:
    """Return the seat's cards in an exchange with one other party, and that party."""
    shares = playback.shares(message)
    name = playback.players[seat]
    if len(shares) == 2:
        own, other = shares
        if other.player == name:
            own, other = other, own
        if own.player == name:
            return own.cards, other.player
    allowed = f"two entries, one of them of {name}"
    playback.refuse(message["value"]["resources"], allowed, ".value.resources")


def _with_bank(playback: Playback, message: Message, seat: int) -> tuple[int, ...]:
    """Return the seat's cards in an exchange with the bank."""
    cards, other = _two_shares(playback, message, seat)
    if other != BANK:
        playback.refuse(other, "the bank, B", ".value.resources")
    return cards


def _with_player(playback: Playback, message: Message, seat: int) -> tuple[tuple[int, ...], int]:
    """Return the seat's cards in an exchange with another seat, and that seat."""
    cards, other = _two_shares(playback, message, seat)
    if other == BANK:
        playback.refuse(other, "another player", ".value.resources")
    return cards, playback.players.index(other)


def _trade_with_bank(playback: Playback, message: Message) -> None:
    seat = playback.seat_of(message)
    cards = _with_bank(playback, message, seat)
    give = [Resource(k) for k in range(UNSEEN) if cards[k] < 0]
    get = [Resource(k) for k in range(UNSEEN) if cards[k] > 0]
    if len(give) != 1 or len(get) != 1 or cards[get[0]] != 1:
        allowed = "cards of one kind for one of another"
        playback.refuse(message["value"]["resources"], allowed, ".value.resources")
    rate = -cards[give[0]]
    is_best = rate == playback.narrator.table.trade_rates(seat)[give[0]]
    playback.play(seat, Action.bank_trade(give[0], get[0], None if is_best else rate))


def _move_robber(playback: Playback, message: Message) -> None:
    seat, tile = playback.seat_of(message), field(message, "tile")
    playback.withdraw()
    robberies = [Action.move_robber(tile, step) for step in range(1, len(playback.players))]
    at = playback.second_message(seat, [Action.move_robber(tile), *robberies])
    if at is not None and event_of(playback.messages[at]) == "RR":
        message = playback.look(at)
        with playback.blaming(at):
            unseen = robbed_unseen(message)
        if unseen is None and message["value"].get("resources") == []:
            none = say(playback.players[seat], "RR", resources=[])
            _rob_nothing(playback, seat, tile, at, none)
            return
        victim, outcome = _theft(playback, message, seat, at)
        playback.play(seat, robberies[playback.step(seat, victim) - 1], outcome, at)
    elif at is None and _has_rivals(playback.narrator.table, seat, tile):
        playback.at = len(playback.messages)  # the record ends before it names the victim
    else:
        _rob_nothing(playback, seat, tile, at)


def _rob_nothing(
    playback: Playback, seat: int, tile: int, at: int | None, *robbery: Message
) -> None:
    """Move the robber where no card can move; a message of the robbery may be there or not."""
    action = _robbery_of_nothing(playback, seat, tile) or Action.move_robber(tile)
    ((moved, *statements),) = playback.follow(seat, action, None, at)
    others = [due for due in statements if due["event"] != "RR"]
    playback.enact([[moved, *robbery, *others]])


def _robbery_of_nothing(playback: Playback, seat: int, tile: int) -> Action | None:
    """Return a robbery in which no card can move, if the tile allows no other.

    Other writers have no RR for it.
    """
    table = playback.narrator.table
    rivals = [rival for rival in table.seats_at(tile) if rival != seat]
    if any(table.hand_size(rival) for rival in rivals):
        return None
    robberies = [Action.move_robber(tile, playback.step(seat, rival)) for rival in rivals]
    return next((robbery for robbery in robberies if playback.may(seat, robbery)), None)


def _theft(playback: Playback, message: Message, seat: int, at: int) -> tuple[int, Any]:
    """Return the robbed seat and the card it lost: a Resource, HIDDEN, or None if it had none."""
    with playback.blaming(at):
        if (name := robbed_unseen(message)) is not None:
            _, path = extension(message, ROBBED) or (None, ".value.resources")
            return playback.seat_named(name, path), HIDDEN
        cards, victim = _with_player(playback, message, seat)
        stolen = [k for k, n in enumerate(cards) if n]
        if sum(cards) != len(stolen) or len(stolen) > 1:
            allowed = "one card, or none, of one player"
            playback.refuse(message["value"]["resources"], allowed, ".value.resources")
    return victim, Resource(stolen[0]) if stolen else None


def _make_offer(playback: Playback, message: Message) -> None:
    seat, uuid = playback.seat_of(message), message["uuid"]
    cards, to = _with_player(playback, message, seat)
    if uuid in playback.offers:
        playback.refuse(uuid, "a uuid that no open offer has", ".uuid")
    give, get = _sides(cards)
    offer = Offer(seat, to, give, get)
    table = playback.narrator.table
    if seat == table.turn_seat:
        step = playback.step(seat, offer.to)
        playback.withdraw()
        playback.narrator.offer_uuid = uuid
        playback.enact(playback.follow(seat, Action.offer(step, give, get)))
        playback.asked = uuid
    elif offer.to == table.turn_seat and table.phase in (Phase.MAIN, Phase.ANSWER):
        playback.at += 1
    else:
        on_turn = playback.players[table.turn_seat]
        playback.refuse(
            playback.players[seat], f"trade with player {on_turn}, in the turn", ".player"
        )
    playback.offers[uuid] = offer


def _offer_of(playback: Playback, message: Message) -> tuple[str, Offer]:
    uuid = field(message, "uuid")
    if uuid not in playback.offers:
        playback.refuse(uuid, "the uuid of an offer that is open in this turn", ".value.uuid")
    return uuid, playback.offers[uuid]


def _check_by(playback: Playback, message: Message, seat: int) -> None:
    if message["player"] != playback.players[seat]:
        playback.refuse(message["player"], playback.players[seat], ".player")


def _accept(playback: Playback, message: Message) -> None:
    uuid, offer = _offer_of(playback, message)
    _check_by(playback, message, offer.to)
    if playback.asked != uuid:
        _put_again(playback, offer)
    playback.narrator.offer_uuid = uuid
    batches = playback.follow(playback.narrator.table.seat, Action.accept())
    playback.asked = None
    del playback.offers[uuid]
    playback.enact(batches)


def _put_again(playback: Playback, offer: Offer) -> None:
    """Put an open offer back on the engine's table, where only the seat on turn makes offers."""
    playback.withdraw()
    seat, to, give, get = offer
    if seat != playback.narrator.table.turn_seat:
        seat, to, give, get = to, seat, get, give
    playback.put_in(seat, Action.offer(playback.step(seat, to), give, get))


def _decline(playback: Playback, message: Message) -> None:
    uuid, offer = _offer_of(playback, message)
    _check_by(playback, message, offer.to)
    del playback.offers[uuid]
    if playback.asked == uuid:
        playback.asked = None
        playback.enact(playback.follow(offer.to, Action.reject()))
    else:
        playback.at += 1


def _cancel(playback: Playback, message: Message) -> None:
    uuid, offer = _offer_of(playback, message)
    _check_by(playback, message, offer.seat)
    del playback.offers[uuid]
    if playback.asked == uuid:
        playback.withdraw()
    playback.at += 1


def _end_turn(playback: Playback, message: Message) -> None:
    if message["player"] == ADMIN:
        playback.asked = None
        seat = playback.narrator.table.turn_seat
        batches = playback.let(Event(seat, Action.time_out()))
        check_collected(playback)
        playback.enact(batches)
    else:
        playback.play(playback.seat_of(message), Action.end_turn())
    playback.offers.clear()


def _leave(playback: Playback, seat: int) -> None:
    table = playback.narrator.table
    turn = table.turn
    batches = playback.let(Event(seat, Action.leave()))
    playback.conceded.pop(seat, None)
    check_collected(playback)
    if table.turn != turn or table.is_over:
        playback.asked = None
        playback.offers.clear()
    playback.enact(batches)
    play_collected(playback)


def _sides(cards: tuple[int, ...]) -> tuple[Counts, Counts]:
    a, b, c, d, e, _ = cards
    give = max(-a, 0), max(-b, 0), max(-c, 0), max(-d, 0), max(-e, 0)
    return give, (max(a, 0), max(b, 0), max(c, 0), max(d, 0), max(e, 0))


def _has_rivals(table: Game | SeatView, seat: int, tile: int) -> bool:
    """True if another seat has built at the tile and can be robbed."""
    return any(rival != seat for rival in table.seats_at(tile))


_PLAYS = {
    DevelopmentCard.MONOPOLY: [Action.play_monopoly(r) for r in Resource],
    DevelopmentCard.YEAR_OF_PLENTY: [
        Action.play_year_of_plenty(a, b) for a in Resource for b in Resource if a <= b
    ],
}
"""Choices that begin with the same message."""
CHOICES: Choices = {
    "BC": _build_city,
    "BD": _buy,
    "BR": _build_road,
    "BS": _build_settlement,
    "CH": _happen,
    "CR": concede,
    "DR": _roll,
    "PD": _put_down,
    "RM": _move_robber,
    "TA": _accept,
    "TB": _trade_with_bank,
    "TC": _cancel,
    "TD": _decline,
    "TE": _end_turn,
    "TO": _make_offer,
}
