"""Colours, and every shape drawn once around (0, 0).

A board refers to the shapes by `<use href="#catan-...">`. Presentation attributes only: a style
sheet would leak out of the picture into the notebook or page that shows it.
"""

from __future__ import annotations

FONTS = "'Catan Board','Source Sans 3','Source Sans Pro','Segoe UI',Helvetica,Arial,sans-serif"

INK = "#2b2a33"
MUTED = "#7a746a"
PAPER = "#fbf7ee"
SHADE = "#eadfc6"
DULL = "#cdc7bb"
SEA = "#94c6dd"
SEA_BORDER = "#5f9cb8"
SURF = "#ffffff"
BEACH = "#f3e3b8"
WOOD = "#8a5a33"
PLANKS = "#c99a68"
GOLD = "#f2b632"
RED = "#c0261c"

TERRAIN_COLOURS = {
    "hills": "#cf7b4f",
    "fields": "#efca57",
    "forest": "#5b9660",
    "mountains": "#a3aab5",
    "pasture": "#b2d67c",
    "desert": "#e9dcb4",
}
_MOTIF_COLOURS = {
    "hills": "#a95432",
    "fields": "#c2912a",
    "forest": "#346b42",
    "mountains": "#6d7482",
    "pasture": "#83b04f",
    "desert": "#cbb881",
}
RESOURCE_TERRAINS = {
    "brick": "hills",
    "grain": "fields",
    "lumber": "forest",
    "ore": "mountains",
    "wool": "pasture",
}

SEAT_COLOURS = ("#0068b0", "#ea6a17", "#ffffff", "#26252c")
"""Colours that differ in hue and in lightness; each seat has its own mark as well."""
_MARK_COLOURS = ("#ffffff", "#ffffff", "#26252c", "#ffffff")


# One motif per terrain, about 24 units across, on the terrain's own colour.
_ICONS = {
    "hills": (
        '<g stroke="{paper}" stroke-width="1.1" stroke-linejoin="round">'
        '<path d="M-12-1h11v8h-11zM1-1h11v8h-11zM-6-9h12v8h-12z" fill="{dark}"/></g>'
    ),
    "fields": (
        '<g fill="{dark}"><path d="M-.8 13V-4h1.6v17z"/>'
        '<path d="M0-14c3 3 3 6 0 9c-3-3-3-6 0-9z"/>'
        '<path d="M1-3c1-4 3-6 7-6c0 4-3 6-7 6zM-1-3c-1-4-3-6-7-6c0 4 3 6 7 6z"/>'
        '<path d="M1 3c1-4 3-6 7-6c0 4-3 6-7 6zM-1 3c-1-4-3-6-7-6c0 4 3 6 7 6z"/>'
        '<path d="M1 9c1-4 3-6 7-6c0 4-3 6-7 6zM-1 9c-1-4-3-6-7-6c0 4 3 6 7 6z"/></g>'
    ),
    "forest": (
        '<g fill="{dark}"><path d="M0-14L7-4H4L10 7H-10L-4-4H-7z"/>'
        '<path d="M-1.6 7h3.2v5h-3.2z"/></g>'
    ),
    "mountains": (
        '<path d="M-15 10L-3-12L3-4L6-8L16 10z" fill="{dark}"/>'
        '<path d="M-3-12L-7.4-4L-4-5.5L-1-2.5L1.5-6z" fill="{paper}"/>'
    ),
    "pasture": (
        '<g fill="{ink}"><path d="M-6 5h2v7h-2zM4 5h2v7h-2z"/>'
        '<ellipse cx="-11" cy="-1.5" rx="4" ry="4.6"/></g>'
        '<path d="M-8 3c-4-3-2-9 2-8c2-4 8-4 9-1c4-3 9 0 8 4c3 3 0 8-4 7c-2 3-7 3-8 1'
        'c-3 2-7 1-7-3z" fill="{wool}"/>'
    ),
    "desert": (
        '<path d="M-2.4 12V-9a2.4 2.4 0 0 1 4.8 0V0H5V-5a2 2 0 0 1 4 0V2a2.4 2.4 0 0 1-2.4 2.4H2.4'
        'V12zM-2.4 8H-6.6A2.4 2.4 0 0 1-9 5.6V-1a2 2 0 0 1 4 0V3.6h2.6z" fill="{cactus}"/>'
    ),
}

