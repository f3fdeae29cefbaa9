"""Trained networks as policies, with NumPy alone."""

from catan_env.policies.network.network import Network, save, save_graph

__all__ = ["Network", "save", "save_graph"]
