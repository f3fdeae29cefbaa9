"""The page for playing and watching."""
