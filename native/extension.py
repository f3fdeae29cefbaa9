"""The C source of the Python extension: a table of the entry points, and a function for each."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from native import box
from native.entries import Length, Wanted, wanted

C_TYPES = {
    "bool": "uint8_t",
    "float32": "float",
    "float64": "double",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "none": "void",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint64": "uint64_t",
}
RULES = {"exactly": "EXACTLY", "at least": "AT_LEAST", "at least, or 0": "AT_LEAST_OR_NONE"}
LOWEST, HIGHEST = "INT64_MIN", "INT64_MAX"

Entry = Mapping[str, Any]


def source(entries: list[Entry], records: Mapping[str, Any], hashes: str) -> str:
    """The whole file; `hashes` are those of the sources."""
    dtypes = _dtypes(entries, records)
    parts = [
        '#include "arguments.h"\n#include "catan.h"\n#include "bodies.h"\n#include "choice.h"\n',
        _dtype_table(dtypes),
        *(_entry(entry, records, list(dtypes)) for entry in entries),
        _methods(entries),
        f"static const char *const hashes = {json.dumps(hashes)};\n",
        '#include "module.h"\n',
    ]
    return "\n".join(parts)


def bodies(entries: list[Entry], made: Mapping[str, Mapping[str, str]]) -> str:
    """A header with one structure of function pointers, and its contents for each body.

    `made` says for each body in which body's object each entry point is.
    """
    fields = "".join(f"    {prototype(e, f'(*{field_of(e)})')};\n" for e in entries)
    lines = ["/* The same entry points, compiled for several processors. */", "typedef struct {"]
    lines += [f"{fields}}} Body;", ""]
    for name, places in made.items():
        symbols = [f"{places[entry['symbol']]}_{entry['symbol']}" for entry in entries]
        lines += [
            f"extern {prototype(entry, symbol)};"
            for entry, symbol in zip(entries, symbols, strict=True)
            if places[entry["symbol"]] == name
        ]
        members = ", ".join(symbols)
        lines += [f"static const Body body_{name} = {{{members}}};", ""]
    choices = ", ".join(f'{{"{name}", &body_{name}}}' for name in made)
    lines.append("static const struct { const char *name; const Body *body; } all_bodies[] = ")
    lines[-1] += f"{{{choices}}};\n"
    return "\n".join(lines)


def library(entries: list[Entry]) -> str:
    """The C source of the library: each entry point calls the body that suits the processor."""
    calls = []
    for entry in entries:
        names = [_title(parameter) for parameter in entry["parameters"]]
        given = []
        for name, parameter in zip(names, entry["parameters"], strict=True):
            given += [name, *(f"{name}_{d}" for d in range(parameter.get("ndim", 0)))]
        back = "return " if entry["returns"] != "none" else ""
        call = f"{back}chosen_body->{field_of(entry)}({', '.join(given)});"
        calls.append(f"{prototype(entry, entry['symbol'])} {{\n    {call}\n}}\n")
    start = "__attribute__((constructor)) static void start(void) { choose_body(); }\n"
    opening = '#include "catan.h"\n#include "bodies.h"\n#include "choice.h"\n'
    return "\n".join([opening, start, box.definition(), *calls])


def field_of(entry: Entry) -> str:
    """The name of an entry point without the library's prefix."""
    return entry["symbol"].removeprefix("catan_")


def prototype(entry: Entry, name: str) -> str:
    """The C declaration of an entry point."""
    plain: list[str] = []
    for parameter in entry["parameters"]:
        title = _title(parameter)
        if "ndim" not in parameter:
            plain.append(f"{C_TYPES[parameter['type']]} {title}")
            continue
        kind = C_TYPES.get(parameter["type"]) or record_name(parameter["type"])
        const = "" if parameter["written"] else "const "
        plain.append(f"{const}{kind} *{title}")
        plain += [f"int64_t {title}_{d}" for d in range(parameter["ndim"])]
    return f"{C_TYPES[entry['returns']]} {name}({', '.join(plain)})"


def _title(parameter: Mapping[str, Any]) -> str:
    """A parameter's name, changed where C++ has it as a keyword."""
    return "template_" if parameter["name"] == "template" else str(parameter["name"])


def record_name(title: str) -> str:
    """The C name of a record."""
    return f"catan_{title}"


def _dtypes(entries: Iterable[Entry], records: Mapping[str, Any]) -> dict[str, tuple[str, int]]:
    """Of each type of array: what `str(dtype.descr)` gives, and the bytes of an item."""
    found = {}
    for entry in entries:
        for parameter in entry["parameters"]:
            kind = parameter["type"]
            if "ndim" in parameter and kind in records:
                found[kind] = records[kind]["descr"], records[kind]["size"]
            elif "ndim" in parameter:
                dtype = np.dtype(kind)
                found[kind] = str(dtype.descr), dtype.itemsize
    return found


def _dtype_table(dtypes: Mapping[str, tuple[str, int]]) -> str:
    rows = (
        f"    {{{json.dumps(name)}, {json.dumps(descr)}, {size}, NULL}},\n"
        for name, (descr, size) in dtypes.items()
    )
    return f"Dtype dtypes[] = {{\n{''.join(rows)}}};\n"


