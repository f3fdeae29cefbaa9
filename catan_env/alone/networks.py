"""A policy's network as the page contains it: the description of its arrays, and its weights."""

from pathlib import Path
from typing import Any

import numpy as np

from catan_env.adapters.weights import read
from catan_env.alone.tables import packed
from catan_env.game.rules import Rules
from catan_env.policies import blend
from catan_env.policies.best import files_for
from catan_env.policies.network.native.compiled import Forward
from catan_env.policies.network.network import read_pointer
from catan_env.policies.rerank import doors
from catan_env.policies.rerank.network import KIND, RerankNetwork
from catan_env.policies.set_up import set_up
from catan_env.policies.set_up.network import SetUpNetwork, network_for
from catan_env.policies.value.evaluation import WON
from catan_env.policies.value.win_probability import MOST_LOG_ODDS

Parts = tuple[dict[str, Any], bytes]


def network_of(policy: str, seats: int, rules: Rules) -> Parts | None:
    """The network of a policy's name or weights file; None for greedy."""
    if policy == "greedy":
        return None
    if policy != "best" and not policy.endswith(".npz"):
        raise ValueError(f"policy {policy!r}; a page plays greedy, best or a weights file (.npz)")
    if policy != "best":
        return parts_of(Path(policy), seats, rules)
    parts = [parts_of(file, seats, rules) for file in files_for(seats, rules.player_trade)]
    described, weights = parts[0] if len(parts) == 1 else blend_parts(*parts)
    network = network_for(seats, rules.player_trade)
    return (described | set_up_part(network) if network else described), weights


def set_up_part(network: SetUpNetwork) -> dict[str, Any]:
    """The description of a network that places the first settlements."""
    net, ways = network.weights, set_up.ways_for(network.seats)
    others = {"candidates": set_up.CANDIDATES, "ways": ways, "spread": set_up.SPREAD}
    return {"set_up": {"shape": net.shape, "net": packed(net), **others}}


def parts_of(file: Path, seats: int, rules: Rules) -> Parts:
    """The network in a weights file."""
    if str(read(file).get("kind")) != KIND:
        return pointer_parts(read_pointer(file).forward())
    network = RerankNetwork(file)
    network.check(seats, rules.player_trade)
    return rerank_parts(network)


def blend_parts(network: Parts, reranker: Parts) -> Parts:
    """Two networks of `policies/blend`, whose weights follow each other."""
    described = {
        "kind": "blend",
        "network": network[0],
        "reranker": reranker[0],
        "split": len(network[1]),
        "candidates": doors.CANDIDATES,
        "share": blend.SHARE,
        "least": blend.LEAST,
        "nearest": blend.NEAREST,
        "most_log_odds": MOST_LOG_ODDS,
        "won": WON,
    }
    return described, network[1] + reranker[1]


def rerank_parts(network: RerankNetwork) -> Parts:
    """A network that reorders the value function's moves."""
    arrays = network.units, network.shares[:, None]
    described = {"kind": KIND, "line": network.line.tolist()}
    return described | _shapes(arrays), _bytes(arrays)


def pointer_parts(network: Forward) -> Parts:
    """A network of the kind "pointer"."""
    *layers, scale, actions, _, moved, images = network.arguments
    described = {
        "kind": "pointer",
        "outputs": actions,
        "scale": packed(scale),
        "moved": packed(moved.astype(np.int16)),
        "images": packed(images.astype(np.int16)),
    }
    return described | _shapes(layers), _bytes(layers)


def _shapes(arrays: Any) -> dict[str, Any]:
    return {"type": np.dtype(_kind(arrays)).name, "shapes": [array.shape for array in arrays]}


def _kind(arrays: Any) -> type[np.floating[Any]]:
    """Half precision if it loses nothing."""
    is_half = all((x == x.astype(np.float16)).all() for x in arrays)
    return np.float16 if is_half else np.float32


def _bytes(arrays: Any) -> bytes:
    """The first bytes of all numbers, then the second ones: this compresses better."""
    kind = _kind(arrays)
    numbers = np.concatenate([array.astype(kind).ravel() for array in arrays])
    return numbers.view(np.uint8).reshape(len(numbers), -1).T.tobytes()
