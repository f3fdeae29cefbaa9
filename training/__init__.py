"""Training agents: one file an algorithm. NumPy is loaded to compute with one thread."""

from catan_env.arena import one_thread

with one_thread.unless_said():
    import numpy  # noqa: F401
