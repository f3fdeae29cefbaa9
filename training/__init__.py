"""Training agents: one file an algorithm."""
