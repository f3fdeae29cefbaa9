"""Objects that are made, and whose methods are called, in other processes."""

import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from multiprocessing import get_context
from typing import Any

from catan_env.extras import missing
from catan_env.training.processes import Processes


class ActorPool:
    """One object made by `kind` for each of `given`, its arguments, each in a separate process.

    What is raised there is raised here; after that, and at the end, `close` them.
    """

    def __init__(self, kind: Callable[..., Any], given: Sequence[Any], ray: bool = False) -> None:
        place: type[RayActor] | type[LocalProcess] = RayActor if ray else LocalProcess
        self._actors = [place() for _ in given]
        try:
            results(actor.make(kind, *one) for actor, one in zip(self._actors, given, strict=True))
        except BaseException:
            self.close()
            raise

    def call(self, name: str, *given: Any) -> list[Any]:
        """The result of a method of every object; they work at the same time."""
        return results(actor.call(name, *given) for actor in self._actors)

    def call_each(self, name: str, given: Sequence[Any]) -> list[Any]:
        """As `call`, with one argument for each object."""
        return results(
            actor.call(name, one) for actor, one in zip(self._actors, given, strict=True)
        )

    def close(self) -> None:
        """End the processes."""
        for actor in self._actors:
            actor.close()


def results(answers: Iterable[Future[Any]]) -> list[Any]:
    """All answers; all are requested before the first is awaited."""
    return [answer.result() for answer in list(answers)]


class RemoteObject:
    """An object that is made, and whose methods are called, in another process."""

    def make(self, kind: Callable[..., Any], *given: Any) -> None:
        """Make it."""
        self._object = kind(*given)

    def call(self, name: str, *given: Any) -> Any:
        """The result of its method."""
        return getattr(self._object, name)(*given)


_object = RemoteObject()


def _make(*given: Any) -> None:
    _object.make(*given)


def _call(*given: Any) -> Any:
    return _object.call(*given)


CONTEXT = get_context("forkserver" if sys.platform == "linux" else "spawn")
"""On Linux, processes are forked from one that does nothing else."""


class LocalProcess:
    """A process of this machine, which ends with the one that started it."""

    def __init__(self) -> None:
        self._process = Processes(1, CONTEXT)

    def make(self, kind: Callable[..., Any], *given: Any) -> Future[Any]:
        """Make the object there."""
        return self._process.submit(_make, kind, *given)

    def call(self, name: str, *given: Any) -> Future[Any]:
        """The future result of the object's method."""
        return self._process.submit(_call, name, *given)

    def close(self) -> None:
        """End the process, even in the middle of a call."""
        self._process.kill()


class RayActor:
    """An actor of Ray."""

    def __init__(self) -> None:
        try:
            import ray
        except ImportError as error:
            raise missing("--ray", "ray", error) from None
        self._actor = ray.remote(RemoteObject).remote()

    def make(self, kind: Callable[..., Any], *given: Any) -> Future[Any]:
        """Make the object there."""
        return self._ask("make", kind, *given)

    def call(self, name: str, *given: Any) -> Future[Any]:
        """The future result of the object's method."""
        return self._ask("call", name, *given)

    def _ask(self, method: str, *given: Any) -> Future[Any]:
        answer: Future[Any] = getattr(self._actor, method).remote(*given).future()
        return answer

    def close(self) -> None:
        """Release the actor."""
        del self._actor
