"""Weights files of all games: damaged ones are refused in plain words."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from catan_env.adapters.flat_network import FlatNetwork, Layers
from catan_env.adapters.weights import MOST_BYTES, read
from catan_env.guests.hanabi.policies import colours, remembering
from catan_env.guests.hanabi.policies import load_policy as hanabi
from catan_env.guests.hanabi.rules import OFFICIAL
from catan_env.guests.renaissance import advised
from catan_env.guests.renaissance.policies import load_policy as renaissance
from catan_env.policies.network import save
from catan_env.policy import load_policy as catan
from examples.fourth_game import load as fourth


def written(path: Path) -> bytes:
    np.savez_compressed(path, numbers=np.arange(1000))
    return path.read_bytes()


def test_arrays_are_read_as_they_were_saved(tmp_path: Path) -> None:
    written(tmp_path / "net.npz")
    assert read(tmp_path / "net.npz")["numbers"].tolist() == list(range(1000))


@pytest.mark.parametrize("load", [catan, hanabi, renaissance])
@pytest.mark.parametrize("kind", ["text", "empty", "cut", "changed", "objects", "array", "pickle"])
def test_a_file_of_another_kind_is_refused_without_advice_to_load_it(
    load: Callable[[str], Any], kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "net.npz"
    whole = written(path)
    middle = len(whole) // 2
    contents = {
        "text": b"no weights",
        "empty": b"",
        "cut": whole[:middle],
        "changed": whole[:middle] + bytes(8) + whole[middle + 8 :],
        "pickle": b"\x80\x04N.",
    }
    if kind == "objects":
        np.savez(path, numbers=np.array([{}, None], dtype=object))
    elif kind == "array":
        with open(path, "wb") as file:
            np.save(file, np.arange(3))
    else:
        path.write_bytes(contents[kind])
    with pytest.raises(ValueError, match=r"cannot read the weights in '.*net\.npz'") as refused:
        load(str(path))
    assert "pickle" not in str(refused.value)


def test_an_array_that_claims_more_than_any_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    header = io.BytesIO()
    claim = {"descr": "<f8", "fortran_order": False, "shape": (1 << 50,)}
    np.lib.format.write_array_header_1_0(header, claim)
    with ZipFile(path, "w") as archive:
        archive.writestr("numbers.npy", header.getvalue() + bytes(100))
    with pytest.raises(ValueError, match=r"net\.npz': it is damaged"):
        read(path)


def test_a_small_file_that_unpacks_to_very_much_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    written(path)
    with ZipFile(path, "a") as archive:
        archive.writestr("zeros.npy", b"")
        archive.infolist()[-1].file_size = MOST_BYTES
    with pytest.raises(ValueError, match=r"net\.npz': its arrays are larger than 1024 MiB"):
        read(path)


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_file_that_is_not_regular_is_refused_unread(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(ValueError, match=r"net\.npz': it is not a regular file"):
        read(path)


def test_a_missing_file_is_named_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.npz': No such file or directory"):
        read(tmp_path / "none.npz")


@pytest.mark.parametrize("load", [catan, hanabi, renaissance, fourth])
def test_a_policy_is_loaded_by_a_name(load: Callable[[Any, int], Any]) -> None:
    for given in (None, 3, b"random", []):
        with pytest.raises(TypeError, match=r"^policy .*; expected its name$"):
            load(given, 0)


def test_a_flat_network_of_another_game_is_refused(tmp_path: Path) -> None:
    path, layers = tmp_path / "net.npz", [(np.eye(4, 6), np.zeros(6)), (np.eye(6, 3), np.ones(3))]
    save(path, layers, "relu", np.ones(4, np.float32), game="four numbers")
    made = FlatNetwork(path, 4, 3, "four numbers")
    assert made.act_batch(np.eye(4), np.ones((4, 3))).tolist() == [0, 1, 2, 0]
    for size, actions in ((5, 3), (4, 2)):
        with pytest.raises(ValueError, match=f"4 numbers and 3 actions.* has {size} and {actions}"):
            FlatNetwork(path, size, actions, "four numbers")
    with pytest.raises(ValueError, match="to play 'four numbers', but this is a game of 'dice'"):
        FlatNetwork(path, 4, 3, "dice")
    save(path, layers, "tanh", np.ones(4, np.float32), game="four numbers")
    with pytest.raises(ValueError, match="activation 'tanh'; allowed is 'relu'"):
        FlatNetwork(path, 4, 3, "four numbers")
    np.savez(path, weight_0=np.eye(3))
    with pytest.raises(ValueError, match=r"is not a weights file: 'game.* is missing"):
        FlatNetwork(path, 4, 3, "four numbers")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"weight_1": np.eye(5, 3)}, r"layers of \[\(4, 6\), \(5, 3\)\]"),
        ({"weight_1": np.ones(6)}, "layers of"),
        ({"bias_0": np.float32(1)}, "layers of"),
        ({"scale": np.float32(1)}, "layers of"),
        ({"activation": "tanh"}, "activation 'tanh'; allowed is 'relu'"),
    ],
)
def test_layers_that_cannot_follow_each_other_are_refused(
    changed: dict[str, Any], reason: str
) -> None:
    arrays = {"scale": np.ones(4), "weight_0": np.eye(4, 6), "bias_0": np.zeros(6)}
    arrays |= {"weight_1": np.eye(6, 3), "bias_1": np.zeros(3), "activation": "relu"}
    layers = Layers(arrays)
    assert (layers.size, layers.actions) == (4, 3)
    with pytest.raises(ValueError, match=reason):
        Layers(arrays | {name: np.asarray(value) for name, value in changed.items()})


def test_a_file_without_layers_lacks_the_first() -> None:
    with pytest.raises(KeyError, match="weight_0"):
        Layers({"scale": np.ones(4), "activation": np.array("relu")})


@pytest.mark.parametrize("load", [catan, hanabi, renaissance])
def test_a_network_of_another_game_is_refused(load: Callable[[str], Any], tmp_path: Path) -> None:
    path, layers = tmp_path / "net.npz", [(np.eye(4, 3), np.zeros(3))]
    save(path, layers, "relu", np.ones(4, np.float32), game="dice")
    with pytest.raises(ValueError, match=r"net.npz': trained to play 'dice', but this is a game"):
        load(str(path))


@pytest.mark.parametrize(
    ("network", "table"),
    [(colours, (OFFICIAL, 2)), (remembering, (OFFICIAL, 2)), (advised, ("printed", 2))],
)
def test_numbers_that_are_not_finite_as_float16_are_not_saved(
    network: Any, table: tuple[Any, int], tmp_path: Path
) -> None:
    weights = {name: np.full(shape, 1e6) for name, shape in network.shapes(*table).items()}
    with pytest.raises(ValueError, match="value_bias: not finite, or not finite as float16"):
        network.save(tmp_path / "net.npz", weights, *table)
    assert not (tmp_path / "net.npz").exists()
