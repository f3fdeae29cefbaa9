"""Folders that a command writes into: made before anything else is done."""

from pathlib import Path


def make_folder(option: str, folder: str | Path | None) -> None:
    """Make a folder that was given with an option, if any; ValueError if that is impossible."""
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{option} {folder}: {error.strerror}") from None
