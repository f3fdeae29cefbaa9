"""The pages of the layouts: docs/observation.md and docs/actions.md.

`python -m docs.generate.layouts docs` rewrites both from the tables that the engine itself uses.
"""

import sys
from math import prod
from pathlib import Path
from typing import NamedTuple

from catan_env.core import actions as act
from catan_env.core.constants import EDGES, TILES, VERTICES, Phase, Resource
from catan_env.core.observation import LAYOUT, OBSERVATION_SIZE, OBSERVATION_VERSION, OFFSETS
from catan_env.core.rules_shown import ADDED, SIZES

_OBSERVATION = f"""\
# The observation

`view.observation` holds what a seat knows, as {OBSERVATION_SIZE} numbers of type `int8`. This is
version {OBSERVATION_VERSION} of the layout. `catan_env.named_observation(vector)` returns the
fields below by name, each a view of the vector in its shape; it also takes a batch,
`(..., {OBSERVATION_SIZE})`.

Seats are relative to the observer: 0 is the observer itself, 1 the next seat clockwise, and so on;
rows of absent seats are zeros. Fields with several axes are stored in row-major order. Phases are
{", ".join(f"{phase.name} {phase.value}" for phase in list(Phase)[:5])},
{", ".join(f"{phase.name} {phase.value}" for phase in list(Phase)[5:])}.

It contains nothing hidden: of other hands only the size and what public events prove, of other
seats' development cards only the number. An offer proves that its cards are in hand (C127), but
`known` does not count it.

A board may have any number of harbours; the layout shows the first nine. `Game`, `SeatView` and
the agents play boards with more, batches and environments refuse them: a learner could not see
what it plays.

| field | from | shape | what it holds |
|---|---|---|---|
"""

_VERSION_2 = f"""
## Version 2

Version 1 shows the same whatever wins the game and however the dice are drawn. With
`observation_version=2` environments and batches give {SIZES[2]} numbers: those above, the rules of
the table, and the chances of the next roll, which before the roll is that of the seat on turn and
after it that of the next seat. A policy reads them as `view.observe(view.viewer, version=2)`.
The shipped networks and the kinds `pointer`, `mirrored` and `symmetric` of training read version 1,
`flat` either. A weights file plays with the version that it was trained on, whatever the games
show.

| field | from | shape | what it holds |
|---|---|---|---|
"""

_ACTIONS = f"""\
# The actions

A decision is one of {act.NUM_ACTIONS} numbers. `Action.from_index(i)` and `action.index` convert
between numbers and actions; the action mask is 1 where an index can be played. Resources are
numbered {", ".join(f"{resource.name} {resource.value}" for resource in Resource)}; tiles,
vertices and edges as in `catan_env.geometry` and the picture below; other seats by their distance
clockwise from the seat that acts, 1 to 3.

![Tiles in the middle, vertices in red, edges in blue](site/static/generated/numbers.svg)

| index | action | its index | meaning |
|---|---|---|---|
"""

_AFTER_ACTIONS = """
`slot` numbers the resources other than the one given: get if get < give, else get - 1. `pair`
numbers the pairs a <= b in the order {pairs}.

During set-up the settlement and road actions place the first pieces. Roads granted by road building
are free. A trade with the bank uses the seat's best rate.

The mask leaves out some legal moves; play them as an `Action`. Without an index are an offer of
several kinds or of more than {most} cards a side, and a trade with the bank at a worse rate than
the best; with one, an offer beyond the number that the mask allows in a turn and, under the
tournament rules, road building before the roll.
"""


class Span(NamedTuple):
    """The indices of one kind of action, from `first` on."""

    first: int
    action: str
    formula: str
    meaning: str


def observation_page() -> str:
    """The text of docs/observation.md."""
    rows = [
        f"| `{field.name}` | {OFFSETS[field.name]} | {_shape(field.shape)} | {field.meaning} |\n"
        for field in LAYOUT
    ]
    return _OBSERVATION + "".join(rows) + _version_2()


