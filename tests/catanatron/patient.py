"""A player of catanatron that keeps to a rule which its versions up to 3.2 do not enforce."""

from itertools import takewhile
from typing import Any

from catanatron.players.weighted_random import WeightedRandomPlayer

from catan_env.catanatron.entry import Entry
from catan_env.catanatron.log import entry_of, logged_in

CARD = {
    "PLAY_KNIGHT_CARD": "KNIGHT",
    "PLAY_YEAR_OF_PLENTY": "YEAR_OF_PLENTY",
    "PLAY_MONOPOLY": "MONOPOLY",
    "PLAY_ROAD_BUILDING": "ROAD_BUILDING",
}


class Patient(WeightedRandomPlayer):
    """Plays no card in the turn in which it bought it, which a view of its seat would reject."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        log = reversed(log_of(game.state))
        turn = takewhile(lambda entry: entry.kind != "END_TURN", log)
        bought = {entry.result for entry in turn if entry.kind == "BUY_DEVELOPMENT_CARD"}
        allowed = [a for a in playable_actions if CARD.get(a.action_type.name) not in bought]
        return super().decide(game, allowed)


def log_of(state: Any) -> list[Entry]:
    """All entries of catanatron's log so far, in one form for all its versions."""
    return [entry_of(logged) for logged in logged_in(state)]
