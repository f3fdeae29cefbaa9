"""Play by text: read a position, answer with a number. A language model would be called here.

The function below answers by rule. It sees only the text, as a model would.
"""

import re

from catan_env import Game
from catan_env.policy import decide, load_policy
from catan_env.text import TextPolicy

WISHES = ("city", "settlement", "year of plenty", "road building", "buy a development", "road")


def answer(text: str) -> str:
    """The number of the first action that builds, in the order of WISHES; otherwise the first."""
    actions = text.split("Your actions:\n")[1].splitlines()
    numbered = [re.match(r"(\d+)\. (.*)", line) for line in actions]
    known = {found[2]: found[1] for found in numbered if found}
    for wish in WISHES:
        for action, number in known.items():
            if wish in action:
                return f"I would like to {action}.\n{number}"
    return next(iter(known.values()), "1")


def main() -> None:
    """Play one game against `builder`, and show the last position."""
    game = Game(seats=2, seed=1)
    players = [TextPolicy(answer, seconds=60), load_policy("builder")]
    while not game.is_over:
        game.play(decide(players[game.seat], game.view(game.seat)))
    print(f"seat {game.winner} wins after {game.turn} turns")


if __name__ == "__main__":
    main()
