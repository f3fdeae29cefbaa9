"""Hanabi over WebSocket: messages, game and room of the server, follower and agent."""
