"""A policy that ends its process, in a file that a worker imports at once."""

import os
from typing import Any


class Deadly:
    """It ends instead of deciding."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, view: Any) -> None:
        os._exit(7)
