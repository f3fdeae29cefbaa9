"""Messages after the winning choice that change nothing, which other writers make."""

from collections import Counter

from catan_env.core.constants import DevelopmentCard
from catan_env.game.game import Game
from catan_env.game.view import SeatView
from catan_env.notation.values import (
    ADMIN,
    ROBBED,
    Message,
    extension,
    field,
    shares_of,
    to_card,
    to_word,
)


class Epilogue:
    """The messages that may follow the winning choice, until the phase Play ends.

    The winner's victory points (PD), the end of its turn (TE), and the robber of a knight that won.
    """

    def __init__(
        self, table: Game | SeatView, players: tuple[str, ...], choice: Message, on_turn: str | None
    ) -> None:
        self._table = table
        self._players = players
        self._winner = None if table.winner is None else players[table.winner]
        self._left: Counter[str] = Counter()
        """The number of messages that may still come, by event."""
        if table.winner is not None:
            self._left["PD"] = _victory_points(table, table.winner)
            has_ended_turn = choice["event"] == "TE" and self._winner == on_turn
            self._left["TE"] = int(not has_ended_turn)
            if choice["event"] == "PD" and to_card(choice["value"], "") == DevelopmentCard.KNIGHT:
                self._left.update(("RA", "RM", "RD"))

    def close(self) -> None:
        """The phase has ended: nothing else may follow."""
        self._left.clear()

    def takes(self, message: Message) -> bool:
        """True if the message may follow; it is counted then."""
        event, player = message["event"], message["player"]
        if not self._left[event] or not self._is_true(message):
            return False
        if player != self._winner and (player != ADMIN or event in ("PD", "RM")):
            return False
        self._left[event] -= 1
        if event == "RM":
            self._left["RR"] = 1
        return True

    def _is_true(self, message: Message) -> bool:
        if message["event"] == "PD":
            return to_card(message["value"], ".value") == DevelopmentCard.VICTORY_POINT
        if message["event"] == "RM":
            return bool(field(message, "tile") != self._table.robber)
        return message["event"] != "RR" or self._is_robbery(message)

    def _is_robbery(self, message: Message) -> bool:
        """True if at most one card moves, from one other player to the winner."""
        if (found := extension(message, ROBBED)) is not None:
            return to_word(*found) in self._players and found[0] != self._winner
        shares = shares_of(message)
        victims = {share.player for share in shares} - {self._winner}
        gained = [n for share in shares if share.player == self._winner for n in share.cards]
        is_of_one = len(victims) <= 1 and victims.issubset(self._players)
        return is_of_one and sum(gained) <= 1 and min(gained, default=0) >= 0


def _victory_points(table: Game | SeatView, seat: int) -> int:
    """Return how many victory point cards a seat holds, or may hold as far as a view can tell."""
    if isinstance(table, SeatView) and seat != table.viewer:
        return table.card_count(seat)
    return table.cards(seat)[DevelopmentCard.VICTORY_POINT]
