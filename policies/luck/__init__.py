"""The luck of games: what chance did to each seat's win probability."""

from catan_env.policies.luck.luck import luck_of_game, luck_of_moves

__all__ = ["luck_of_game", "luck_of_moves"]
