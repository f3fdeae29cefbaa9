"""The boards and the replay that the site's pages show, drawn while the site is built."""

import random
from pathlib import Path

from catan_env import Action, Board, Game
from catan_env.cli import main
from catan_env.notation import to_sgn, write
from catan_env.policy import load_policy
from catan_env.render import board_svg

PLAYERS = ("builder", "random", "builder")


def draw(folder: Path) -> None:
    """Write every picture into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    start = Game(seats=3, seed=7)
    _save(folder / "start.svg", start)
    start.play(Action.settlement(Board.vertex_at(0, 0, "N")))
    _save(folder / "settlement.svg", start)
    _save(folder / "midgame.svg", at_turn(40))
    for name in ("beginner", "spiral", "random_tokens"):
        _save(folder / f"{name}.svg", Game(seats=2, seed=3, board=name))
    replay(folder)


def _save(file: Path, game: Game) -> None:
    file.write_text(board_svg(game, width=720), encoding="utf-8")


def at_turn(turn: int, seed: int = 3) -> Game:
    """A game of random choices in that turn."""
    chance = random.Random(seed)
    game = Game(seats=4, seed=seed)
    while not game.is_over and game.turn < turn:
        game.play(int(chance.choice(game.legal_actions.indices)))
    return game


def replay(folder: Path) -> None:
    """Write a game between policies as a record and as a page."""
    game = Game(seats=3, seed=7)
    players = [load_policy(name, seed) for seed, name in enumerate(PLAYERS)]
    while not game.is_over:
        game.play(players[game.seat].act(game.view(game.seat)))
    record = folder / "game.sgn.json"
    write(record, to_sgn(game, players=["Ann", "Ben", "Cleo"]))
    main(["replay", str(record), "--html", str(folder / "game.html")])
