"""An agent that seats a policy at a JSettlers server: messages in, the policy's decisions out.

It opens one connection after the other, and plays as many games as the server asks for, with a
separate view per game. Decisions are made one at a time; each is sent before the next message.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

from catan_env.core.constants import SEATS, Phase
from catan_env.game.view import SeatView
from catan_env.net.errors import RemoteProtocolError
from catan_env.net.present import Present
from catan_env.net.watchdog import PATIENCE
from catan_env.protocols.jsettlers import lobby
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.arrival import Arrival
from catan_env.protocols.jsettlers.clock import time_to_think
from catan_env.protocols.jsettlers.opening import Agreement, UnplayableError
from catan_env.protocols.jsettlers.player import Player

DecideWithin = Callable[[SeatView, float], int]
"""A policy's `act`, and its time limit in seconds."""

VERSION = lobby.Version(2700, "2.7.00", "catan_env", (";",))
"""Our version; it announces no features, so the server offers no games on other boards."""
ROBOT = "catan_env"
"""The class of robot: third party, not the built-in one."""
BARRED_SIGNS = ",|\x7f"
REFUSALS = range(1, 20)
"""The codes of a `Status` (1069) that mean a rejection."""
OVER, LEFT, RESET, TAKEN, DELETED, CLOSED = "over", "left", "reset", "taken", "deleted", "closed"
"""Ends of a game for a player; `left`: it could not be followed; `taken`: the seat was replaced."""
STALLED = "stalled"
"""Another end: the server waits for an empty seat."""
FAULTS = frozenset((LEFT, CLOSED))
"""Ends that are failures of the agent or of its connection."""
STANDSTILL = 60.0
"""Seconds of silence after which a finishing agent abandons a game that cannot continue."""


@dataclass(frozen=True)
class Ended:
    """A game that this agent no longer plays: the reason, and its player."""

    player: Player
    how: str
    reason: str = ""


class RefusedError(RemoteProtocolError):
    """The server rejects the agent."""


def check_words(**words: str | Sequence[str] | None) -> None:
    """Raise ValueError, with the argument's name, for text that no field can transmit.

    Servers strip the spaces around names; the agent would not know its own table again.

    >>> check_words(name="Ada", options=("PL=4", "RD=t"))
    >>> check_words(name="a,b")
    Traceback (most recent call last):
    ValueError: name 'a,b' contains ','; not allowed are ',', '|' and control characters
    """
    for argument, given in words.items():
        for word in (given,) if isinstance(given, str) else given or ():
            if not word:
                raise ValueError(f"{argument} is empty")
            if word != word.strip(" "):
                raise ValueError(f"{argument} {word!r} begins or ends with a space, which is lost")
            bad = next((sign for sign in word if sign in BARRED_SIGNS or sign < " "), None)
            if bad is not None:
                raise ValueError(
                    f"{argument} {word!r} contains {bad!r}; "
                    f"not allowed are ',', '|' and control characters"
                )


