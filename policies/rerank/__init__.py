"""A network that reorders `greedy`'s best moves by the positions that they lead to."""

from catan_env.policies.rerank.network import RerankNetwork, save
from catan_env.policies.rerank.reranker import Reranker

check = RerankNetwork
load = Reranker
"""`check` raises ValueError for an invalid weights file; `load` returns its policy."""

__all__ = ["RerankNetwork", "Reranker", "check", "load", "save"]
