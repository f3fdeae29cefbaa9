"""The standard streams of a command, which its caller may have closed."""

import os
import sys


def open_closed_streams() -> None:
    """Let closed standard streams read and write nothing, instead of being None.

    In the order of their numbers, so that no other file takes the number of one.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8", errors="replace"))
