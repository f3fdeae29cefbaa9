"""A league: entrants that come and go, and games that are chosen by what the ledger holds.

Those who sit down next are the line-up that has met least. A line-up meets on each board once in
every rotation of the seats before the next board, and a meeting's board and dice follow from the
league's seed, the line-up and the meeting's number: whoever plays it plays the same game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import combinations

from catan_env.arena.ledger import Kept, Ledger, LedgerError, Meeting
from catan_env.arena.outcome import Outcome, outcome_of
from catan_env.arena.rating import elo
from catan_env.arena.report import wilson_interval
from catan_env.arena.schedule import board_number, entrants_by_seat
from catan_env.game.game import Game
from catan_env.notation.files import dumps, loads
from catan_env.notation.record import different_names
from catan_env.notation.writer import to_sgn
from catan_env.policy import decide, load_policy

MOST_AT_ONCE = 8
"""Entrants at most whose line-ups are looked through; of more, those with the fewest games."""


@dataclass(frozen=True)
class Standing:
    """One line of a league's standings."""

    name: str
    games: int
    wins: int
    interval: tuple[float, float]
    rating: float
    """Elo by all pairs at a table, the winner above each other."""


class League:
    """The games of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seats: int = ledger.facts["seats"]

    def run(self, games: int) -> Iterator[Kept]:
        """Play so many games and keep each as it ends."""
        for _ in range(games):
            meeting = self.next_meeting()
            outcome, record = self.play(meeting)
            if self._ledger.keep(meeting, outcome, record):
                yield Kept(outcome.game, meeting, outcome)

    def next_meeting(self) -> Meeting:
        """Those who have met least, the first added first; LedgerError where too few play."""
        active = [entrant for entrant in self._ledger.entrants() if entrant.is_active]
        if len(active) < self._seats:
            raise LedgerError(f"{len(active)} entrants play; a table has {self._seats} seats")
        met = self._ledger.meetings()
        played = {entrant.id: 0 for entrant in active}
        for key, count in met.items():
            for entrant in map(int, key.split()):
                if entrant in played:
                    played[entrant] += count
        few = sorted(sorted(played, key=lambda entrant: played[entrant])[:MOST_AT_ONCE])
        line_ups = (Meeting(line_up, 0) for line_up in combinations(few, self._seats))
        least = min(line_ups, key=lambda meeting: met.get(meeting.key, 0))
        return replace(least, number=met.get(least.key, 0))

    def play(self, meeting: Meeting) -> tuple[Outcome, str]:
        """Play a meeting in this process; its outcome, by entrants' ids, and its record."""
        entrants = {entrant.id: entrant for entrant in self._ledger.entrants()}
        places = entrants_by_seat(meeting.number, self._seats)
        at_table = [entrants[meeting.line_up[place]] for place in places]
        game = self.new_game(meeting)
        policies = [
            load_policy(entrant.policy, game.seed + seat) for seat, entrant in enumerate(at_table)
        ]
        decisions = 0
        while not game.is_over and game.turn <= self._ledger.facts["max_turns"]:
            game.play(decide(policies[game.seat], game.view(game.seat)))
            decisions += 1
        played = outcome_of(game, meeting.number, places, decisions)
        winner = None if played.winner is None else meeting.line_up[played.winner]
        seats = tuple(entrant.id for entrant in at_table)
        names = different_names([entrant.name for entrant in at_table])
        return replace(played, seats=seats, winner=winner), dumps(to_sgn(game, players=names))

    def new_game(self, meeting: Meeting) -> Game:
        """A meeting before its first decision."""
        facts = self._ledger.facts
        board = board_number(meeting.number, self._seats)
        words = f"{facts['seed']} {meeting.key} {board}"
        seed = int.from_bytes(sha256(words.encode()).digest()[:7], "big")
        return Game(self._seats, seed, facts["rules"], facts["board"])

    def standings(self) -> list[Standing]:
        """Everybody who has played, the best rated first."""
        entrants = self._ledger.entrants()
        place = {entrant.id: k for k, entrant in enumerate(entrants)}
        games, wins = [0] * len(entrants), [[0] * len(entrants) for _ in entrants]
        won = [0] * len(entrants)
        for kept in self._ledger.games():
            for entrant in kept.outcome.seats:
                games[place[entrant]] += 1
            winner = kept.outcome.winner
            if winner is not None:
                won[place[winner]] += 1
                for other in set(kept.outcome.seats) - {winner}:
                    wins[place[winner]][place[other]] += 1
        ratings = elo(wins) if len(entrants) > 1 else [1000.0] * len(entrants)
        rows = [
            Standing(e.name, games[k], won[k], wilson_interval(won[k], games[k]), ratings[k])
            for k, e in enumerate(entrants)
            if games[k]
        ]
        return sorted(rows, key=lambda row: -row.rating)

    def faults(self) -> Iterator[str]:
        """What is wrong with the ledger: every record must lead to the state that was kept."""
        for kept in self._ledger.games():
            try:
                game = loads(self._ledger.record(kept.number)).game
            except ValueError as error:
                yield f"game {kept.number}: {error}"
                continue
            if sha256(game.state_bytes()).hexdigest() != kept.outcome.state:
                yield f"game {kept.number}: its record leads to another state"
            elif game.seed != self.new_game(kept.meeting).seed:
                yield f"game {kept.number}: it was played on another board"
