"""What a client asks for, judged: a command of the game, or the error that the page names.

Checks come in the page's order: the time for it, ids, slot or stack, maps, sums, containers.
"""

from catan_env.guests.renaissance.judge.refusal import Refusal
from catan_env.guests.renaissance.judge.verdict import judge

__all__ = ["Refusal", "judge"]
