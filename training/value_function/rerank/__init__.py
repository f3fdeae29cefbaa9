"""Learning to reorder `greedy`'s best moves, for `catan_env.policies.rerank`."""
