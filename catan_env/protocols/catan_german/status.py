"""What a Statusupdate says beside what the view has: the own numbers, and the sizes of others'.

A server that keeps our rules says nothing that the view does not have.
"""

from catan_env.core.constants import Phase
from catan_env.game import correction
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german import words
from catan_env.protocols.catan_german.messages import Player
from catan_env.protocols.catan_german.words import number_of, to_counts

PHASES = {
    words.PLACE_SETTLEMENT: Phase.PLACE_SETTLEMENT,
    words.PLACE_ROAD: Phase.PLACE_ROAD,
    words.ROLL: Phase.ROLL,
    words.DISCARD: Phase.DISCARD,
    words.ROBBER: Phase.ROBBER,
    words.MAIN: Phase.MAIN,
}
"""What a seat of that status decides."""


def correct(view: SeatView, seat: int, said: Player) -> bool:
    """Bring the view in line with what is said of a seat; whether it was not before."""
    was_wrong = [
        _correct_hand(view, seat, said),
        _correct_cards(view, seat, said),
        _correct_knights(view, seat, said),
    ]
    return any(was_wrong)


def _correct_hand(view: SeatView, seat: int, said: Player) -> bool:
    if said.cards is None:
        return False
    is_shown = seat == view.viewer and not said.cards.unknown
    size, hand = number_of(said.cards), to_counts(said.cards) if is_shown else None
    if size == view.hand_size(seat) and (hand is None or hand == view.hand(seat)):
        return False
    correction.believe_hand(view, seat, size, hand)
    return True


def _correct_cards(view: SeatView, seat: int, said: Player) -> bool:
    held = said.development_cards
    if held is None:
        return False
    number, cards = sum(held.values()), words.cards_of(held) if seat == view.viewer else None
    if number == view.card_count(seat) and (cards is None or cards == view.cards(seat)):
        return False
    correction.believe_cards(view, seat, number, cards)
    return True


def _correct_knights(view: SeatView, seat: int, said: Player) -> bool:
    if said.knights is None or said.knights == view.knights(seat):
        return False
    correction.believe_knights(view, seat, said.knights)
    return True
