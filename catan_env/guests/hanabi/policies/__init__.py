"""Policies by name (see `NAMES`), or from a network's weights file."""

from catan_env.adapters.policies import Policy
from catan_env.guests.hanabi.policies.policy import NAMES, as_policy, decide, load_policy

__all__ = ["NAMES", "Policy", "as_policy", "decide", "load_policy"]
