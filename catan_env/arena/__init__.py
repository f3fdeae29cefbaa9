"""Matches between policies: `match` plays them, `report` tabulates the results."""
