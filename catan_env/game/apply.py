"""Play a legal action in a position's memory."""

import numpy as np

from catan_env.core import doors
from catan_env.core.constants import HARBOURS, HIDDEN, NOTHING
from catan_env.game.action import Action, ActionKind
from catan_env.game.table import Table


def take_more_harbours(table: Table, seat: int, vertex: int) -> None:
    """Enter the rates of any harbours beyond the nine that a game's block has room for."""
    if not table.rules.bank_trade:
        return
    rates = table._array["rates"][0, seat]
    for vertices, resource, rate in table.board.harbours[HARBOURS:]:
        if vertex in vertices:
            traded = slice(None) if resource is None else int(resource)
            rates[traded] = np.minimum(rates[traded], rate)
    doors.renew_mask(table._states, 0)


def discard_unseen(table: Table, seat: int, likely: Action) -> None:
    """Discard a card of unknown kind, likely this one; lower the count known to be left."""
    known = np.maximum(table._array["known"][0, seat] - 1, 0)
    doors.play(table._states, 0, likely.index, NOTHING)
    table._array["known"][0, seat] = known


def apply_action(table: Table, action: Action, code: int, seat: int) -> int:
    """Play a legal action of `seat` in the position's memory; return the engine's outcome code."""
    index = action.index
    if action.kind == ActionKind.DISCARD and code == HIDDEN:
        discard_unseen(table, seat, action)
    elif index is not None:
        outcome = int(doors.play(table._states, 0, index, code))
        if action.kind == ActionKind.SETTLEMENT and len(table.board.harbours) > HARBOURS:
            take_more_harbours(table, seat, action.args[0])
        return outcome
    elif action.kind == ActionKind.OFFER:
        to, give, get = action.args
        doors.play_offer(table._states, 0, to, np.array(give, np.int8), np.array(get, np.int8))
    elif action.kind == ActionKind.TIME_OUT:
        doors.end_turn_unasked(table._states, 0)
    elif action.kind == ActionKind.LEAVE:
        doors.leave_table(table._states, 0, seat)
    else:
        doors.play_bank_trade(table._states, 0, *action.args)
    return NOTHING
