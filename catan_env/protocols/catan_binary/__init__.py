"""The tournament's binary protocol (PROTO.md); see docs/protocol.md."""
