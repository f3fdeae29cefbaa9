"""The end of `python -m catan_env.training.NAME`: one line for Ctrl-C and a missing library."""

import sys
from types import TracebackType

from catan_env.extras import missing

INTERRUPTED, BAD_INPUT = 130, 2
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
        name = _name()
        then = "; the same command resumes the run" if name in RESUMABLE else ""
        _leave(f"catan_env.training.{name}: interrupted{then}", INTERRUPTED)
    if isinstance(error, ImportError) and (error.name or "").partition(".")[0] in LIBRARIES:
        name = f"catan_env.training.{_name()}"
        _leave(str(missing(name, "train", error)), BAD_INPUT)
    sys.__excepthook__(kind, error, trace)


def _leave(line: str, status: int) -> None:
    print(line, file=sys.stderr)
    raise SystemExit(status)


def _name() -> str:
    """The name of the program in this package."""
    words = sys.orig_argv
    name = words[words.index("-m") + 1] if "-m" in words[:-1] else ""
    return name.removeprefix("catan_env.training.").removesuffix(".__main__")
