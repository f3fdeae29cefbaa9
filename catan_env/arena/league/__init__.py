"""Leagues: entrants that come and go, games over days and machines, ratings, and a page."""
