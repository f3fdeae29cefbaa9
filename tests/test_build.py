"""The build hook decides whether a wheel contains machine code."""

import importlib.util
import sys
from pathlib import Path

import pytest

pytest.importorskip("hatchling")
ROOT = Path(__file__).resolve().parents[1]
SPEC = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
assert SPEC is not None and SPEC.loader is not None
hook = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(hook)


@pytest.mark.parametrize(
    ("variable", "text", "reason"),
    [
        ("CATAN_ENV_BUILD", "pure", "CATAN_ENV_BUILD is pure"),
        ("CC", "/no/such/compiler -O2", "there is no C compiler (/no/such/compiler)"),
    ],
)
def test_a_wheel_is_pure_for_a_reason(
    variable: str, text: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CATAN_ENV_BUILD", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(hook.platform, "machine", lambda: "x86_64")
    monkeypatch.setenv(variable, text)
    assert hook.reason_for_pure() == reason


def test_other_systems_keep_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CATAN_ENV_BUILD", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "none is built on darwin" in hook.reason_for_pure()


def test_an_unknown_way_to_build_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATAN_ENV_BUILD", "fast")
    with pytest.raises(ValueError, match="CATAN_ENV_BUILD is fast, not native or pure"):
        hook.reason_for_pure()


def test_the_tag_names_the_newest_glibc_that_the_library_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hook.platform, "machine", lambda: "x86_64")
    assert hook.platform_tag(b"GLIBC_2.2.5\0GLIBC_2.29\0") == "manylinux_2_29_x86_64"
    assert hook.platform_tag(b"GLIBC_2.2.5\0") == "manylinux_2_17_x86_64"
    assert hook.platform_tag(b"") == "linux_x86_64"


def test_the_hook_knows_the_processors_of_the_generator() -> None:
    pytest.importorskip("llvmlite")
    from native.back import BY_MACHINE

    assert set(hook.MACHINES) == set(BY_MACHINE)
