"""Play a legal action in a position's memory."""

import numpy as np

from catan_env.core import doors
from catan_env.core.constants import HARBOURS, HIDDEN, NOTHING
from catan_env.game.action import Action, ActionKind
from catan_env.game.position import Position


def take_more_harbours(position: Position, seat: int, vertex: int) -> None:
    """Enter the rates of any harbours beyond the nine that a game's block has room for."""
    if not position.rules.bank_trade:
        return
    rates = position._array["rates"][0, seat]
    for vertices, resource, rate in position.board.harbours[HARBOURS:]:
        if vertex in vertices:
            traded = slice(None) if resource is None else int(resource)
            rates[traded] = np.minimum(rates[traded], rate)
    doors.renew_mask(position._states, 0)


def discard_unseen(position: Position, seat: int, likely: Action) -> None:
    """Discard a card of unknown kind, likely this one; lower the count known to be left."""
    known = np.maximum(position._array["known"][0, seat] - 1, 0)
    doors.play(position._states, 0, likely.index, NOTHING)
    position._array["known"][0, seat] = known


def apply_action(position: Position, action: Action, code: int, seat: int) -> int:
    """Play a legal action of `seat` in the position's memory; return the engine's outcome code."""
    index = action.index
    if action.kind == ActionKind.DISCARD and code == HIDDEN:
        discard_unseen(position, seat, action)
    elif index is not None:
        outcome = int(doors.play(position._states, 0, index, code))
        if action.kind == ActionKind.SETTLEMENT and len(position.board.harbours) > HARBOURS:
            take_more_harbours(position, seat, action.args[0])
        return outcome
    elif action.kind == ActionKind.OFFER:
        to, give, get = action.args
        doors.play_offer(position._states, 0, to, np.array(give, np.int8), np.array(get, np.int8))
    elif action.kind == ActionKind.TIME_OUT:
        doors.end_turn_unasked(position._states, 0)
    elif action.kind == ActionKind.LEAVE:
        doors.leave_table(position._states, 0, seat)
    else:
        doors.play_bank_trade(position._states, 0, *action.args)
    return NOTHING
