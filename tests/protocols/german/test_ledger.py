"""Movements of cards, announced in parts, in full, and ahead of their event."""

from catan_env import Action, Game, Resource
from catan_env.protocols.catan_german.ledger import Ledger, Move
from catan_env.protocols.catan_german.sea_trade import sea_trade


def brick(count: int) -> Move:
    """Bricks for seat 2."""
    return Move(2, 1, (count, 0, 0, 0, 0), count)


def test_parts_are_explained_up_to_what_is_due() -> None:
    ledger = Ledger()
    ledger.expect([(2, 1, 3)])
    assert ledger.explains(brick(1)) and not ledger.explains(brick(3))
    assert ledger.explains(brick(2)) and not ledger.explains(brick(1))


def test_a_movement_ahead_of_its_event_is_explained_in_full_before_parts_are() -> None:
    ledger = Ledger()
    ledger.open = [brick(1), brick(2)]
    ledger.expect([(2, 1, 2)])
    assert ledger.open == [brick(1)] and not ledger.explains(brick(1))


def test_cards_of_hidden_kinds_are_the_sea_trade_that_this_seat_requested_or_none() -> None:
    view, nothing = Game(seats=3, seed=1).view(0), (0,) * 5
    requested = (Action.bank_trade(Resource.BRICK, Resource.ORE),)

    def traded(seat: int, got: int, requested: tuple[Action, ...]) -> tuple[Action, ...]:
        moves = Move(seat, -1, nothing, 4 * got), Move(seat, 1, nothing, got)
        return sea_trade(view, *moves, requested)

    assert traded(0, 1, requested) == requested
    assert traded(1, 1, requested) == ()
    assert traded(0, 2, requested) == ()
    assert traded(0, 1, (Action.end_turn(),)) == ()


def test_cards_of_two_kinds_or_of_kinds_partly_hidden_are_of_no_only_kind() -> None:
    assert Move(2, 1, (0, 2, 0, 0, 0), 2).only_kind == Resource.GRAIN
    assert Move(2, 1, (1, 2, 0, 0, 0), 3).only_kind is None
    assert Move(2, 1, (0, 2, 0, 0, 0), 3).only_kind is None
    assert Move(2, 1, (0, 0, 0, 0, 0), 2).only_kind is None
