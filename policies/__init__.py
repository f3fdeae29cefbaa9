"""Policies that play a seat: `act(view)` gives a flat index that is legal.

`catan_env.policy.load_policy` makes one from its name.
"""
