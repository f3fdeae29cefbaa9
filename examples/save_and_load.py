"""Play a game, save it as Settlers Game Notation, load it, and see a forged record rejected."""

import random
import tempfile
from pathlib import Path

from catan_env import Game
from catan_env.notation import NotationError, loads, read, to_sgn, write

chance = random.Random(1)
game = Game(seats=3, seed=1)
while not game.is_over and game.turn <= 40:
    game.play(int(chance.choice(game.legal_actions.indices)))

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "evening.sgn.json"
    write(file, to_sgn(game, players=["Ann", "Ben", "Cleo"]))
    record = read(file)
    print(f"{file.name}: {len(record.messages)} messages, players {', '.join(record.players)}")
    print("the same game:", record.game == game)

# The record of one seat contains neither the others' cards nor the seed.
print("the same view:", loads(to_sgn(game, viewer=2)).view() == game.view(2))

messages = game.to_sgn()
roll = next(message for message in messages if message["event"] == "RP")
roll["value"]["resources"][0]["O"] = 5
try:
    loads(messages)
except NotationError as error:
    print("refused:", error)
