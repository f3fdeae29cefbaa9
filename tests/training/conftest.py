"""Networks this small compute in float32, and need few compiled kernels."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

# Before torch computes. In bfloat16 oneDNN compiles a kernel per shape and keeps 1,024,
# half a gigabyte by the end of these tests.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "100")
HAS_BFLOAT16 = "catan_env.training.agent.has_bfloat16"


@pytest.fixture(scope="module", autouse=True)
def in_float32() -> Iterator[None]:
    """Compute in float32 on every processor; bfloat16 takes 200 MB more for these tests."""
    with pytest.MonkeyPatch.context() as patch:
        if find_spec("torch"):
            patch.setattr(HAS_BFLOAT16, lambda device: False)
        yield


@pytest.fixture
def bfloat16(in_float32: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute in bfloat16 where the processor has it, as users do."""
    from catan_env.training.devices import has_bfloat16

    monkeypatch.setattr(HAS_BFLOAT16, has_bfloat16)


@pytest.fixture(autouse=True)
def bfloat16_at_night(request: pytest.FixtureRequest) -> None:
    """Compute nightly tests as users do."""
    if request.node.get_closest_marker("nightly"):
        request.getfixturevalue("bfloat16")