# The icons around a tile's token: (x, y, scale), from back to front.
_STANDS = {
    "hills": ((0, -39, 1), (29, 29, 0.8), (-29, 29, 0.8), (0, 42, 0.8)),
    "fields": (
        (-26, -32, 0.9),
        (26, -32, 0.9),
        (0, -45, 1.05),
        (-28, 32, 0.9),
        (28, 32, 0.9),
        (0, 45, 0.9),
    ),
    "forest": (
        (-14, -43, 0.95),
        (14, -43, 0.95),
        (-32, -27, 0.9),
        (32, -27, 0.9),
        (0, -41, 1.1),
        (-33, 25, 0.9),
        (33, 25, 0.9),
        (-15, 39, 1),
        (15, 39, 1),
    ),
    "mountains": ((-17, -34, 0.9), (18, -34, 0.85), (0, -40, 1.25), (-22, 36, 0.9), (20, 38, 1)),
    "pasture": ((-3, -43, 1.1), (28, 31, 0.95)),
    "desert": ((31, -17, 1.2), (-32, 24, 0.8)),
}
# Lines in the ground, below the icons.
_GROUNDS = {
    "hills": "M-52-10q14-16 30-12M22-22q16-4 30 12M-46 20q8-10 18-8M28 12q10-2 18 8",
    "fields": "M-54-14q20-12 34-8M54-14q-20-12-34-8M-54 14q20 12 34 8M54 14q-20 12-34 8",
    "forest": "",
    "mountains": "M-48 22l8-10 7 8M50-8l-8-9-6 7",
    "pasture": "M-44-16l3 7 3-8 3 8 3-6M30-20l3 7 3-8 3 8 3-6"
    "M-34 30l3 7 3-8 3 8 3-6M-4 44l3 7 3-8 3 8 3-6",
    "desert": "M-40-26q14-12 30-2t30-8M-52 6q12-8 22 0M20 30q12-8 28-2M-22 46q14-10 30-2t16-2",
}

_HOUSE = "M-13 12V-3L0-15L13-3V12z"
_TOWN = "M-20 14V-8L-9-20L2-8V-3H20V14z"
_ROAD = "M-22-4.5H22V4.5H-22z"
_CROSS = "M-6-8L0-2L6-8L8.5-5.5L2.5 .5L8.5 6.5L6 9L0 3L-6 9L-8.5 6.5L-2.5 .5L-8.5-5.5z"
# A disc, upright bars, level bars, crosses; on roads dots, a line, sleepers, dashes.
_MARKS = {
    "settlement": (
        '<circle cy="3" r="4"/>',
        '<path d="M-2-5h4v15h-4z"/>',
        '<path d="M-9-1h18v3.4h-18zM-9 5h18v3.4h-18z"/>',
        f'<path d="{_CROSS}" transform="translate(0 3) scale(.82)"/>',
    ),
    "city": (
        '<circle cx="-9" cy="-6" r="4"/><circle cx="-9" cy="6" r="4"/>'
        '<circle cx="8" cy="6" r="4"/>',
        '<path d="M-11-11h4v22h-4zM6 0h4v11h-4z"/>',
        '<path d="M-16-5h14v3.4h-14zM-16 1h32v3.4h-32zM-16 7h32v3.4h-32z"/>',
        f'<path d="{_CROSS}" transform="translate(-9 2) scale(.8)"/>'
        f'<path d="{_CROSS}" transform="translate(9 5) scale(.7)"/>',
    ),
    "road": (
        '<circle cx="-11" r="2.4"/><circle r="2.4"/><circle cx="11" r="2.4"/>',
        '<path d="M-20-1.3h40v2.6h-40z"/>',
        '<path d="M-13-4.5h3v9h-3zM-1.5-4.5h3v9h-3zM10-4.5h3v9h-3z"/>',
        '<path d="M-16-1.6h8v3.2h-8zM-4-1.6h8v3.2h-8zM8-1.6h8v3.2h-8z"/>',
    ),
}
_OUTLINES = {"road": _ROAD, "settlement": _HOUSE, "city": _TOWN}

