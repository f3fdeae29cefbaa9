"""Protocols in which games are played over a wire, one folder each."""
