"""The inverse of the numbered actions: the action that an answer names."""

import re
from collections.abc import Sequence

from catan_env.game.action import Action
from catan_env.game.view import SeatView
from catan_env.text.position import action_text, listed_texts

_NUMBER = re.compile(r"(?<![\w.:-])\d{1,4}(?![\w:]|\.\d|-\d)")
_OF_THE_GAME = re.compile(
    r"n't\b|n’t\b|\b(not\b|never\b|end\b|port|harbo|bank|build|buy|roll|discard|offer|trade|rob\b|"
    r"robb|accept|reject|settle|cit(y|ies)|road|knight|card|dice|monopoly|plenty|year|resource|"
    r"brick|lumber|wool|grain|ore\b|clay|wood|sheep|wheat|desert|vert(ex|ices)|corner|edge|tile|"
    r"hex|seat|player|point|pips?\b|turn)"
)
"""The beginnings of words whose numbers are not those of actions, and words that deny one."""


class AnswerError(ValueError):
    """An answer that names no legal action; the text says what to answer instead."""


def read_answer(view: SeatView, answer: str) -> Action:
    """The legal action that the last line of an answer names: by its number, its text, or both.

    Other words may be around them, but none that name things of the game.

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
    text, number = _longest_text(view, actions, last.lower())
    if text:
        _check_rest(last, last.lower().replace(text, " ", 1), number)
    else:
        number = _only_number(last, len(actions))
    return actions[number - 1]


def _longest_text(view: SeatView, actions: Sequence[Action], line: str) -> tuple[str, int]:
    """The longest text of an action in the line, and the action's number; "" if there is none."""
    found = [("", 0)]
    for number, action in enumerate(actions, 1):
        texts = {action_text(view, action), *listed_texts(view, number, action), str(action)}
        found += [(text, number) for text in map(str.lower, texts) if _is_in(line, text)]
    return max(found, key=lambda one: len(one[0]))


def _is_in(line: str, text: str) -> bool:
    """True if the text is in the line, and not as the beginning or end of a longer word."""
    return text in line and bool(re.search(rf"(?<!\w){re.escape(text)}(?![-.,]?\w)", line))


def _check_rest(last: str, rest: str, number: int) -> None:
    """Raise AnswerError if the rest of the line could change the meaning of the action's text."""
    others = set(re.findall(r"\d+", rest)) - {str(number)}
    if others or _OF_THE_GAME.search(rest):
        raise AnswerError(
            f"the last line of the answer, {last[:80]!r}, is not action {number} alone; "
            "expected its number, its text, or both"
        )


def _only_number(last: str, most: int) -> int:
    """The number in a line without an action's text; AnswerError if it may be another's."""
    numbers = {int(found) for found in _NUMBER.findall(last)}
    if len(numbers) != 1:
        raise AnswerError(
            f"the last line of the answer, {last[:80]!r}, has {len(numbers) or 'no'} "
            f"{'numbers' if len(numbers) > 1 else 'number'}; expected one of 1 to {most}"
        )
    (number,) = numbers
    if not 1 <= number <= most:
        raise AnswerError(f"there is no action {number}; expected one of 1 to {most}")
    if _OF_THE_GAME.search(last.lower()):
        raise AnswerError(
            f"the last line of the answer, {last[:80]!r}, names things of the game and no legal "
            f"action; expected one of 1 to {most} alone, or an action's text as listed"
        )
    return number
