"""Policies that play a seat: `act(view)` returns the flat index of a legal action.

`catan_env.policy.load_policy` makes one from its name.
"""

if __name__ != "catan_env.policies":
    raise ImportError("import this package as catan_env.policies, its only name", name=__name__)
