"""The parts of a confirmed command that need no event: they are in the command itself.

The protocol's text: clients cannot assume that a state update will be sent, and UpdateAction
confirms the success of the requested action.
"""

from typing import Any

import numpy as np

from catan_env.guests.renaissance.command import Buy, Command, KeepLeaders, LeaderAction
from catan_env.guests.renaissance.known import Known
from catan_env.guests.renaissance.native.actions import PAIRS
from catan_env.guests.renaissance.native.state import ACTIVE, DISCARDED, EMPTY, KEPT


def complete(known: Known, command: Command, before: Any) -> None:
    """Carry out what a command of our seat says, unless an event has since it was sent.

    `before` is the record of the state in which it was sent.
    """
    state, seat = known.state, known.seat
    if isinstance(command, KeepLeaders):
        if (state["leader"][seat] == EMPTY).all():
            dealt = state["dealt"][seat]
            known.keep([int(dealt[PAIRS[command.pair, k]]) for k in range(KEPT)])
    elif isinstance(command, LeaderAction):
        if _is_unchanged("leader_state", known, before):
            how = ACTIVE if command.activates else DISCARDED
            state["leader_state"][seat, command.leader] = how
    elif isinstance(command, Buy) and _is_unchanged("slot", known, before):
        card, slot = int(before["top"][command.colour, command.level]), command.slot
        covered = state["slot"][seat, slot][: state["height"][seat, slot]].tolist()
        known.take_card(card)
        known.fill_slot(seat, slot, [*covered, card])


def _is_unchanged(field: str, known: Known, before: Any) -> bool:
    """True if our seat's part of a field is as before."""
    return np.array_equal(known.state[field][known.seat], before[field][known.seat])
