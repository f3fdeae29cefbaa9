"""Environments over the game: PettingZoo's AEC (`aec`) and Gymnasium's single seat (`single`)."""
