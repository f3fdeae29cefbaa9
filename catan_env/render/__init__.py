"""Pictures of a position, and a page of a whole game."""

from catan_env.render.raster import rasterize
from catan_env.render.replay import Replay, replay_html
from catan_env.render.svg import board_svg

__all__ = ["Replay", "board_svg", "rasterize", "replay_html"]
