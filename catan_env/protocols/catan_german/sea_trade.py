"""Trades with the bank (4), which a Kosten and an Ertrag announce, in any order."""

from collections.abc import Sequence

from catan_env.core.constants import Resource
from catan_env.game.action import Action, ActionKind
from catan_env.game.view import SeatView
from catan_env.protocols.catan_german.ledger import Move


def sea_trade(
    view: SeatView, paid: Move, got: Move, requested: Sequence[Action]
) -> tuple[Action, ...]:
    """Return the trades of several cards of one kind for fewer of another; empty if it is none.

    If kinds are hidden, it is the trade that this seat `requested`, or none.
    """
    give, get = paid.only_kind, got.only_kind
    if give is None or get is None:
        is_own = paid.seat == view.viewer and _are_trades(requested, got.total)
        return tuple(requested) if is_own else ()
    if give == get or paid.total % got.total:
        return ()
    rate = _rate(view, paid.seat, give, paid.total // got.total)
    return (Action.bank_trade(give, get, rate),) * got.total


def _are_trades(requested: Sequence[Action], number: int) -> bool:
    is_trade = bool(requested) and requested[0].kind == ActionKind.BANK_TRADE
    return is_trade and len(requested) == number


def _rate(view: SeatView, seat: int, give: Resource, rate: int) -> int | None:
    """Return the rate to name; None for the seat's own."""
    return None if rate == view.trade_rates(seat)[give] else rate
