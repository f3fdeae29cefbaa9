"""Output folders of a command: created before any other work."""

from pathlib import Path


def make_folder(option: str, folder: str | Path | None) -> None:
    """Create the folder given with an option, if any; ValueError if that is impossible."""
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{option} {folder}: {error.strerror}") from None
