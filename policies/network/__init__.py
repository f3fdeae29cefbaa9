"""Trained networks as policies, with NumPy alone."""

from catan_env.policies.network.network import Network, read, save, save_pointer

__all__ = ["Network", "read", "save", "save_pointer"]
