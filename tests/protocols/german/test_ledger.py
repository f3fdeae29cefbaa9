"""Movements of cards, announced in parts, in full, and ahead of their event."""

from catan_env.protocols.catan_german.ledger import Ledger, Move


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
