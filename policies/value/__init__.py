"""The value function: the value of a position for a seat, in machine code."""
