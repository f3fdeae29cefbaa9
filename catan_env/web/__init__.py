"""The page at which people play and watch."""
