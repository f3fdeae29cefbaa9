"""Random games: uniform over legal actions, or careful ones that reach the last turns."""

import random
from collections.abc import Iterator

from catan_env.guests.hanabi import Action, Game
from catan_env.guests.hanabi.action import all_actions


def random_action(game: Game, chance: random.Random) -> Action:
    """Any legal action, uniform."""
    return all_actions(game.rules, game.players)[chance.choice(game.legal_actions.indices.tolist())]


def careful_action(game: Game, chance: random.Random) -> Action:
    """A legal action by a player who sees everything: it rarely makes a play that fails."""
    if chance.random() < 0.01:
        return random_action(game, chance)
    own = game.hands[game.seat]
    good = [Action.play(i) for i, card in enumerate(own) if card and game.can_place(card)]
    rest = [action for action in game.legal_actions if action.kind != 1]
    return chance.choice(good or rest or list(game.legal_actions))


def played(players: int, seed: int, careful: bool, rules: str = "official") -> Iterator[Game]:
    """One game: yields before each of its actions and at the end."""
    game, chance = Game(players, seed, rules), random.Random(seed)
    while not game.is_over:
        yield game
        game.play(careful_action(game, chance) if careful else random_action(game, chance))
    yield game
