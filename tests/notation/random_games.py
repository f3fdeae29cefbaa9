"""Random games with all features: every card, offers, bank trades, a player who leaves."""

import random

import pytest

from catan_env import Action, Game, Rules

TABLES = (
    *((seats, "base") for seats in (2, 3, 4)),
    (2, "duel"),
    (2, "small"),
    (3, "small"),
    *((seats, "tournament") for seats in (2, 3, 4)),
    *((seats, "tournament, placed at random") for seats in (2, 3, 4)),
    *((seats, "tournament, placed by the seats") for seats in (2, 3, 4)),
)
"""Every preset and number of seats."""
OFTEN = {
    (4, "base"),
    (2, "duel"),
    (3, "small"),
    (4, "tournament"),
    (2, "tournament, placed at random"),
    (3, "tournament, placed by the seats"),
}
"""Those that a test plays every time whose check of a single record takes a second."""
tables_of_slow_tests = pytest.mark.parametrize(
    ("seats", "rules"),
    [pytest.param(*at, marks=() if at in OFTEN else pytest.mark.nightly) for at in TABLES],
    ids=str,
)
OFFERS = range(308, 848)


def rules_named(name: str) -> Rules:
    preset, _, how = name.partition(", placed ")
    placement = {"": "pips", "at random": "random", "by the seats": "seats"}[how]
    return Rules.tournament(placement) if preset == "tournament" else Rules.named(preset)


def random_game(
    seed: int, seats: int = 4, rules: str | Rules = "base", events: int | None = None
) -> Game:
    """A random game of that many events, or up to its end."""
    chance = random.Random(seed)
    game = Game(
        seats,
        seed=seed,
        rules=rules_named(rules) if isinstance(rules, str) else rules,
        board=chance.choice(("spiral", "random_tokens", "beginner")),
        first_seat=chance.randrange(seats),
    )
    begun = len(game.events)
    played = 0
    while not game.is_over and (events is None or begun + played < events):
        step(game, chance)
        played += 1
    return game


def step(game: Game, chance: random.Random) -> None:
    """One random choice, an offer one time in ten, and occasionally an event of the table."""
    draw = chance.random()
    if game.turn and draw < 0.001:
        game.time_out()
    elif game.turn and draw < 0.0015:
        game.leave(chance.choice([s for s in range(game.seats) if game.is_playing(s)]))
    elif game.phase.name == "MAIN" and draw > 0.98 and game.rules.player_trade:
        offer_much(game, chance)
    else:
        legal = game.legal_actions.indices
        chosen = int(chance.choice(legal))
        if chosen in OFFERS and draw < 0.9:
            chosen = int(chance.choice(legal[legal < OFFERS.start]))
        game.play(chosen)


def offer_much(game: Game, chance: random.Random) -> None:
    """An offer of several kinds, which has no flat index, if there are cards for it."""
    hand = game.hand(game.seat)
    give = tuple(min(n, 2) if k < 3 else 0 for k, n in enumerate(hand))
    get = tuple(0 if k < 3 else chance.randrange(2) for k in range(5))
    if any(give) and any(get):
        game.play(Action.offer(chance.randrange(1, game.seats), give, get))
    else:
        game.play(int(game.legal_actions.indices[0]))
