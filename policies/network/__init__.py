"""Trained networks as policies, without torch."""

from catan_env.adapters.weights import read
from catan_env.policies.network.network import Network, save, save_pointer

check = load = Network
"""`check` raises ValueError for an invalid weights file; `load` returns its policy."""

__all__ = ["Network", "check", "load", "read", "save", "save_pointer"]
