"""The first two settlements of a seat, rated by the positions in which the set-up would end."""

from catan_env.policies.set_up.network import SetUpNetwork
from catan_env.policies.set_up.set_up import SetUp, WithSetUp

__all__ = ["SetUp", "SetUpNetwork", "WithSetUp"]
"""`SetUp` places a seat's settlements by a `SetUpNetwork`; `WithSetUp` plays on by a policy."""
