"""Matches between policies: `match` plays them, `report` says what came of them."""
