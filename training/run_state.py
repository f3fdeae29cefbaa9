"""The state that a run resumes from, the file `state.pt` in its folder."""

import pickle
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import torch

from catan_env.notation.whole_files import replacing
from catan_env.training.folder import announce_lost_state


def save_state(state: dict[str, Any], folder: Path) -> None:
    """Write what a run resumes from, `state.pt`."""
    with replacing(folder / "state.pt") as path, path.open("wb") as file:
        torch.save(state, file)  # given a path, torch reports a full disk as an internal error


def load_state(folder: Path) -> Any:
    """The state that `save_state` wrote, None before that; ValueError if the file is damaged."""
    path = folder / "state.pt"
    if not path.exists():
        announce_lost_state(folder, path.name)
        return None
    damaged = (
        f"{path}: it is damaged; restore it, or begin in another folder with the last weights file "
        "as initial_weights"
    )
    if not is_zipfile(path):  # torch takes it for a pickle, and raises any error
        raise ValueError(damaged)
    try:
        return torch.load(path, map_location="cpu")
    except (RuntimeError, pickle.UnpicklingError):
        raise ValueError(damaged) from None


def random_state() -> dict[str, Any]:
    """torch's random generators."""
    return {"cpu": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state_all()}


def restore_random_state(state: dict[str, Any]) -> None:
    """Set torch's random generators to an earlier `random_state`."""
    torch.set_rng_state(state["cpu"])
    if state["cuda"] and torch.cuda.is_available():
        torch.cuda.set_rng_state_all(state["cuda"])


def pickled(state: Any) -> tuple[torch.Tensor | None, str]:
    """A pickle as bytes for `torch.save`, and "".

    None and the reason if a part, such as your own game, has no pickle.
    """
    try:
        return torch.frombuffer(bytearray(pickle.dumps(state)), dtype=torch.uint8), ""
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        return None, str(error)


def unpickled(state: torch.Tensor) -> Any:
    """The object that `pickled` was given."""
    return pickle.loads(state.numpy().tobytes())


def packed(state: Any) -> torch.Tensor:
    """Any state that `torch.save` takes, as bytes: `load_state` reads tensors and numbers only."""
    file = BytesIO()
    torch.save(state, file)
    return torch.frombuffer(file.getbuffer(), dtype=torch.uint8)


def unpacked(state: torch.Tensor, device: torch.device) -> Any:
    """The state that `packed` was given, its tensors on the device."""
    return torch.load(BytesIO(state.numpy().tobytes()), map_location=device, weights_only=False)
