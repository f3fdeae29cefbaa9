"""The network's own messages: handshake, heartbeat, goodbye, and undecodable input."""

from catan_env.guests.renaissance.messages.base import Message

SILENCE = 12.5
"""Seconds of silence after which a heartbeat is requested; after as long again, a side leaves."""


class ReqWelcome(Message):
    """Each side sends it on connecting."""


class ResWelcome(Message):
    """The answer to it."""


class ReqHeartbeat(Message):
    """Sent after 12.5 seconds of silence."""


class ResHeartbeat(Message):
    """The answer to it."""


class ReqGoodbye(Message):
    """Leave-taking."""


class ResGoodbye(Message):
    """The answer to it; the connection closes."""


class ErrProtocol(Message):
    """A line that could not be read, in free text."""

    msg: str = ""


NETWORK = (
    ReqWelcome,
    ResWelcome,
    ReqHeartbeat,
    ResHeartbeat,
    ReqGoodbye,
    ResGoodbye,
    ErrProtocol,
)
