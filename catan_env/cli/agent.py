"""`catan-env agent`: a policy as a small process that connects to a server."""

import argparse
import os
from importlib.util import find_spec
from pathlib import Path

from catan_env.arena.one_thread import ONE_THREAD
from catan_env.cli.folders import make_folder
from catan_env.cli.parser import check_chosen, formerly, player_name, seconds, whole
from catan_env.net.watchdog import PATIENCE

DESCRIPTION = """\
Connect to a server of the binary protocol, of the German one or of JSettlers, and let a policy
play. The process is small: one thread, NumPy, and the rules engine as machine code, which a wheel
contains and "make native" builds. Without it the rules run as plain Python. This is too slow for
search, which then plays the move that it rates best before any playout: there --compiled has Numba
compile them.

examples:
  catan-env agent --policy builder 127.0.0.1 4000
  catan-env agent --policy weights.npz 127.0.0.1 4000
  catan-env agent --protocol german --policy builder --name Ada 127.0.0.1 4000
  catan-env agent --compiled --policy search 127.0.0.1 4000
  catan-env agent --protocol jsettlers --policy best --cookie KEY 127.0.0.1 8880
  catan-env agent --protocol jsettlers --policy best --name Ada --table evening 127.0.0.1 8880
"""

CLIENT = ("table", "open", "options", "seat")
"""The options of an ordinary client of JSettlers, as opposed to a robot."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The address of the server, and the policy that plays there."""
    add = parser.add_argument
    add("host", help="the server's address")
    add("port", type=whole(1, 65535), help="its port")
    add("--policy", required=True, metavar="NAME",
        help="random, builder, greedy, network, best, search, network+search, module:Class, or a "
             "weights file (.npz)")  # fmt: skip
    add("--seed", type=whole(0), default=0, help="seed of a randomized policy (default: 0)")
    add(
        "--protocol",
        choices=("binary", "german", "jsettlers"),
        default="binary",
        help="default: binary",
    )
    add(
        "--name",
        type=player_name,
        default="catan_env",
        help="german, jsettlers: the name shown to others (default: catan_env)",
    )
    add("--colour", choices=("Rot", "Orange", "Blau", "Weiß"),
        help="german: the colour to request first")  # fmt: skip
    add("--dialect", choices=("auto", "announced", "literal"),
        help="binary: whether the server announces hidden card movements; it then discards by the "
             "rule of docs/protocol.md (default: what a catan-env server that started the agent "
             "announces, otherwise detected)")  # fmt: skip
    add("--compiled", action="store_true",
        help="without machine code of the build, play with the engine that Numba compiles, in "
             "about 350 MiB of address space; compile it beforehand with catan-env play and the "
             "same policy")  # fmt: skip
    add("--cookie", metavar="KEY", help="jsettlers: play as a robot, with the server's cookie")
    add("--games", type=whole(1),
        help="jsettlers: exit once this many games have ended, those in progress included "
             "(default: never)")  # fmt: skip
    add("--table", metavar="GAME", help="jsettlers: sit down at this game as an ordinary client")
    add("--open", action="store_true", help="jsettlers: create that game instead of joining it")
    add("--options", metavar="LIST", help="jsettlers: options of a game to create: RD=t,VP=t12")
    add("--seat", type=whole(0, 3), help="jsettlers: the seat to take there, if it is free")
    record = add("--record", type=Path, metavar="DIR",
        help="jsettlers: save each game as a record of the seat")  # fmt: skip
    formerly("--records", record, parser)
    add("--patience", type=seconds, default=PATIENCE, metavar="SECONDS",
        help="seconds without an answer after which a message counts as refused; 0: never "
             f"(default: {PATIENCE:g})")  # fmt: skip
    add("--wait", type=seconds, metavar="SECONDS",
        help="seconds to keep trying a server that is not up yet (default: 60; jsettlers: "
             "a robot never gives up)")  # fmt: skip
    add("--log", type=Path, metavar="FILE", help="write a log of messages and decisions to a file")


def stay_small(compiled: bool) -> None:
    """Limit the process to one thread and, unless `compiled`, to an engine without Numba.

    Call it before importing NumPy. ValueError if `compiled` and there is nothing compiled.
    """
    engines = ("numba", "catan_env.kernel._native")
    if compiled and not any(map(find_spec, engines)):
        raise ValueError("--compiled needs Numba, which is not installed: pip install numba")
    os.environ["CATAN_ENV_ENGINE"] = "native,jit" if compiled else "native,python"
    os.environ.update(ONE_THREAD)


def run(chosen: argparse.Namespace) -> int:
    """Play one game; returns the exit status."""
    _check_options(chosen)
    stay_small(chosen.compiled)
    make_folder("--record", chosen.record)
    return _play_many(chosen) if chosen.protocol == "jsettlers" else _play_one(chosen)


def _check_options(chosen: argparse.Namespace) -> None:
    """Raise ValueError for an option without effect on what was chosen."""

    def only(where: str, *names: str) -> None:
        check_chosen(where, {f"--{name}": getattr(chosen, name) for name in names})

    if chosen.protocol != "binary":
        only("with --protocol binary", "dialect")
    if chosen.protocol != "german":
        only("with --protocol german", "colour")
    if chosen.protocol != "jsettlers":
        only("with --protocol jsettlers", "cookie", "games", *CLIENT, "record")
    elif chosen.cookie is not None:
        only("without --cookie", *CLIENT)
    elif chosen.table is not None:
        only("with --cookie", "games")


def _play_one(chosen: argparse.Namespace) -> int:
    """Play a game of the binary or the German protocol."""
    from catan_env.arena.seat import SeatSettings, play
    from catan_env.net.connect import WAIT

    settings = SeatSettings(
        chosen.host,
        chosen.port,
        chosen.policy,
        chosen.seed,
        chosen.protocol,
        chosen.name,
        chosen.colour,
        chosen.dialect,
        chosen.compiled,
        chosen.patience,
        WAIT if chosen.wait is None else chosen.wait,
        chosen.log,
    )
    return play(settings)


def _play_many(chosen: argparse.Namespace) -> int:
    """Play at a JSettlers server; ValueError if the options do not fit together."""
    from catan_env.arena.jsettlers import RobotSettings, play
    from catan_env.protocols.jsettlers.agent import check_words

    if chosen.cookie is None and chosen.table is None:
        raise ValueError("--protocol jsettlers needs --cookie, or --table to play as a client")
    options = tuple(chosen.options.split(",")) if chosen.options else ()
    words = {"--name": chosen.name, "--cookie": chosen.cookie, "--table": chosen.table}
    check_words(**words, **{"--options": options})
    if options and not chosen.open:
        raise ValueError("--options are for a table that is opened: --open")
    settings = RobotSettings(
        chosen.host,
        chosen.port,
        chosen.policy,
        chosen.seed,
        chosen.name,
        chosen.cookie,
        chosen.games,
        chosen.table,
        chosen.open,
        options,
        chosen.seat,
        chosen.patience,
        chosen.wait,
        chosen.log,
        chosen.record,
    )
    return play(settings)
