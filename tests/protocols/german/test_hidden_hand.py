"""A server whose Statusupdates always show an agent's own hand as empty."""

from typing import Any, ClassVar

import pytest

from catan_env.protocols.catan_german.messages import Discard
from catan_env.protocols.catan_german.words import COLOUR_TAKEN
from tests.protocols.german.in_memory import room_of
from tests.protocols.german.test_late import Late
from tests.protocols.german.test_other_updates import Altered


class Hiding(Altered):
    """Every hand is an object without cards."""

    nothing: ClassVar[Any] = {}

    def altered(self, line: int, player: dict[str, Any]) -> bytes:
        return super().altered(line, player | {"Rohstoffe": self.nothing})


class HidingInList(Hiding):
    """The same, as a list."""

    nothing: ClassVar[Any] = ()


def discards(table: Late) -> int:
    return sum(isinstance(message, Discard) for _, _, message in table.asked)


@pytest.mark.parametrize("kind", [Hiding, HidingInList])
@pytest.mark.parametrize("version", ["0.2", "0.3", "1.0"])
def test_an_agent_discards_the_cards_that_were_announced(version: str, kind: type[Hiding]) -> None:
    table = kind(room_of(version, 3, 3, max_turns=60), 3).play(limit=1e4)
    assert table.room.is_over and set(table.refused) <= {COLOUR_TAKEN}
    assert discards(table) > 5
