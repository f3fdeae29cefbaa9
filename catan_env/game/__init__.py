"""One game: playing it, looking at it, and what a seat may know of it."""
