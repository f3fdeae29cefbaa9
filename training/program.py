"""The end of `python -m catan_env.training.NAME`: one line for what its code cannot prevent.

These are Ctrl-C, a missing library, and the end of a process that plays for it.
"""

import sys
from concurrent.futures import BrokenExecutor
from types import TracebackType

from catan_env.extras import missing

INTERRUPTED, BAD_INPUT, KILLED = 130, 2, 1
LIBRARIES = "torch", "tqdm", "tensorboard", "sb3_contrib", "stable_baselines3", "matplotlib"
"""Those that the extra `train` installs."""
RESUMABLE = (
    "self_play", "expert_iteration", "sb3.train", "value_function.rerank", "value_function.set_up",
)  # fmt: skip
"""The programs whose same command resumes the run."""


def is_program() -> bool:
    """True while Python looks for the module of `python -m`, and so imports its packages."""
    return sys.argv[:1] == ["-m"]


def end_in_one_line() -> None:
    """Let the program end with a line, from now on: importing its libraries may take seconds."""
    sys.excepthook = _end


def _end(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if kind is KeyboardInterrupt:
        _stop("interrupted", INTERRUPTED)
    if _is_of_a_killed_process(error):
        _stop("a process that plays was killed (out of memory?)", KILLED)
    if isinstance(error, ImportError) and (error.name or "").partition(".")[0] in LIBRARIES:
        name = f"catan_env.training.{_name()}"
        _leave(str(missing(name, "train", error)), BAD_INPUT)
    sys.__excepthook__(kind, error, trace)


def _is_of_a_killed_process(error: BaseException) -> bool:
    """True if a process of this machine or an actor of Ray ended before its work."""
    if isinstance(error, BrokenExecutor):
        return True
    ray = sys.modules.get("ray.exceptions")
    return ray is not None and isinstance(
        error, ray.RayActorError | ray.WorkerCrashedError | ray.OutOfMemoryError
    )


def _stop(cause: str, status: int) -> None:
    name = _name()
    then = "; the same command resumes the run" if name in RESUMABLE else ""
    _leave(f"catan_env.training.{name}: {cause}{then}", status)


def _leave(line: str, status: int) -> None:
    print(line, file=sys.stderr)
    raise SystemExit(status)


def _name() -> str:
    """The name of the program in this package."""
    words = sys.orig_argv
    name = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    return name.removeprefix("catan_env.training.").removesuffix(".__main__")
