"""Games over the wire in memory: `python -m tests.protocols.games 10000` for ten thousand.

Both dialects, 2 to 4 seats, boards as in the box and odd ones, both byte orders, and the policies
random, builder, greedy and best in every mixture. In the announced dialect observation and mask
are those of the game, byte for byte; in the literal one they are as long as the text lets a seat
know them, and every action stays legal. No seat is kicked.
"""

from collections import Counter
from functools import cache
from random import Random

from catan_env import SeatView
from catan_env.policy import load_policy
from tests.protocols.in_memory import Played, Policy, odd_board, random_policy, tournament
from tests.protocols.numbered import play_numbered
from tests.protocols.test_literal import ComparedWhileTold
from tests.protocols.test_parity import Compared

KINDS = ("random", "builder", "greedy", "best")


@cache
def loaded(kind: str) -> Policy:
    """A policy without randomness, loaded once."""
    return load_policy(kind, 0).act


def policy_of(kind: str, seed: int) -> Policy:
    return random_policy(seed) if kind == "random" else unless_forced(loaded(kind))


def unless_forced(policy: Policy) -> Policy:
    """The policy, called only if more than one action is legal."""

    def act(view: SeatView) -> int:
        (legal,) = view.action_mask.nonzero()
        return int(legal[0]) if len(legal) == 1 else policy(view)

    return act


def play(number: int) -> Counter[str]:
    """Play game number `number`; count its features."""
    chance = Random(number)
    seats, announced = 2 + number % 3, bool(number // 3 % 2)
    is_odd = number // 6 % 3 == 0
    board = odd_board(number) if is_odd else "random_tokens"
    room = tournament(seats, number, board, announced=announced, max_turns=300)
    kinds = [chance.choice(KINDS) for _ in range(seats)]
    compare = Compared if announced else ComparedWhileTold
    policies = [
        compare(room.game, seat, policy_of(kind, number)) for seat, kind in enumerate(kinds)
    ]
    knows = chance.choice((announced, None))
    order = chance.choice(("big", "little"))
    Played(room, policies, order, knows).play(1_000_000)
    assert room.is_over and not room.removals, (number, room.removals)
    dialect = "announced" if announced else "literal"
    return Counter([dialect, f"{seats} seats", "odd board" if is_odd else "usual board", *kinds])


if __name__ == "__main__":
    play_numbered(play)
