"""Pictures of a position."""

from catan_env.render.raster import rasterize
from catan_env.render.svg import board_svg

__all__ = ["board_svg", "rasterize"]
