"""Search over what a seat cannot know, on a native value function."""

from policies.search.search import Search as Search
