"""A bare environment: the built wheel and its dependencies, without development tools."""

import os
import subprocess
import sys
import venv
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]


def given_wheel() -> Path | None:
    """The wheel that `make test-wheel` has built."""
    given = os.environ.get("CATAN_ENV_WHEEL")
    return Path(given).resolve() if given else None


def build_wheel(folder: Path) -> Path:
    """The wheel that was given, else that of this tree without machine code."""
    if (given := given_wheel()) is not None:
        return given
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    environment = os.environ | {"CATAN_ENV_BUILD": "pure"}
    subprocess.run([*command, "--wheel-dir", folder, ROOT], check=True, env=environment)
    (wheel,) = folder.glob("*.whl")
    return wheel


def bare_environment(folder: Path, wheel: Path, extras: tuple[str, ...] = ()) -> Path:
    """A new environment with the wheel installed; returns its folder of programs.

    The wheel's dependencies, with these extras, are links to those installed for the tests.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install"]
    subprocess.run([*pip, "--quiet", "--no-deps", str(wheel)], check=True)
    needed: dict[str, Distribution] = {}
    (info,) = packages.glob("catan_env-*.dist-info")
    _need(Distribution.at(info), extras, needed)
    for dist in needed.values():
        _link(dist, packages)
    return folder / "bin"


def _need(dist: Distribution, extras: tuple[str, ...], needed: dict[str, Distribution]) -> None:
    """Add the dependencies of `dist`, transitively, by name."""
    for line in dist.requires or ():
        asked = Requirement(line)
        wanted = asked.marker is None or any(
            asked.marker.evaluate({"extra": extra}) for extra in (*extras, "")
        )
        if not wanted or asked.name in needed or asked.name == "catan-env":
            continue
        try:
            needed[asked.name] = distribution(asked.name)
        except PackageNotFoundError:
            raise AssertionError(f"the tests need {asked.name}: pip install -e '.[dev]'") from None
        _need(needed[asked.name], tuple(asked.extras), needed)


def _link(dist: Distribution, packages: Path) -> None:
    """Links to the folders and files of an installed distribution."""
    for top in {
        file.parts[0] for file in dist.files or () if file.parts[0] not in ("..", "__pycache__")
    }:
        here = packages / top
        if not here.exists():
            os.symlink(Path(str(dist.locate_file(top))).resolve(), here)
