"""The other server when connections are lost: the game ends, or the others continue."""

from collections import Counter
from typing import Any

from tests.protocols.german.peers.board import KINDS
from tests.protocols.german.peers.play import Play
from tests.protocols.german.peers.player import Player
from tests.protocols.german.peers.server import GONE, Server

BY_NUMBER = ("Lehm", "Getreide", "Holz", "Erz", "Wolle")
"""The kinds in the order that decides a tie."""


class LeavingPlay(Play):
    """Lost seats keep their possessions; their turns are skipped."""

    _skipped = 0

    @property
    def current(self) -> Player:
        return self.seats[(self.turn + self._skipped) % len(self.seats)]

    def lose(self, who: Player) -> None:
        """Handle a lost connection."""
        self._settle_offer(who)
        was_awaited = who is self.current or who in self.owing
        who.status = GONE
        self.server.update(who)
        if not self.server.goes_on:
            self._end({"Nachricht": "Spiel abgebrochen"})
        elif len(self._there) == 1:
            self.winner = self._there[0]
            self._end({"Nachricht": f"{self.winner.name} hat gewonnen", "Sieger": self.winner.id})
        elif was_awaited:
            self._next_turn(who)

    @property
    def _there(self) -> list[Player]:
        return [player for player in self.seats if player.status != GONE]

    def _settle_offer(self, who: Player) -> None:
        """Withdraw the proposer's offer; unanswered players count as refusing."""
        offer = self._offer
        if offer is not None and offer.by is who:
            self._withdraw(who)
        elif offer is not None and offer.answers.get(who.id) is not False:
            self._refuse(who)

    def _refuse(self, who: Player) -> None:
        offer = self._offer
        assert offer is not None
        offer.answers[who.id] = False
        if self.server.version != "1.0":
            return self._withdrawn_by(who, offer)
        named = {"Mitspieler": who.id, "Handel id": offer.id, "Annehmen": False}
        self.server.tell_all("Handelsangebot angenommen", named)

    def _next_turn(self, who: Player) -> None:
        """Drop pending obligations."""
        self.owing.clear()
        self.current.fresh.clear()
        self.has_played_card = False
        self.turn += 1
        self._skip()
        self._status(self.current, "Würfeln")
        if self.turn == self._max_turns and self.total(self.current) < 10:
            self._end({"Nachricht": "Zugzahl erreicht"})
        else:
            self._look_for_winner()

    def _skip(self) -> None:
        while self.current.status == GONE:
            self._skipped += 1

    def _end_turn(self, who: Player, body: Any) -> None:
        at = (self.seats.index(who) + 1) % len(self.seats)
        while self.seats[at].status == GONE:
            self._skipped += 1
            at = (at + 1) % len(self.seats)
        super()._end_turn(who, body)

    def set_status(self, who: Player, status: str) -> None:
        if who.status != GONE:
            super().set_status(who, status)

    def ask_for_cards(self, roller: Player) -> None:
        while self.owing and self.owing[0].status == GONE:
            self._status(self.owing[0], "Karten wegen Räuber abgeben")  # the roller waits
            self._discard_by_rule(self.owing.pop(0))
        super().ask_for_cards(roller)

    def _discard_by_rule(self, who: Player) -> None:
        cards: Counter[str] = Counter()
        for _ in range(who.hand.total() // 2):
            kind = max(BY_NUMBER, key=lambda k: (who.hand[k], -BY_NUMBER.index(k)))
            who.hand[kind] -= 1
            cards[kind] += 1
        assert set(BY_NUMBER) == set(KINDS)
        self.server.tell_cards("Kosten", who, cards)

    def _propose(self, who: Player, body: Any) -> None:
        super()._propose(who, body)
        for player in self._from(who)[1:]:
            if player.status == GONE:
                self._refuse(player)


class LeavingServer(Server):
    """A table whose lines may be lost; `goes_on` tells whether the others continue."""

    goes_on = False
    play_kind = LeavingPlay

    def lost(self, line: int) -> dict[int, bytes]:
        """Lose a line; return the others' messages."""
        return self.heard_of(self._lose, line)

    def _lose(self, line: int) -> None:
        who = self._at(line)
        del self._block[line]
        if self.play.seats:
            return self.play.lose(who)  # type: ignore[attr-defined, no-any-return]
        who.status = GONE
        self.update(who)
        self.players.remove(who)
