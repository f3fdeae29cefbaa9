"""Activation and discarding of leaders."""

from typing import NoReturn

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import LeaderAction
from catan_env.guests.renaissance.judge.holdings import Holdings, check_leader
from catan_env.guests.renaissance.judge.refusal import refuse
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.cards import COLOURS, GOODS, NEEDS, NEEDS_GOODS
from catan_env.guests.renaissance.native.state import ACTIVE, DISCARDED


def judge_leader_action(has: Holdings, message: m.ReqLeaderAction) -> LeaderAction | None:
    """The command for a leader in hand; None if an active one is activated again (R066)."""
    kept = has.state["leader"][has.seat].tolist()
    states = has.state["leader_state"][has.seat].tolist()
    held = [leader for leader, how in zip(kept, states, strict=True) if how != DISCARDED]
    check_leader(message.leader, held)
    i = kept.index(message.leader)
    if states[i] == ACTIVE:
        if message.isActivate:
            return None
        refuse(m.ErrActiveLeaderDiscarded())
    if message.isActivate and not has.ask(doors.meets_needs, message.leader):
        _refuse(has, message.leader)
    return LeaderAction(i, message.isActivate)


def _refuse(has: Holdings, leader: int) -> NoReturn:
    row = has.state["leaders"][leader].tolist()
    asked = dict(enumerate(row[NEEDS_GOODS : NEEDS_GOODS + GOODS]))
    missing = {good: count - has.ask(doors.count_of, good) for good, count in asked.items()}
    short = {m.NAMES[good]: count for good, count in missing.items() if count > 0}
    if short:
        refuse(m.ErrCardRequirements(missingResources=short))
    entries = []
    for colour, level, count in (row[NEEDS : NEEDS + 3], row[NEEDS + 3 : NEEDS + 6]):
        lacking = count - has.cards(colour, level)
        if lacking > 0:
            entries.append(m.CardEntry(COLOURS[colour], lacking, level))
    refuse(m.ErrCardRequirements(missingDevCards=entries))
