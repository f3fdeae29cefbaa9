"""Draw a game in progress as a picture: SVG, and PNG pixels if resvg is installed."""

import random
import sys
from pathlib import Path

from catan_env import Game
from catan_env.render import board_svg, rasterize

chance = random.Random(3)
game = Game(seats=4, seed=3)
while not game.is_over and game.turn <= 60:
    game.play(int(chance.choice(game.legal_actions.indices)))

file = Path(sys.argv[1] if len(sys.argv) > 1 else "position.svg")
picture = board_svg(game, width=900)  # in a notebook, evaluating `game` shows it
file.write_text(picture, encoding="utf-8")
print(f"{file}: turn {game.turn}, {len(picture) // 1000} kB")
try:
    height, width, _ = rasterize(picture, width=900).shape
    print(f"as pixels: {width} x {height}")
except ImportError as error:
    print(error)
