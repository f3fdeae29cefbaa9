"""The few SVG elements that the drawings use."""

from __future__ import annotations

Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate as SVG text: one decimal at most, never minus zero."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def use(shape: str, at: Point, more: str = "", *, angle: float = 0) -> str:
    """A shape of the artwork at that place, turned by an angle in degrees; `more` attributes."""
    turn = f" rotate({number(angle)})" if angle else ""
    place = f"translate({number(at[0])} {number(at[1])}){turn}"
    return f'<use href="#catan-{shape}" transform="{place}"{more}/>'


def text(
    at: Point, size: float, words: str, *, anchor: str = "middle", colour: str | None = None
) -> str:
    """Text on a base line; `anchor` is the part of it at that place."""
    fill = f' fill="{colour}"' if colour else ""
    return (
        f'<text x="{number(at[0])}" y="{number(at[1])}" font-size="{number(size)}"'
        f' text-anchor="{anchor}"{fill}>{words}</text>'
    )
