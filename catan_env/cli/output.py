"""The file that a command writes when its work is done."""

from pathlib import Path

from catan_env.notation.whole_files import check_not_read, check_writable


def check_output(path: str | Path, *sources: str | None) -> None:
    """Raise OSError if the file cannot be written; nothing is created or changed.

    ValueError if it is one of the sources that are files, under any name.
    """
    check_not_read(path, *sources)
    check_writable(Path(path))
