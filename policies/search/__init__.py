"""Search over a seat's hidden information, with a native value function."""

from catan_env.policies.search.search import Search as Search
