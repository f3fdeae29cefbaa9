"""The value function: what a position is worth to a seat, in machine code."""