class Agent:
    """A robot if `cookie` is given; otherwise an ordinary client that opens or joins game `table`.

    A `net.visitor.ReturningVisitor`. After `patience` seconds of silence a request counts as
    refused; 0 waits without a limit. All messages are written to `log`; `report` is called with
    each game that has ended. Raises ValueError for a name, a cookie or a table that no message can
    contain, and RefusedError if the server rejects the agent's first login.
    """

    def __init__(
        self,
        decide: DecideWithin,
        name: str = "catan_env",
        cookie: str | None = None,
        table: str | None = None,
        opens: bool = False,
        options: Sequence[str] = (),
        seat: int | None = None,
        log: TextIO | None = None,
        patience: float = PATIENCE,
        report: Callable[[Ended], None] | None = None,
    ) -> None:
        if cookie is None and not table:
            raise ValueError("an agent without cookie needs the name of a table to join")
        check_words(name=name, cookie=cookie, table=table, options=options)
        self.players: dict[str, Player] = {}
        self.ended: list[Ended] = []
        """Games played to the end, or left, in order; empty if `report` is given."""
        self.declined: dict[str, str] = {}
        """Declined games, with reasons; when we hang up, the server asks another robot."""
        self.is_finishing = False
        """True if no more games are started."""
        self.is_in = False
        """True if the server has accepted us on the last connection."""
        self.refusal: str | None = None
        """The server's refusal on the last connection, after it had accepted us before."""
        self.present = Present()
        self._report = report or self.ended.append
        self._decide = decide
        self._name = name
        self._cookie = cookie
        self._table = table
        self._opens = opens
        self._options = tuple(options)
        self._wished_seat = seat
        self._log = log
        self._patience = patience
        self._was_in = False
        """True if the server has accepted us on an earlier connection."""
        self._arrival = Arrival()
        self._out: list[Any] = []
        self._leaving: dict[str, str] = {}
        """Games to leave once we have a seat there, with reasons."""
        self._seated: set[str] = set()
        self._announced: tuple[str, ...] | None = None
        """The options of the table, if the server has announced them."""
        self._sitters: dict[int, str] = {}
        """The names of those that have sat down at the table, by seat."""

    @property
    def deadline(self) -> float | None:
        """The time at which `time` is due, or None if only the server is waited for."""
        due = [player.deadline for player in self.players.values() if player.deadline is not None]
        if self.is_finishing:
            stuck = [player for player in self.players.values() if player.cannot_continue]
            due += [player.heard_at + STANDSTILL for player in stuck]
        return min(due, default=None)

    @property
    def is_over(self) -> bool:
        """True if no game is in progress and the connection has no use.

        None will follow, a declined game waits for another robot, or the server refuses us.
        """
        hangs_up = self.is_finishing or bool(self.declined) or self.refusal is not None
        return not self.players and hangs_up

    @property
    def is_done(self) -> bool:
        """True if no game is in progress, and none will follow."""
        return not self.players and self.is_finishing

    def opened(self, now: float) -> list[Any]:
        """Log in; the state of an earlier connection is discarded."""
        self.present.begin(now)
        self._was_in |= self.is_in
        self.is_in, self.refusal, self._announced = False, None, None
        for known in (self.declined, self._leaving, self._seated, self._sitters):
            known.clear()
        self._out.append(VERSION)
        if self._cookie is not None:
            self._out.append(lobby.ImARobot(self._name, self._cookie, ROBOT))
        elif self._opens:
            self._out.append(
                lobby.NewGame(self._name, "", "", str(self._table), self._options or ("-",))
            )
        else:
            self._out.append(lobby.JoinGame(self._name, "", "", str(self._table)))
        return self._flush()

    def received(self, message: Any, now: float) -> list[Any]:
        """Handle a message of the server; None is one that is not listed here."""
        self.present.begin(now)
        self._arrival.read(now)
        if message is not None:
            self._note(f"heard {message}")
            self._hear(message)
        return self._flush()

    def time(self, now: float) -> list[Any]:
        """Act on a deadline: the awaited message did not come."""
        self.present.begin(now)
        for player in list(self.players.values()):
            self._let(player, lambda player=player: player.time(self.present.now))  # type: ignore[misc]
        if self.is_finishing:
            self._give_up_standstills()
        return self._flush()

    def closed(self, now: float) -> None:
        """Count the games as lost: the server gives our seats to its robots."""
        for player in self.players.values():
            self._report(Ended(player, CLOSED, "the connection was closed"))
        self.players.clear()

    def finish(self) -> None:
        """Finish the games in progress, and start no other."""
        self.is_finishing = True

    def _give_up_standstills(self) -> None:
        for game, player in list(self.players.items()):
            if player.cannot_continue and self.present.now >= player.heard_at + STANDSTILL:
                self._leave(game, STALLED, "the server waits for an empty seat")

    def _flush(self) -> list[Any]:
        out, self._out = self._out, []
        for message in out:
            self._note(f"said {message}")
        return out

    def _hear(self, message: Any) -> None:
        heard = _HEARD.get(type(message))
        if heard is not None:
            heard(self, message)
        player = self.players.get(getattr(message, "game", ""))
        if player is not None:
            self._let(player, lambda: player.hear(message, self.present.now, self._arrival.came))
            self._see_to(player, message)

    def _think(self, view: SeatView) -> int:
        """Return the policy's decision, within its share of the time available."""
        now, players = self.present.now, self.players.values()
        left = [player.clock.left(now) for player in players if player.is_asked]
        cards = view.owes(view.viewer) if view.phase == Phase.DISCARD else 1
        action = self._decide(view, time_to_think(left, len(players)) / max(1, cards))
        self._arrival.was_busy(self.present.now)
        return action

    def _note(self, line: str) -> None:
        if self._log is not None:
            print(line, file=self._log, flush=True)

    def _let(self, player: Player, act: Callable[[], None]) -> None:
        """Pass a message or the time to a player; an error ends this game only."""
        try:
            act()
        except (RemoteProtocolError, UnplayableError) as error:
            self._leave_when_seated(player.game, str(error))
        self._out.extend(player.out)
        player.out.clear()
        player.spoke(self.present.now)

    def _see_to(self, player: Player, message: Any) -> None:
        """Leave a game that has ended."""
        if isinstance(message, m.GameStats) and player.is_over:
            self._leave(player.game, OVER)

    def _check_version(self, message: lobby.Version) -> None:
        if self._cookie is None and message.number < lobby.FIRST_NEWER:
            raise RefusedError(
                f"at a server of version {message.text} only a robot can play; "
                f"it needs the server's cookie"
            )

    def _accepted(self, message: lobby.RobotAccepted) -> None:
        self.is_in = True

    def _sent_away(self, message: lobby.Refused) -> None:
        """Return later if we were accepted before: an old connection may still hold our name."""
        reason = f"the server refuses: {','.join(message.reason)}"
        if not (self.is_in or self._was_in):
            raise RefusedError(reason)
        self.closed(self.present.now)
        self.refusal = reason

    def _status(self, message: lobby.Status) -> None:
        if self._cookie is None and message.code in REFUSALS and not self._seated:
            raise RefusedError(f"the server refuses: {','.join(message.text)}")

    def _ping(self, message: lobby.Ping) -> None:
        self._out.append(message)

    def _asked(self, message: lobby.AskedToJoin) -> None:
        """Sit down where the server asks a robot to, and leave games with unsupported rules.

        A seat that no classic game has is declined.
        """
        if self.is_finishing:
            self._decline(message.game, "no more games are started")
            return
        agreement, reason = Agreement(), ""
        try:
            agreement = Agreement(message.options)
        except UnplayableError as error:
            reason = str(error)
        try:
            self._take(message.game, message.seat, agreement)
        except RemoteProtocolError as error:
            self._decline(message.game, str(error))
            return
        if reason:
            self._leaving[message.game] = reason
        self._out.append(lobby.JoinGame(self._name, "", "", message.game))

    def _take(self, game: str, seat: int, agreement: Agreement) -> None:
        player = Player(
            game, seat, agreement, self._think, self._cookie is not None, self._patience
        )
        self._forget(game)
        self.players[game] = player

    def _announce(self, message: lobby.GameOptions) -> None:
        if message.game == self._table:
            self._announced = message.options

    def _list(self, message: lobby.GameList) -> None:
        for game, options in zip(message.pairs[::2], message.pairs[1::2], strict=False):
            if game == self._table:
                self._announced = tuple(options.split(","))

    def _members(self, message: lobby.Members) -> None:
        """Sit down: the state of the game before we joined has been sent."""
        player = self.players.get(message.game)
        if self._cookie is None:
            self._choose_seat(message)
        elif player is not None and message.game not in self._seated:
            if player.opening.is_under_way:
                self._stay_away(player)
            else:
                self._out.append(lobby.SitDown(message.game, self._name, player.seat, True))

    def _stay_away(self, player: Player) -> None:
        """Decline a seat in a game in progress, which a person has left.

        The server looks for another robot only after our connection closes. If other games keep the
        connection open, and the game can only continue after the seat has been taken and left, take
        it and leave.
        """
        game, reason = player.game, "the game is under way"
        if len(self.players) > 1 and player.opening.waits_for_us:
            self._leaving[game] = reason
            self._out.append(lobby.SitDown(game, self._name, player.seat, True))
            return
        self.players.pop(game)
        self._forget(game)
        self._decline(game, reason)
        self._out.append(lobby.LeaveGame(self._name, "", game))

    def _decline(self, game: str, reason: str) -> None:
        self.declined[game] = reason
        self._note(f"declined {game}: {reason}")

    def _choose_seat(self, message: lobby.Members) -> None:
        """Choose a free seat as an ordinary client, and start the game."""
        if message.game != self._table or message.game in self.players:
            return
        free = [seat for seat in range(SEATS) if seat not in self._sitters]
        if not free:
            raise RefusedError(f"the table {message.game} has no free seat")
        seat = self._wished_seat if self._wished_seat in free else free[0]
        self._take(message.game, seat, self._agreement(message.game))
        for other, name in self._sitters.items():
            self.players[message.game].opening.sit(other, name)
        self._out.append(lobby.SitDown(message.game, self._name, seat, False))
        self._out.append(lobby.StartGame(message.game))

    def _agreement(self, game: str) -> Agreement:
        """Return the announced options: one that is malformed makes the server drop them all."""
        if self._options and self._announced is None:
            wanted = ",".join(self._options)
            raise RefusedError(f"the server opened the table {game} without {wanted}")
        return Agreement(self._announced or ())

    def _sat(self, message: lobby.SitDown) -> None:
        if message.game == self._table:
            self._sitters[message.seat] = message.name
        player = self.players.get(message.game)
        if player is None:
            return
        if message.name == self._name:
            self._seated.add(message.game)
            self.is_in = True
            if message.game in self._leaving:
                self._leave(message.game, LEFT, self._leaving[message.game])
        elif self._is_outrun(player, message):
            seat = f"seat {message.seat} of the table {message.game}"
            raise RefusedError(f"{message.name} sat down at {seat} first")

    def _is_outrun(self, player: Player, message: lobby.SitDown) -> bool:
        """True if a person has the seat that an ordinary client asked for; robots give it up."""
        is_waiting = self._cookie is None and message.game not in self._seated
        return is_waiting and message.seat == player.seat and not message.is_robot

    def _stand_up(self, message: lobby.StandUp) -> None:
        self._leave(message.game, TAKEN, "another player takes the seat")

    def _reset(self, message: lobby.ResetTable) -> None:
        """Leave, as a robot, which is asked again; an ordinary client stays at its seat."""
        player = self.players.get(message.game)
        if player is None or self._cookie is not None:
            self._leave(message.game, RESET, "the table is reset")
            return
        self._report(Ended(player, RESET, "the table is reset"))
        self._take(message.game, player.seat, player.opening.agreement)

    def _vote(self, message: lobby.VoteRequest) -> None:
        """Agree to the vote of the persons at the table."""
        player = self.players.get(message.game)
        if player is not None and message.seat != player.seat:
            self._out.append(lobby.Vote(message.game, player.seat, 1))

    def _deleted(self, message: lobby.DeleteGame) -> None:
        self.declined.pop(message.game, None)
        self._leave(message.game, DELETED, "the game is deleted")

    def _leave_when_seated(self, game: str, reason: str) -> None:
        """Leave, a robot after sitting down, as the server expects: earlier it stalls the game."""
        if game in self._seated or self._cookie is None:
            self._leave(game, LEFT, reason)
        else:
            self._leaving[game] = reason

    def _leave(self, game: str, how: str, reason: str = "") -> None:
        player = self.players.pop(game, None)
        if player is None:
            return
        self._forget(game)
        self._report(Ended(player, how, reason))
        self._out.append(lobby.LeaveGame(self._name, "", game))

    def _forget(self, game: str) -> None:
        self._seated.discard(game)
        self._leaving.pop(game, None)


_HEARD: dict[type, Callable[[Agent, Any], None]] = {
    lobby.Version: Agent._check_version,
    lobby.RobotAccepted: Agent._accepted,
    lobby.Refused: Agent._sent_away,
    lobby.Status: Agent._status,
    lobby.Ping: Agent._ping,
    lobby.AskedToJoin: Agent._asked,
    lobby.GameOptions: Agent._announce,
    lobby.GameList: Agent._list,
    lobby.Members: Agent._members,
    lobby.SitDown: Agent._sat,
    lobby.StandUp: Agent._stand_up,
    lobby.ResetTable: Agent._reset,
    lobby.VoteRequest: Agent._vote,
    lobby.DeleteGame: Agent._deleted,
}