_ROBBER = (
    '<g id="catan-robber"><path d="M-13 24C-13 8-10 2-5-3A10.5 10.5 0 1 1 5-3C10 2 13 8 13 24z"'
    f' fill="#4d4656" stroke="{PAPER}" stroke-width="4" stroke-linejoin="round"'
    ' paint-order="stroke"/>'
    '<path d="M-5-3Q0 0 5-3" fill="none" stroke="#8d8698" stroke-width="2"/>'
    '<path d="M-8 20C-8 10-6 5-3 2" fill="none" stroke="#8d8698" stroke-width="2.4"'
    ' stroke-linecap="round"/></g>'
)
_SAIL = "M-25-31Q0-38 25-31Q33-7 25 17Q0 11-25 17Q-33-7-25-31z"
_SAIL_TOP = "M-25-31Q0-38 25-31Q28.5-21 29-8Q0-13-29-8Q-28.5-21-25-31z"
_HULL = "M-28 19H28C26 30 20 33 15 33H-15C-20 33-26 30-28 19z"


def _icon(terrain: str) -> str:
    drawing = _ICONS[terrain]
    colours = {"paper": "#f4f1ea", "ink": "#4a4a44", "wool": "#fdfcf7", "cactus": "#7fa267"}
    for name, colour in {**colours, "dark": _MOTIF_COLOURS[terrain]}.items():
        drawing = drawing.replace(f"{{{name}}}", colour)
    return f'<g id="catan-icon-{terrain}">{drawing}</g>'


def _motif(terrain: str) -> str:
    """The icons of a terrain around the middle of a tile, which is left free for the token."""
    stands = "".join(
        f'<use href="#catan-icon-{terrain}" transform="translate({x} {y}) scale({scale})"/>'
        for x, y, scale in _STANDS[terrain]
    )
    ground = (
        f'<path d="{_GROUNDS[terrain]}" fill="none" stroke="{_MOTIF_COLOURS[terrain]}"'
        ' stroke-width="2" stroke-linecap="round" stroke-linejoin="round" stroke-opacity=".6"/>'
    )
    return f'<g id="catan-{terrain}">{ground if _GROUNDS[terrain] else ""}{stands}</g>'


def _piece(name: str, seat: int) -> str:
    outline = _OUTLINES[name]
    return (
        f'<g id="catan-{name}-{seat}" stroke-linejoin="round">'
        f'<path d="{outline}" fill="{PAPER}" stroke="{PAPER}" stroke-width="7"/>'
        f'<path d="{outline}" fill="{SEAT_COLOURS[seat]}" stroke="{INK}" stroke-width="2.2"/>'
        f'<g fill="{_MARK_COLOURS[seat]}">{_MARKS[name][seat]}</g></g>'
    )


def _ship(cargo: str, terrain: str) -> str:
    """A harbour's ship, its cargo on the sail, which leaves room for the rate below."""
    top = f'<path d="{_SAIL_TOP}" fill="{TERRAIN_COLOURS[terrain]}"/>' if terrain else ""
    icon = f'<use href="#catan-icon-{terrain}" transform="translate(0 -21)"/>' if terrain else ""
    return (
        f'<g id="catan-ship-{cargo}" stroke-linejoin="round">'
        f'<path d="{_HULL}" fill="{WOOD}" stroke="{INK}" stroke-width="1.6"/>'
        f'<path d="{_SAIL}" fill="#fffdf8"/>{top}'
        f'<path d="{_SAIL}" fill="none" stroke="{INK}" stroke-width="1.8"/>{icon}</g>'
    )


def _definitions() -> str:
    wave = (
        '<path id="catan-wave" d="M-14 0q7-6 14 0t14 0" fill="none" stroke="#fff"'
        ' stroke-width="2.4" stroke-linecap="round" stroke-opacity=".5"/>'
    )
    terrains = "".join(_icon(t) + _motif(t) for t in TERRAIN_COLOURS)
    pieces = "".join(_piece(name, seat) for seat in range(len(SEAT_COLOURS)) for name in _OUTLINES)
    ships = _ship("any", "") + "".join(_ship(*item) for item in RESOURCE_TERRAINS.items())
    return f"<defs>{wave}{terrains}{ships}{_ROBBER}{pieces}</defs>"


DEFINITIONS = _definitions()
