"""The toy protocols, for tests of a server that hold for each."""

import pytest

from tests.net.toy import PROTOCOLS


@pytest.fixture(params=PROTOCOLS)
def protocol(request):
    """Factories of the ends of one of the three toy protocols."""
    return PROTOCOLS[request.param]
