"""Protocols for games over a wire, one folder each."""
