"""A policy that puts the position as text to a function, and reads its answer."""

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread

from catan_env.game.view import SeatView
from catan_env.kernel.numbers import whole
from catan_env.text.answer import AnswerError, read_answer
from catan_env.text.position import position_text

TRIES = 3


class TextPolicy:
    """A policy from `ask(text) -> text`, such as a call of a language model.

    An answer without a legal action is followed by the same text with the reason below it, up to
    `tries` times. Without a legal one by then, `act` raises AnswerError; if the decision takes
    longer than `seconds`, all tries together, TimeoutError. A single legal action is played
    without a question.

    >>> from catan_env import Game
    >>> policy = TextPolicy(lambda text: "1")
    >>> policy.act(Game(seats=2, seed=1).view(0))
    52
    """

    def __init__(
        self, ask: Callable[[str], str], tries: int = TRIES, seconds: float | None = None
    ) -> None:
        if not callable(ask):
            raise TypeError(f"ask is {ask!r}; expected a function of a text")
        if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
            raise ValueError(f"seconds is {seconds!r}; allowed are positive numbers and None")
        self.tries, self.seconds = whole("tries", tries, 1), seconds
        self._ask = ask

    def act(self, view: SeatView) -> int:
        """The flat index of the action that the answers name."""
        legal = view.legal_actions.indices
        if len(legal) == 1:
            return int(legal[0])
        text, refused = position_text(view), ""
        ends = None if self.seconds is None else time.monotonic() + self.seconds
        for _ in range(self.tries):
            answer = self._answer(text + refused, ends)
            try:
                index = read_answer(view, answer).index
            except AnswerError as error:
                refused = f"\n\nYour last answer was refused: {error}."
                reason = str(error)
            else:
                assert index is not None
                return index
        raise AnswerError(f"no legal action after {self.tries} answers; the last one: {reason}")

    def _answer(self, text: str, ends: float | None) -> str:
        """The function's answer; TimeoutError if it comes too late."""
        if ends is None:
            return self._ask(text)
        answer: Future[str] = Future()
        # The process can end before a daemon thread does; an executor's threads are joined.
        Thread(target=self._settle, args=(answer, text), daemon=True).start()
        wait([answer], max(0.0, ends - time.monotonic()))
        if not answer.done():
            raise TimeoutError(f"no answer within {self.seconds:g} s")
        return answer.result()

    def _settle(self, answer: Future[str], text: str) -> None:
        """Put the function's answer or error into the future."""
        try:
            answer.set_result(self._ask(text))
        except BaseException as error:
            answer.set_exception(error)
