"""Games that our policies play, and what a foreign record can say of them."""

from random import Random

from catan_env import ActionKind, Event, Game, Rules
from catan_env.policy import decide, load_policy

POLICIES = ("greedy", "random", "builder", "greedy")


def played(seed: int, rules: Rules, seats: int, policies: tuple[str, ...] = POLICIES) -> Game:
    """A finished game of those policies, which also trade where the rules allow it."""
    game = Game(seats, seed=seed, rules=rules, board="random_tokens")
    players = [load_policy(policies[(seat + seed) % 4], seed + seat) for seat in range(seats)]
    while not game.is_over and len(game.events) < 6000:
        game.play(decide(players[game.seat], game.view(game.seat)))
    assert game.is_over
    return game


def without_failed_offers(events: tuple[Event, ...]) -> list[Event]:
    """The events without offers that were not accepted."""
    kept = []
    for k, event in enumerate(events):
        if event.action.kind == ActionKind.REJECT:
            continue
        if event.action.kind == ActionKind.OFFER:
            if k + 1 == len(events) or events[k + 1].action.kind != ActionKind.ACCEPT:
                continue
        kept.append(event)
    return kept


def shuffled_numbers(count: int, chance: Random) -> list[int]:
    """Numbers for places, in an order that no reader can guess."""
    numbers = list(range(count))
    chance.shuffle(numbers)
    return numbers
