"""`catan.h`: the records and entry points, for C, C++ and whatever reads C headers."""

import textwrap
from collections.abc import Mapping
from typing import Any

from catan_env.core.actions import NUM_ACTIONS
from catan_env.core.constants import DRAW, NOBODY
from catan_env.core.observation import OBSERVATION_SIZE
from catan_env.kernel import lockstep
from native import box
from native.extension import C_TYPES, Entry, prototype, record_name

OPENING = """\
/* The rules of Catan, Hanabi and Masters of Renaissance as machine code.
 *
 * A game is one record; copying it is copying its bytes. An entry point takes an array of games and
 * the number of one, or the range `start <= i < stop`. It allocates nothing, and checks nothing: an
 * index out of range, or a record whose bytes no entry point wrote, is undefined behaviour. Behind
 * each array its lengths are given. Any number of threads may call, each on games of its own. */
#ifndef CATAN_H
#define CATAN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CATAN_CHECK static_assert
extern "C" {
#else
#define CATAN_CHECK _Static_assert
#endif
"""

NAMED = {
    "NUM_ACTIONS": (NUM_ACTIONS, "flat indices of actions, as docs/actions.md lists them"),
    "OBSERVATION_SIZE": (OBSERVATION_SIZE, "bytes, as docs/observation.md lists them"),
    "STAY": (lockstep.STAY, "an action that leaves its game as it is"),
    "DRAW": (DRAW, "an outcome: draw it from the game's own random numbers"),
    "NOBODY": (NOBODY, "a seat: none"),
    "GOES_ON": (lockstep.GOES_ON, "`done`: the game is not over"),
    "WON": (lockstep.ENDED, "`done`: a seat has won, or all have left"),
    "CUT_OFF": (lockstep.CUT_OFF, "`done`: ended by the turn limit"),
    "REFUSED": (lockstep.REFUSED, "`done`: the action was illegal"),
}
"""Numbers that callers need, and what they are."""
WIDTH = 100
"""Columns of a line."""
STAYS = "\xa0"
"""A space at which no line ends."""

CLOSING = """\
#ifdef __cplusplus
}
#endif
#endif
"""


def header(entries: list[Entry], records: Mapping[str, Any]) -> str:
    """The text of `catan.h`."""
    parts = [OPENING, _numbers(), *(_record(title, record) for title, record in records.items())]
    parts += [box.DECLARATION, *(_declaration(entry) for entry in entries)]
    return "\n".join([*parts, CLOSING])


def _numbers() -> str:
    """The named numbers, one per line."""
    rows = "".join(f"    CATAN_{name} = {n}, /* {text} */\n" for name, (n, text) in NAMED.items())
    return f"enum {{\n{rows}}};\n"


def _record(title: str, record: Mapping[str, Any]) -> str:
    """A structure, with assertions that a C compiler lays it out as NumPy does."""
    name = record_name(title)
    fields = "".join(
        f"    {C_TYPES[field['type']]} {_safe(field_name)}"
        f"{''.join(f'[{length}]' for length in field['shape'])};\n"
        for field_name, field in record["fields"].items()
        if 0 not in field["shape"]
    )
    last = list(record["fields"])[-1]
    checks = f'CATAN_CHECK(sizeof({name}) == {record["size"]}, "{name}");\n'
    if 0 not in record["fields"][last]["shape"]:
        offset = record["fields"][last]["offset"]
        checks += f'CATAN_CHECK(offsetof({name}, {_safe(last)}) == {offset}, "{name}");\n'
    return f"typedef struct {{\n{fields}}} {name};\n{checks}"


def _safe(name: str) -> str:
    """A field's name, changed where C++ has it as a keyword."""
    return f"{name}_" if name in {"template", "new", "this", "class"} else name


def _declaration(entry: Entry) -> str:
    doc = textwrap.indent(entry["doc"], " * ", lambda line: True).rstrip()
    lines = [line.rstrip() for line in doc.splitlines()]
    lines[0] = "/* " + lines[0].removeprefix(" * ")
    declared = prototype(entry, entry["symbol"]) + ";"
    together = declared.replace(" ", STAYS).replace(f",{STAYS}", ", ")
    declared = textwrap.fill(together, WIDTH, subsequent_indent=" " * 4, break_long_words=False)
    return "\n".join([*lines[:-1], f"{lines[-1]} */", declared.replace(STAYS, " "), ""])
