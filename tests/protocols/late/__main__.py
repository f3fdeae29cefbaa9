"""Games over slow connections: `python -m tests.protocols.late binary 1000 [FIRST NUMBER]`.

The protocols are binary, german, jsettlers, hanabi and renaissance. A game is identified by its
number, which is printed if it fails.
"""

import sys
import time
from collections import Counter

from tests.protocols.late.games import play


def main(protocol: str, games: int, first: int = 0) -> int:
    """Play games and print their statistics; return the number of failures."""
    begun, total, failed = time.process_time(), Counter[str](), 0
    for number in range(first, first + games):
        try:
            total += play(protocol, number)
        except Exception as error:
            failed += 1
            print(f"{protocol} game {number}: {type(error).__name__}: {error}", flush=True)
        count = number - first + 1
        if count % 100 == 0 or count == games:
            took = time.process_time() - begun
            print(f"{count} games, {failed} failed, {took:.0f} s: {dict(total)}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1], int(sys.argv[2]), *map(int, sys.argv[3:4]))))
