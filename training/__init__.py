"""Training of agents: self-play, imitation, expert iteration, and the evaluation of networks.

NumPy computes with one thread, unless the environment says otherwise.
"""

if __name__ != "catan_env.training":
    raise ImportError("import this package as catan_env.training, its only name", name=__name__)

from catan_env.arena import one_thread
from catan_env.training import program

if program.is_program():
    program.end_in_one_line()

with one_thread.unless_said():
    import numpy  # noqa: F401
