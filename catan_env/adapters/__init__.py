"""The environments of every game, on one contract: `games.py`; no game and no rules."""