def _entry(entry: Entry, records: Mapping[str, Any], dtypes: list[str]) -> str:
    """The table of an entry point's parameters, and the function that Python calls."""
    name, parameters = field_of(entry), entry["parameters"]
    rows = ",\n".join(_parameter(entry, p, records, dtypes) for p in parameters)
    bounds = "".join(_bounds(entry, p) for p in parameters)
    names = [p["name"] for p in parameters]
    start, stop = (names.index(n) if n in names else -1 for n in ("start", "stop"))
    table = (
        f"static const Parameter {name}_parameters[] = {{\n{rows}}};\n"
        f"static const Entry {name}_entry = "
        f'{{"{name}", {len(names)}, {start}, {stop}, {name}_parameters}};\n'
    )
    return bounds + table + _function(entry, name)


def _function(entry: Entry, name: str) -> str:
    given = []
    for k, parameter in enumerate(entry["parameters"]):
        if "ndim" in parameter:
            given.append(f"values[{k}].array.buf")
            given += [f"values[{k}].array.shape[{d}]" for d in range(parameter["ndim"])]
        else:
            member = "real" if parameter["type"].startswith("float") else "integer"
            given.append(f"({C_TYPES[parameter['type']]})values[{k}].{member}")
    returns = entry["returns"] != "none"
    call = f"{'result = ' if returns else ''}chosen_body->{name}({', '.join(given)});"
    if {"stop", "count"} & {p["name"] for p in entry["parameters"]} and not returns:
        call = f"Py_BEGIN_ALLOW_THREADS {call} Py_END_ALLOW_THREADS"
    answer = "PyLong_FromLongLong(result)" if returns else "Py_NewRef(Py_None)"
    return (
        f"static PyObject *py_{name}(PyObject *self, PyObject *const *arguments, "
        "Py_ssize_t count) {\n"
        f"    Value values[{len(entry['parameters'])}];\n"
        f"{'    int64_t result;' if returns else ''}\n"
        "    (void)self;\n"
        f"    if (!take(&{name}_entry, arguments, count, values)) return NULL;\n"
        f"    {call}\n"
        f"    release(&{name}_entry, values);\n"
        f"    return {answer};\n}}\n"
    )


def _parameter(entry: Entry, parameter: Any, records: Mapping[str, Any], dtypes: list[str]) -> str:
    rule = wanted(field_of(entry), parameter)
    low = LOWEST if rule.low is None else str(rule.low)
    high = HIGHEST if rule.high is None else str(rule.high)
    if "ndim" not in parameter:
        kind = "TRUTH" if parameter["type"] == "bool" else "INTEGER"
        kind = "REAL" if parameter["type"].startswith("float") else kind
        by = [p["name"] for p in entry["parameters"]].index(rule.by) if rule.by else 0
        table = f"{field_of(entry)}_{parameter['name']}_bounds" if rule.by else "NULL"
        fields = f"0, 0, 0, {{{{0}}}}, {table}, {by}, 0"
        return f'    {{"{parameter["name"]}", {kind}, {low}, {high}, {fields}}}'
    lengths = ", ".join(_length(entry, length, records) for length in _all_lengths(parameter, rule))
    fields = f"{dtypes.index(parameter['type'])}, {parameter['ndim']}, {int(parameter['written'])}"
    bounded = int(rule.low is not None)
    fields += f", {{{lengths}}}, NULL, 0, {bounded}"
    return f'    {{"{parameter["name"]}", ARRAY, {low}, {high}, {fields}}}'


def _bounds(entry: Entry, parameter: Any) -> str:
    """The table of a number's bounds for each value of another one, where it has such."""
    rule = wanted(field_of(entry), parameter)
    if not rule.by:
        return ""
    name, values = f"{field_of(entry)}_{parameter['name']}_bounds", map(str, rule.highs)
    return f"static const int64_t {name}[] = {{{', '.join(values)}}};\n"


def _all_lengths(parameter: Any, rule: Wanted) -> tuple[Length, ...]:
    """A condition for each dimension; those without one may have any length."""
    missing = parameter["ndim"] - len(rule.lengths)
    if missing < 0:
        raise ValueError(f"{parameter} has fewer dimensions than {rule}")
    return rule.lengths + (Length("at least"),) * missing


def _length(entry: Entry, length: Length, records: Mapping[str, Any]) -> str:
    """A condition as C; `length.of` is looked up among the entry point's parameters."""
    names = [p["name"] for p in entry["parameters"]]
    kind, parameter, at, size = "NOTHING", 0, 0, 0
    if length.of.startswith("len "):
        kind, (name, _, dimension) = "LENGTH", length.of.removeprefix("len ").partition(" ")
        parameter, at = names.index(name), int(dimension or 0)
    elif "." in length.of:
        kind, (name, _, field) = "FIELD", length.of.partition(".")
        parameter = names.index(name)
        described = records[entry["parameters"][parameter]["type"]]["fields"][field]
        at, size = described["offset"], described["size"]
    elif length.of:
        kind, parameter = "NUMBER", names.index(length.of)
    rule = RULES[length.rule]
    return f"{{{rule}, {length.plus}, {length.times}, {kind}, {parameter}, {at}, {size}}}"


def _methods(entries: Iterable[Entry]) -> str:
    rows = "".join(
        f'    {{"{field_of(e)}", (PyCFunction)(void (*)(void))py_{field_of(e)}, METH_FASTCALL, '
        f"{json.dumps(e['doc'])}}},\n"
        for e in entries
    )
    return f"static PyMethodDef entry_methods[] = {{\n{rows}    {{NULL, NULL, 0, NULL}}}};\n"
