"""Let policies play a match, save every game, and make a page of the longest one."""

import sys
from pathlib import Path

from catan_env import Game
from catan_env.arena.match import Match
from catan_env.notation import loads, read_records, to_sgn, write_game
from catan_env.render import replay_html

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "games")
names = ("builder", "random", "builder")
match = Match(names, seed=1)


def keep(k: int, game: Game) -> None:
    """Save game number k; the policies change seats from game to game."""
    write_game(folder, game, [names[entrant] for entrant in match.entrants_by_seat(k)])


wins = [result.winning_entrant for result in match.results(3, keep=keep)]
print("won by", [None if entrant is None else names[entrant] for entrant in wins])

longest = max(read_records(folder), key=lambda record: record.game.turn)
page = folder / "longest.html"
page.write_text(replay_html(longest, "The longest game of the match"), encoding="utf-8")
print(f"{page}: {longest.game.turn} turns, player {longest.players[longest.game.winner or 0]} won")

# The same for one seat: only what it knew.
seat = loads(to_sgn(longest.game, players=longest.players, viewer=0))
(folder / "seat-0.html").write_text(replay_html(seat), encoding="utf-8")
