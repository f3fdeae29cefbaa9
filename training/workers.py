"""Objects that work in processes of their own, on this machine or as actors of Ray."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any


class Workers:
    """One object made by `kind` for each of `given`, its arguments, in a process of its own.

    What is raised there is raised here; after that, and at the end, `close` them.
    """

    def __init__(self, kind: Callable[..., Any], given: Sequence[Any], ray: bool = False) -> None:
        place = OnRay if ray else InProcess
        self._each = [place() for _ in given]
        try:
            results(each.make(kind, *some) for each, some in zip(self._each, given, strict=True))
        except BaseException:
            self.close()
            raise

    def call(self, name: str, *given: Any) -> list[Any]:
        """What each object's method answers; they work at the same time."""
        return results(each.call(name, *given) for each in self._each)

    def close(self) -> None:
        """End the processes."""
        for each in self._each:
            each.close()


def results(answers: Iterable[Future[Any]]) -> list[Any]:
    """All answers; they are asked for before the first is waited for."""
    return [answer.result() for answer in list(answers)]


class Held:
    """An object that is made, and whose methods are called, in another process."""

    def make(self, kind: Callable[..., Any], *given: Any) -> None:
        """Make it."""
        self._held = kind(*given)

    def call(self, name: str, *given: Any) -> Any:
        """What its method answers."""
        return getattr(self._held, name)(*given)


_held = Held()


def _make(*given: Any) -> None:
    Thread(target=_end_with_the_learner, daemon=True).start()
    _held.make(*given)


def _call(*given: Any) -> Any:
    return _held.call(*given)


def _end_with_the_learner() -> None:
    learner = parent_process()
    assert learner is not None
    learner.join()
    os._exit(1)


class InProcess:
    """A process of this machine, which ends with the one that began it."""

    def __init__(self) -> None:
        self._pool = ProcessPoolExecutor(1, get_context("spawn"))

    def make(self, kind: Callable[..., Any], *given: Any) -> Future[Any]:
        """Make the object there."""
        return self._pool.submit(_make, kind, *given)

    def call(self, name: str, *given: Any) -> Future[Any]:
        """What the object's method will answer."""
        return self._pool.submit(_call, name, *given)

    def close(self) -> None:
        """End the process."""
        self._pool.shutdown()


class OnRay:
    """An actor of Ray."""

    def __init__(self) -> None:
        try:
            import ray
        except ImportError:
            raise ImportError("--ray needs ray: pip install 'catan-env[ray]'") from None
        self._actor = ray.remote(Held).remote()

    def make(self, kind: Callable[..., Any], *given: Any) -> Future[Any]:
        """Make the object there."""
        return self._ask("make", kind, *given)

    def call(self, name: str, *given: Any) -> Future[Any]:
        """What the object's method will answer."""
        return self._ask("call", name, *given)

    def _ask(self, method: str, *given: Any) -> Future[Any]:
        answer: Future[Any] = getattr(self._actor, method).remote(*given).future()
        return answer

    def close(self) -> None:
        """Let the actor go."""
        del self._actor
