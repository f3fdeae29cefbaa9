"""The boards and the replay that the site's pages show, drawn while the site is built."""

import random
from pathlib import Path

from catan_env import Action, Board, Game
from catan_env.cli import main
from catan_env.notation import to_sgn, write
from catan_env.policy import load_policy
from catan_env.render import board_svg, layout

PLAYERS = ("builder", "random", "builder")


def draw(folder: Path) -> None:
    """Write every picture into `folder`."""
    draw_boards(folder)
    replay(folder)


def draw_boards(folder: Path) -> None:
    """Write the boards, which the repository contains for readers of the plain pages."""
    folder.mkdir(parents=True, exist_ok=True)
    start = Game(seats=3, seed=7)
    _save(folder / "start.svg", start)
    start.play(Action.settlement(Board.vertex_at(0, 0, "N")))
    _save(folder / "settlement.svg", start)
    _save(folder / "midgame.svg", at_turn(40))
    for name in ("beginner", "spiral", "random_tokens"):
        _save(folder / f"{name}.svg", Game(seats=2, seed=3, board=name))
    _save(folder / "small.svg", Game(seats=2, seed=3, rules="small", board="beginner"))
    (folder / "numbers.svg").write_text(numbers_svg(), encoding="utf-8")


def numbers_svg() -> str:
    """The board with the number of every tile, vertex and edge."""
    width, height = 760, 700
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="{-width / 2} {-height / 2} {width} {height}" role="img"'
        ' font-family="sans-serif" text-anchor="middle">',
        "<title>The numbers of tiles, vertices and edges</title>",
        f'<rect x="{-width / 2}" y="{-height / 2}" width="{width}" height="{height}"'
        ' rx="22" fill="#dceaf4"/>',
    ]
    for tile, centre in enumerate(layout.TILE_CENTRES):
        points = layout.hexagon(centre, layout.RADIUS)
        lines.append(f'<polygon points="{points}" fill="#f6efdb" stroke="#9a8f78"/>')
        lines.append(_label(centre, str(tile), 26, "#5b5648"))
    for edge, (middle, _) in enumerate(layout.EDGE_PLACES):
        lines.append(_label(middle, str(edge), 13, "#1c5fb0", "#f6efdb"))
    for vertex, point in enumerate(layout.VERTEX_POINTS):
        lines.append(_label(point, str(vertex), 15, "#ffffff", "#a8331f"))
    return "".join([*lines, "</svg>\n"])


def _label(at: tuple[float, float], text: str, size: int, ink: str, ground: str = "") -> str:
    x, y = at
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="{ground}"/>' if ground else ""
    place = f'x="{x:.1f}" y="{y + size * 0.36:.1f}"'
    return f'{circle}<text {place} font-size="{size}" font-weight="600" fill="{ink}">{text}</text>'


def _save(file: Path, game: Game) -> None:
    file.write_text(board_svg(game, width=720), encoding="utf-8")


def at_turn(turn: int, seed: int = 3) -> Game:
    """A game of random choices, played up to that turn."""
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
