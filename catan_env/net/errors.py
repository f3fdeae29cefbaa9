"""What can go wrong in a conversation, by whose fault."""


class ProtocolError(Exception):
    """A message that the protocol does not allow: what came, what was allowed, where."""


class LocalProtocolError(ProtocolError):
    """We were about to say something that the protocol does not allow."""


class RemoteProtocolError(ProtocolError):
    """The other side said something that the protocol does not allow."""
