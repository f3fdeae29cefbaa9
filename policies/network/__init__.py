"""Trained networks as policies, without torch."""

from catan_env.adapters.weights import read
from catan_env.policies.network.network import Network, save, save_pointer

__all__ = ["Network", "read", "save", "save_pointer"]
