"""The files of pictures that commands draw."""

from pathlib import Path

from catan_env.extras import missing
from catan_env.training.folder import make_folder_of


def check_picture(path: str | Path) -> None:
    """Make the picture's folder; ValueError if matplotlib draws no files with such a name.

    An ImportError names the extra if matplotlib is missing.
    """
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError as error:
        raise missing("--plot", "train", error) from None
    kinds = FigureCanvasBase.get_supported_filetypes()
    kind = Path(path).suffix[1:].lower()
    if kind and kind not in kinds:
        allowed = ", ".join(f".{name}" for name in sorted(kinds))
        raise ValueError(f"--plot {path}; allowed are names that end in {allowed}")
    make_folder_of(path)
