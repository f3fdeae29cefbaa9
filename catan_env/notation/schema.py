"""Validation of a record against its JSON schema, sgn.schema.json in this folder.

The reader does its own checks; the schema lists all faults together, and serves other
programs. It needs jsonschema: `pip install '.[notation]'` in a checkout.
"""

import json
import marshal
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from catan_env.extras import missing
from catan_env.notation.errors import NotationError
from catan_env.notation.values import Message

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


def is_usable() -> bool:
    """True if jsonschema, which `problems` and `check` need, is installed."""
    return find_spec("jsonschema") is not None


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of a record."""
    text = resources.files("catan_env.notation").joinpath("sgn.schema.json").read_text("utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


def problems(messages: Sequence[Message]) -> Iterator[NotationError]:
    """Yield every violation of the schema in these messages; ImportError without jsonschema."""
    validators = _validators()
    if not isinstance(messages, list):
        yield NotationError("a record is a list of messages", "$")
        return
    for index, message in enumerate(messages):
        if _is_known_to_fit(message):
            continue
        found = list(_errors(validators["message"], message, ""))
        if not found:
            found = list(_errors(validators[message["event"]], message["value"], ".value"))
        yield from (error.of_message(index, message) for error in found)


def _is_known_to_fit(message: Any) -> bool:
    """True if this message follows the schema; False if it has to be looked at.

    A game repeats most of its messages but for their uuid, of which any text but "" is valid.
    """
    if type(message) is not dict or type(message.get("uuid")) is not str or not message["uuid"]:
        return False
    try:
        # marshal distinguishes all types, unlike JSON, and refuses those it does not know.
        written = marshal.dumps({**message, "uuid": "uuid"}, 2)
    except ValueError:
        return False
    return _fits(written)


@lru_cache(4096)
def _fits(written: bytes) -> bool:
    """True if a message written by marshal follows the schema."""
    message, validators = marshal.loads(written), _validators()
    is_message = validators["message"].is_valid(message)
    return is_message and validators[message["event"]].is_valid(message["value"])


def check(messages: Sequence[Message]) -> None:
    """Raise the first of `problems`, if any."""
    for problem in problems(messages):
        raise problem


@cache
def _validators() -> dict[str, "Draft202012Validator"]:
    """Return the validators of a message and of the value of each event."""
    try:
        from jsonschema import Draft202012Validator
    except ImportError as error:
        raise missing("checking against the schema", "notation", error) from error
    whole = schema()
    parts = {"message": "shape", **{code: code for code in whole["$defs"]["events"]["enum"]}}
    return {
        name: Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]})
        for name, part in parts.items()
    }


def _errors(validator: "Draft202012Validator", value: Any, at: str) -> Iterator[NotationError]:
    from jsonschema.exceptions import best_match

    for error in validator.iter_errors(value):
        inner = best_match([error]) or error
        said = inner.message if len(inner.message) <= 160 else f"{inner.message[:157]}..."
        yield NotationError(said, at + inner.json_path.removeprefix("$"))
