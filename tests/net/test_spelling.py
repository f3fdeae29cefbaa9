"""Messages as JSON objects: exactly those of the protocol, or an error that names the field."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_env.net.room import Garbled
from catan_env.net.spelling import JsonSpelling, depth
from tests.net.toy import Heard, Join, Message, Say, Sorry

SPELLING = JsonSpelling(Message)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (Join(3), b'{"type":"Join","name":3}'),
        (Heard(1, -5), b'{"type":"Heard","name":1,"number":-5}'),
        (Sorry(), b'{"type":"Sorry"}'),
    ],
)
def test_a_message_is_one_object_that_begins_with_its_type(message, said):
    assert SPELLING.encode(message) == said
    assert SPELLING.decode(said) == message


@pytest.mark.parametrize(
    "said", [b' { "number" : 4 , "type" : "Say" } \r', b'{"type":"S\\u0061y","number":4}']
)
def test_white_space_order_and_escapes_do_not_matter(said):
    assert SPELLING.decode(said) == Say(4)


@pytest.mark.parametrize(
    ("said", "because"),
    [
        (b"", "the message is empty"),
        (b" \r", "the message is empty"),
        (rb'{"type":"\ud83d"}', "half of a surrogate pair ends a string"),
        (rb'{"type":"\uDBFF', "truncated"),
        (b"4", "got `int`"),
        (b"{}", "missing required field `type`"),
        (b'{"type":"Leave"}', "'Leave' - at `$.type`"),
        (b'{"type":"Say"}', "missing required field `number`"),
        (b'{"type":"Say","number":"4"}', "at `$.number`"),
        (b'{"type":"Say","number":4.5}', "at `$.number`"),
        (b'{"type":"Say","number":true}', "at `$.number`"),
        (b'{"type":"Say","number":null}', "at `$.number`"),
        (b'{"type":"Say","number":1e400}', "Number out of range"),
        (b'{"type":"Say","number":NaN}', "invalid character"),
        (b'{"type":"Say","number":4,"name":1}', "unknown field `name`"),
        (b'{"type":"Say","number":4} 5', "trailing characters"),
        (b'{"type":"Say","number":4', "truncated"),
        (b'{"type":"S\xffy","number":4}', "not UTF-8: invalid start byte at byte 10"),
        (b'\xef\xbb\xbf{"type":"Sorry"}', "invalid character"),
        (b"[" * 33, "more than 32 deep"),
        (b'{"a":' * 5000, "more than 32 deep"),
        (b'{"type":"Say","number":' + b"9" * 5000 + b"}", ""),
    ],
)
def test_anything_but_an_exact_message_is_garbled(said, because):
    garbled = SPELLING.decode(said)
    assert isinstance(garbled, Garbled)
    assert because in garbled.reason


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_any_bytes_are_a_message_or_garbled(said):
    assert isinstance(SPELLING.decode(said), Message | Garbled)


VALUES = st.recursive(st.none() | st.booleans() | st.text(max_size=8), st.lists, max_leaves=30)


@given(VALUES)
def test_brackets_in_strings_do_not_count_as_nesting(value):
    assert depth(json.dumps(value).encode()) == depth_of(value)


def depth_of(value) -> int:
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


def test_an_object_may_be_nested_up_to_the_limit():
    anything = JsonSpelling(msgspec.Raw, most_depth=3)
    assert anything.decode(b'[[["[["]]]') == msgspec.Raw(b'[[["[["]]]')
    assert anything.decode(b"[[[[]]]]") == Garbled(
        "objects and arrays stand in each other more than 3 deep"
    )


@pytest.mark.parametrize(
    ("said", "name"),
    [
        (b'{"type":"Say","number":"4"}', "Say"),
        (b'{"number":4,"type":"Leave"}', "Leave"),
        (b'{"type":4}', None),
        (b"[4]", None),
        (b'{"type":"Say"', None),
    ],
)
def test_a_message_with_a_wrong_field_may_keep_its_name(said, name):
    named, plain = JsonSpelling(Message, tag="type").decode(said), SPELLING.decode(said)
    assert isinstance(named, Garbled) and named.name == name
    assert plain == Garbled(named.reason)
