"""The states of PROTO.md's server, its transitions, and the messages expected in a turn."""

from enum import Enum

from catan_env.core.constants import Phase
from catan_env.protocols.catan_binary.messages import (
    Build,
    Pass,
    Play,
    Rob,
    Roll,
    Trade,
    TradeAccept,
    TradeReject,
)


class State(Enum):
    """The states of PROTO.md's server."""

    INIT = "INIT"
    ACCEPT = "ACCEPT"
    BEGIN = "BEGIN"
    TURN = "TURN"
    PASS = "PASS"
    KICK = "KICK"
    END = "END"
    DEINIT = "DEINIT"


TRANSITIONS: dict[State, tuple[State, ...]] = {
    State.INIT: (State.ACCEPT,),
    State.ACCEPT: (State.BEGIN,),
    State.BEGIN: (State.TURN, State.KICK, State.END),
    State.TURN: (State.PASS, State.KICK),
    State.PASS: (State.TURN, State.KICK, State.END),
    State.KICK: (State.TURN, State.KICK, State.END),
    State.END: (State.DEINIT,),
    State.DEINIT: (),
}

EXPECTED: dict[Phase, tuple[type, ...]] = {
    Phase.ROLL: (Roll, Play),
    Phase.MAIN: (Pass, Play, Build, Trade),
    Phase.ROBBER: (Rob,),
    Phase.ANSWER: (TradeAccept, TradeReject),
}
"""`expected_messages`; while a choice is owed also MSG_TRADE, with free roads MSG_BUILD."""
