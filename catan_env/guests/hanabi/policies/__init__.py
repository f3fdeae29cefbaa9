"""Policies by name (see `NAMES`), or from a network's weights file."""

from catan_env.guests.hanabi.policies.policy import NAMES, Policy, as_policy, decide, load_policy

__all__ = ["NAMES", "Policy", "as_policy", "decide", "load_policy"]
