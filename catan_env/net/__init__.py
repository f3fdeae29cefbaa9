"""Conversations over a wire, independent of the protocol: layouts, framing, rooms, a server."""

from catan_env.net.errors import LocalProtocolError, ProtocolError, RemoteProtocolError
from catan_env.net.framing import Codec, Connection

__all__ = ["Codec", "Connection", "LocalProtocolError", "ProtocolError", "RemoteProtocolError"]
