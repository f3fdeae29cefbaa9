"""Win probabilities of positions and moves, for pages that teach."""

from catan_env.policies.judge.judge import Judge

__all__ = ["Judge"]
