"""Protocol errors: ours (local) or the peer's (remote)."""


class ProtocolError(Exception):
    """A message that the protocol does not allow: what it was, what is allowed, where."""


class LocalProtocolError(ProtocolError):
    """We were about to send a message that the protocol does not allow."""


class RemoteProtocolError(ProtocolError):
    """The peer sent a message that the protocol does not allow."""
