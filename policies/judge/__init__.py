"""What positions and moves are worth in games won, for a page that teaches."""

from catan_env.policies.judge.judge import Judge

__all__ = ["Judge"]
