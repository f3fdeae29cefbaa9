"""A position as text with numbered actions, and the answer: for language models and scripts."""

from catan_env.text.answer import AnswerError, read_answer
from catan_env.text.asking import TextPolicy
from catan_env.text.position import position_text

__all__ = ["AnswerError", "TextPolicy", "position_text", "read_answer"]
