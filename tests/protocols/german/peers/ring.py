"""Servers whose sea has its letters in another order: the picture in the text of 0.1 is lost.

```
   a b c d
  r A B C e
 q D E F G f
p H I J K L g
 o M N O P h
  n Q R S i
   m l k j
```
"""

from typing import Any

from tests.protocols.german.peers.board import AXIAL, FIRST_Q
from tests.protocols.german.peers.player import Player
from tests.protocols.german.peers.server import Server

ROWS = ("abcd", "rABCe", "qDEFGf", "pHIJKLg", "oMNOPh", "nQRSi", "mlkj")
RING = {
    (first + k, row - 3): letter
    for row, (letters, first) in enumerate(zip(ROWS, FIRST_Q, strict=True))
    for k, letter in enumerate(letters)
}
SAID = {letter: RING[at] for letter, at in AXIAL.items()}
"""By the letter in rows."""
MEANT = {said: letter for letter, said in SAID.items()}
PLACES = ("Ort", "Straße 1", "Straße 2")


class RingLetters(Server):
    """The letters of the sea run clockwise around the land."""

    def place(self, fields: Any) -> Any:
        place = super().place(fields)
        return "".join(SAID[letter] for letter in place) if isinstance(place, str) else place

    def _do(self, who: Player, name: str, body: Any) -> None:
        for key in PLACES:
            if isinstance(body.get(key), str):
                body = {**body, key: "".join(MEANT[letter] for letter in body[key])}
        super()._do(who, name, body)
