"""Numbered games on the command line: their count, and the number of the first."""

import sys
import time
from collections import Counter
from collections.abc import Callable


def play_numbered(play: Callable[[int], Counter[str]]) -> None:
    """Play the number of games given on the command line, and print their features."""
    games, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    begun, total = time.process_time(), Counter[str]()
    for count in range(1, games + 1):
        total += play(first + count - 1)
        if count % 100 == 0 or count == games:
            took = time.process_time() - begun
            print(f"{count} games, {took:.0f} s: {dict(total)}", flush=True)
