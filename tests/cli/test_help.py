"""Help explains every argument with its default, and has a description with its examples."""

import re

import pytest

from catan_env.cli.command import COMMANDS
from docs.site.command_line import page
from tests.cli.commands import leaves
from tests.help import unexplained

LEAVES = {leaf.name: leaf for leaf in leaves()}


@pytest.mark.parametrize("name", LEAVES)
def test_help_explains_every_argument_with_its_default(name):
    assert list(unexplained(LEAVES[name].parser)) == []


@pytest.mark.parametrize("name", LEAVES)
def test_help_describes_what_a_command_does(name):
    assert LEAVES[name].parser.description


def test_examples_follow_a_blank_line_in_help_and_on_the_page_made_from_it():
    lines = page().splitlines()
    places = [n for n, line in enumerate(lines) if re.fullmatch("examples?:", line)]
    assert len(places) == len([name for name in COMMANDS if name not in ("replay", "check")])
    assert {lines[n - 1] for n in places} == {""}
