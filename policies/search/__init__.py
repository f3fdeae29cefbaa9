"""Search over what a seat cannot know, on a native value function."""

from catan_env.policies.search.search import Search as Search
