"""Hanabi over WebSocket: messages, table and room of the server, follower and agent."""
