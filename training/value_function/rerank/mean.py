"""`python -m catan_env.training.value_function.rerank.mean out a.npz b.npz`: the mean of networks.

Networks that learned from different decisions err differently, and their mean errs less. It has the
units of all of them, and is for the tables of the first: a network of other tables often helps.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from catan_env.extras import ends_in_one_line
from catan_env.notation.whole_files import check_not_read
from catan_env.policies.rerank import RerankNetwork, save

Array = np.ndarray[Any, Any]


def mean(networks: Sequence[RerankNetwork]) -> tuple[Array, Array]:
    """The units and shares of a network whose log odds are the mean of the networks'."""
    units = np.concatenate([each.units for each in networks], axis=1)
    weights = [each.shares[:-1] for each in networks]
    constant = sum(each.shares[-1:] for each in networks)
    return units, np.concatenate([*weights, constant]) / len(networks)


def main(given: Sequence[str] | None = None) -> None:
    """Write the mean of the networks that the command line names."""
    prog = "python -m catan_env.training.value_function.rerank.mean"
    parser = argparse.ArgumentParser(prog=prog, description=__doc__)
    add = parser.add_argument
    add("out", type=Path, help="the file to write")
    add("networks", type=Path, nargs="+", help="weights files of the kind 'rerank'")
    add("--margin", type=float, help="of its choices (default: that of the first)")
    wanted = parser.parse_args(given)
    with ends_in_one_line(prog):
        check_not_read(wanted.out, *wanted.networks)
        networks = [RerankNetwork(path) for path in wanted.networks]
        first = networks[0]
        margin = first.margin if wanted.margin is None else wanted.margin
        save(wanted.out, *mean(networks), margin, first.seats, first.player_trade)


if __name__ == "__main__":
    main()