def _version_2() -> str:
    start, rows = OBSERVATION_SIZE, ""
    for field in ADDED:
        rows += f"| `{field.name}` | {start} | {_shape(field.shape)} | {field.meaning} |\n"
        start += prod(field.shape)
    return _VERSION_2 + rows


def _shape(shape: tuple[int, ...]) -> str:
    size = " × ".join(map(str, shape))
    return f"{size} = {prod(shape)}" if len(shape) > 1 else size


def spans() -> list[Span]:
    """The flat index, kind by kind."""
    offer = f"{3 * act.OFFER_BLOCK} * (to - 1) + {act.OFFER_BLOCK} * (n - 1)"
    offer += f" + {act.OFFER_BLOCK // 5} * give + {act.OFFER_MOST} * slot + m - 1"
    return [
        _single(act.ROLL_ACTION, "roll()", "roll the dice"),
        _single(act.END_TURN_ACTION, "end_turn()", "pass the dice on"),
        _single(act.BUY_ACTION, "buy_development_card()", "buy the top card of the deck"),
        _single(act.KNIGHT_ACTION, "play_knight()", "play a knight; the robber moves next"),
        _single(act.ROAD_BUILDING_ACTION, "play_road_building()", "play road building"),
        _single(act.ACCEPT_ACTION, "accept()", "accept the offer"),
        _single(act.REJECT_ACTION, "reject()", "reject the offer"),
        _counted(act.YEAR_OF_PLENTY_START, "play_year_of_plenty(a, b)", "pair",
                 "take two cards from the bank"),
        _counted(act.MONOPOLY_START, "play_monopoly(r)", "r",
                 "take all cards of one kind from all others"),
        _counted(act.DISCARD_START, "discard(r)", "r", "discard one card"),
        _counted(act.BANK_TRADE_START, "bank_trade(give, get)", "4 * give + slot",
                 "trade with the bank"),
        _counted(act.SETTLEMENT_START, "settlement(v)", "v",
                 f"a settlement at vertex v, 0 to {VERTICES - 1}"),
        _counted(act.CITY_START, "city(v)", "v",
                 f"a city that replaces the settlement at vertex v, 0 to {VERTICES - 1}"),
        _counted(act.ROAD_START, "road(e)", "e", f"a road at edge e, 0 to {EDGES - 1}"),
        _counted(act.ROBBER_START, "move_robber(t, victim)", "4 * t + victim",
                 f"the robber to tile t, 0 to {TILES - 1}; the seat to rob, 0 (`None`) "
                 "for no seat"),
        _counted(act.OFFER_START, "offer(to, {give: n}, {get: m})", offer,
                 f"n cards for m cards of another kind, 1 to {act.OFFER_MOST} each, "
                 "to the seat `to`"),
    ]  # fmt: skip


def _single(index: int, action: str, meaning: str) -> Span:
    """A kind with one index."""
    return Span(index, action, str(index), meaning)


def _counted(first: int, action: str, place: str, meaning: str) -> Span:
    """A kind whose indices begin at `first`; `place` is the formula of an action's place in it."""
    return Span(first, action, f"{first} + {place}", meaning)


def actions_page() -> str:
    """The text of docs/actions.md."""
    kinds = spans()
    ends = [span.first - 1 for span in kinds[1:]] + [act.NUM_ACTIONS - 1]
    rows = [
        f"| {_range(span.first, end)} | `{span.action}` | `{span.formula}` | {span.meaning} |\n"
        for span, end in zip(kinds, ends, strict=True)
    ]
    pairs = ", ".join(f"{a}{b}" for a, b in act.PAIRS)
    return _ACTIONS + "".join(rows) + _AFTER_ACTIONS.format(pairs=pairs, most=act.OFFER_MOST)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"


def write_pages(folder: Path) -> None:
    """Write both pages into a folder."""
    (folder / "observation.md").write_text(observation_page(), encoding="utf-8")
    (folder / "actions.md").write_text(actions_page(), encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
