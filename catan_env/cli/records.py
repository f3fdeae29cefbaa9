"""The folder of a command's records, which loses no record of an earlier run."""

from collections.abc import Iterable
from os.path import isfile
from pathlib import Path

from catan_env.notation.files import SUFFIX


def check_is_free(folder: Path, stems: Iterable[str], option: str = "--record") -> None:
    """Raise ValueError if the option's folder has a record of one of these names already."""
    names = (f"{stem}{SUFFIX}" for stem in stems)
    there = next((name for name in names if isfile(folder / name)), None)  # also of names too long
    if there is not None:
        raise ValueError(f"{option} {folder} has {there} already: name another folder, or empty it")
