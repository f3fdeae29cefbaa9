"""An SVG as an array of pixels, by resvg, with the font that this package includes."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from catan_env.extras import missing

# Source Sans Pro Semibold, reduced to the letters in use; its licence asks for another name
# (OFL.txt).
_FONT = Path(__file__).with_name("fonts") / "CatanBoard-Semibold.ttf"


def rasterize(svg: str, width: int) -> NDArray[np.uint8]:
    """The picture on white: (height, width, 3) uint8, red, green, blue.

    The machine's fonts are not used, so the pixels are the same everywhere.
    """
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise missing("drawing pixels", "render", error) from error
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        background="#ffffff",
        skip_system_fonts=True,
        font_files=[str(_FONT)],
    )
    with Image.open(BytesIO(png)) as image:
        return np.array(image.convert("RGB"))
