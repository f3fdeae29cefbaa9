"""Search over what a seat cannot know, on a native value function."""
