"""The browser of these tests, which open pages of tables."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """Chromium; each test leaves one empty tab and an empty console log."""
    from tests.render.browser import leave_pages

    yield chromium
    leave_pages(chromium)
