"""The error of a policy whose own code has failed, with the traceback of that code."""

from os.path import basename
from types import TracebackType
from typing import Any

ERRORS = (Exception, SystemExit)
"""Errors of a policy's own code; uncaught, its `sys.exit()` would end a command like a success."""


class PolicyError(Exception):
    """A policy's own code has failed; `__cause__` is its error.

    >>> print(PolicyError("policy bot:Bot failed", "KeyError: 3", ""))
    policy bot:Bot failed: KeyError: 3

    Gymnasium's `AsyncVectorEnv` raises the class again with the error itself as its only argument.
    """

    def __init__(self, what: Any, reason: str = "", trace: str = "") -> None:
        super().__init__(what, reason, trace)
        self.reason = reason
        """The type and message of its error, and its line, without line breaks."""
        self.trace = trace
        """The traceback without this package's frames, as Python prints it; empty without any."""

    def __str__(self) -> str:
        what = str(self.args[0])
        return f"{what}: {self.reason}" if self.reason else what


def blame(error: BaseException, what: str) -> None:
    """Raise a PolicyError if the code that the caller has called is not part of this package.

    An exit is blamed on the policy in any case: this package's own code does not exit. Called in an
    `except` clause around that code; `what` says which policy failed to do what.
    """
    frames = _inner(error.__traceback__)
    is_ours = frames is not None and _is_ours(frames) and not isinstance(error, SystemExit)
    if is_ours or isinstance(error, PolicyError):
        return
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    if frames is None and not isinstance(error, SyntaxError):
        raise PolicyError(what, reason, "") from error
    from traceback import extract_tb, format_exception

    trace = "".join(format_exception(type(error), error, frames))
    if frames is not None:
        last = extract_tb(frames)[-1]
        reason += f" ({basename(last.filename)}, line {last.lineno})"
    raise PolicyError(what, reason, trace) from error


def _inner(frames: TracebackType | None) -> TracebackType | None:
    """The frames of the called code: all but the caller's and those of Python's import."""
    frames = None if frames is None else frames.tb_next
    while frames is not None and _name(frames).partition(".")[0] == "importlib":
        frames = frames.tb_next
    return frames


def _is_ours(frames: TracebackType) -> bool:
    return _name(frames).startswith("catan_env.")


def _name(frames: TracebackType) -> str:
    """The name of the module that the outermost frame runs in."""
    return str(frames.tb_frame.f_globals.get("__name__", ""))
