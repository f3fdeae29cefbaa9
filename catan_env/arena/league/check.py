"""Verification of a ledger: every record must lead to the outcome that was stored."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from catan_env.arena.league.engine import this_engine
from catan_env.arena.league.ledger import Ledger
from catan_env.arena.league.meeting import MatchSettings
from catan_env.arena.league.moves import MovesError, UnplayableError, unpack
from catan_env.arena.league.result import Result
from catan_env.arena.league.schema import OUTCOMES, RECORDS, sql
from catan_env.arena.league.skill import NAME as SKILLS
from catan_env.arena.league.skill import Skill, of_results
from catan_env.game.game import Game
from catan_env.notation.drawn import first_undrawn


class Check:
    """One pass over everything that a ledger stores.

    A game that another engine played is at fault only if its record cannot be read: if its
    choices now lead elsewhere, the engine may be the cause, so it is counted in `unjudged`, by
    engine.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._settings = MatchSettings.from_settings(ledger.settings)
        self.unjudged: Counter[str] = Counter()

    def faults(self) -> Iterator[str]:
        """The faults, one per line."""
        upto, known = self._ledger.derived(SKILLS)
        wanted = (
            sql.select(OUTCOMES, RECORDS.c.moves)
            .join_from(OUTCOMES, RECORDS, RECORDS.c.game == OUTCOMES.c.number, isouter=True)
            .order_by(OUTCOMES.c.number)
        )
        rated: list[Result] = []
        for row in self._ledger.rows(wanted):
            result = Result.from_row(row, row.moves or b"")
            fault = self._fault_of(result)
            if fault:
                yield f"game {result.number}: {fault}"
            if result.number <= upto:
                rated.append(replace(result, moves=b""))
        yield from self._surplus_records()
        if known is not None and json_of(of_results(rated)) != known:
            yield "the stored openskill ratings do not follow from the outcomes"

    def _fault_of(self, result: Result) -> str:
        """The fault of one game, '' for none."""
        if not result.moves:
            return "its record is missing"
        try:
            game = unpack(result.moves, result.begun(self._settings))
            fault = _difference(result, game, self._settings.max_turns) or self._undrawn(
                result, game
            )
        except UnplayableError as error:
            fault = str(error)
        except MovesError as error:
            return str(error)
        if fault and result.engine != this_engine():
            self.unjudged[result.engine or "an unknown engine"] += 1
            return ""
        return fault

    def _undrawn(self, result: Result, game: Game) -> str:
        """A chance event that the game's secret does not draw; '' for none."""
        wrong = first_undrawn(result.begun(self._settings), game.events)
        return "" if wrong is None else f"not what its secret draws: {wrong}"

    def _surplus_records(self) -> Iterator[str]:
        known = sql.select(OUTCOMES.c.number)
        wanted = sql.select(RECORDS.c.game).where(RECORDS.c.game.not_in(known))
        for row in self._ledger.rows(wanted):
            yield f"game {row.game}: a record without an outcome"


def _difference(result: Result, game: Game, max_turns: int) -> str:
    """The first difference between a replayed game and its outcome; '' for none.

    Older outcomes count the turn after the limit as well.
    """
    if game.seed != result.seed:
        return "it was played on another board"
    if sha256(game.state_bytes()).hexdigest() != result.state:
        return "its record leads to another state"
    points = tuple(game.points(seat) for seat in range(game.seats))
    turns = min(game.turn, max_turns or game.turn)
    if points != result.points or result.turns not in (turns, game.turn):
        return f"its points and turns are {points} and {turns}"
    if result.winner is not None and not game.is_over and not _is_left_alone(result, game):
        return f"it has no winner, yet seat {result.winner} is the winner"
    if game.winner is not None and result.winner not in (None, game.winner):
        return f"seat {game.winner} has won it"
    return ""


def _is_left_alone(result: Result, game: Game) -> bool:
    """True if all others left during the set-up, when the game itself cannot remove a seat."""
    others = set(range(game.seats)) - {result.winner}
    return game.turn == 0 and {removal.seat for removal in result.removals} == others


def json_of(found: dict[int, Skill]) -> dict[str, list[float]]:
    """The skills in the ledger."""
    return {str(entrant): list(skill) for entrant, skill in found.items()}
