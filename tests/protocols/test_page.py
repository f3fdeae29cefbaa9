"""docs/protocol.md agrees with the code."""

from pathlib import Path

from catan_env.protocols.catan_binary.messages import MsgType
from catan_env.protocols.catan_binary.room import State
from docs.generate.protocol import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"


def test_the_page_is_generated_from_the_tables_of_the_code():
    """Regenerate it with: python -m docs.generate.protocol docs"""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_names_every_message_and_state():
    text = page()
    assert "{{" not in text
    assert all(f"| MSG_{kind.name} |" in text for kind in MsgType)
    assert all(state.name in text for state in State)
