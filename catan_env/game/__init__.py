"""A single game: playing it, reading it, and a seat's view of it."""
