"""Requests judged: a command of the game, or the error given by the protocol's page.

Checks come in the page's order: the right time, ids, slot or stack, maps, sums, containers.
"""

from catan_env.guests.renaissance.judge.refusal import Refusal
from catan_env.guests.renaissance.judge.verdict import judge

__all__ = ["Refusal", "judge"]
