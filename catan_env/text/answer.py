"""The inverse of the numbered actions: the action that an answer names."""

import re

from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.text.position import action_text

_NUMBER = re.compile(r"(?<![\w.:-])\d{1,4}(?![\w:]|\.\d|-\d)")


class AnswerError(ValueError):
    """An answer that names no legal action; the text says what to answer instead."""


def read_answer(view: SeatView, answer: str) -> Action:
    """The legal action that an answer names: by its text, or by one number in the last line.

    >>> from catan_env import Game
    >>> view = Game(seats=2, seed=1).view(0)
    >>> str(read_answer(view, "The coast is cheap.\\nI choose 3."))
    'build a settlement at vertex 2'
    """
    if not isinstance(answer, str):
        raise AnswerError(f"the answer is {repr(answer)[:80]}; expected text")
    if not view.legal_actions:
        raise AnswerError(f"seat {view.viewer} does not decide now")
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        raise AnswerError("the answer is empty; expected the number of an action")
    actions = list(view.legal_actions)
    last = lines[-1].strip("*_` ")
    for action in actions:
        if last.rstrip(".").lower() in (action_text(view, action).lower(), str(action).lower()):
            return action
    numbers = {int(found) for found in _NUMBER.findall(last)}
    if len(numbers) != 1:
        raise AnswerError(
            f"the last line of the answer, {last[:80]!r}, has {len(numbers) or 'no'} "
            f"{'numbers' if len(numbers) > 1 else 'number'}; expected one of 1 to {len(actions)}"
        )
    (number,) = numbers
    if not 1 <= number <= len(actions):
        raise AnswerError(f"there is no action {number}; expected one of 1 to {len(actions)}")
    return actions[number - 1]
