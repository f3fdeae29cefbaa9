"""Plays some games and prints digests, for another process to compare.

`python -m tests.properties.digests 5` plays the first five of the random games.
"""

import hashlib
import sys

from catan_env.kernel.jit import MODE
from tests.properties.settings import game_number, play_out


def digests(games: int) -> list[str]:
    """One line per game: memory, masks and observations of every fifth decision, hashed."""
    lines = []
    for n in range(games):
        game = game_number(n)
        digest = hashlib.sha256(game.state_bytes())
        for step, _ in enumerate(play_out(game, n)):
            if step % 5 == 0 or game.is_over:
                digest.update(game.state_bytes())
                digest.update(game.action_mask.tobytes())
                digest.update(game.observe(step % game.seats).tobytes())
                digest.update(game.view(step % game.seats).state_bytes())
        lines.append(f"{n} {len(game.events)} {digest.hexdigest()}")
    return lines


if __name__ == "__main__":
    print(MODE)
    print(*digests(int(sys.argv[1])), sep="\n")
