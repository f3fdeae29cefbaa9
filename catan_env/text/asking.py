"""A policy that puts the position as text to a function, and reads its answer."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate

from catan_env.game.view import SeatView
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
        if tries < 1:
            raise ValueError(f"tries is {tries}; allowed are 1 and more")
        self.tries, self.seconds = tries, seconds
        self._ask = ask

    def act(self, view: SeatView) -> int:
        """The flat index of the action that the answers name."""
        legal = view.legal_actions.indices
        if len(legal) == 1:
            return int(legal[0])
        text, refusal = position_text(view), ""
        ends = None if self.seconds is None else time.monotonic() + self.seconds
        for _ in range(self.tries):
            answer = self._answer(text + refusal, ends)
            try:
                index = read_answer(view, answer).index
            except AnswerError as error:
                refusal = f"\n\nYour last answer was refused: {error}."
            else:
                assert index is not None
                return index
        raise AnswerError(f"no legal action after {self.tries} answers{refusal.strip()}")

    def _answer(self, text: str, ends: float | None) -> str:
        """The function's answer; TimeoutError if it comes too late."""
        if ends is None:
            return self._ask(text)
        pool = ThreadPoolExecutor(1)
        try:
            return pool.submit(self._ask, text).result(max(0.0, ends - time.monotonic()))
        except TooLate:
            raise TimeoutError(f"no answer within {self.seconds:g} s") from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
