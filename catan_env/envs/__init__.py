"""Environments over the game, each with a page of options in its module's documentation.

- `aec`: PettingZoo, an agent for every seat
- `single`: Gymnasium, one seat against policies
- `vector`: Gymnasium, many games at once, one seat in each
- `sb3`: Stable-Baselines3, many games, one seat or all seats of each learn
"""
