"""The network of `pointer.py` as machine code."""
