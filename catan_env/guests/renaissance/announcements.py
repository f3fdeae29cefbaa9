"""The events that announce a command to all or one of a game's players.

Events are derived from the states before and after, in the order of the protocol's page.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance import snapshot
from catan_env.guests.renaissance.command import (
    Buy,
    ChooseGoods,
    Command,
    EndTurn,
    KeepLeaders,
    LeaderAction,
    Produce,
    Swap,
    TakeFromMarket,
)
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.native.state import LORENZO, POPES, WON
from catan_env.guests.renaissance.native.track import LAST_SPACE, TILE_POINTS, TRACK_POINTS
from catan_env.guests.renaissance.position import Position
from catan_env.guests.renaissance.snapshot import SECTION_IDS

EVERYBODY = -1


class Announcement(NamedTuple):
    """An event with its receiver, a seat or EVERYBODY."""

    seat: int
    message: m.Message


def action_of(command: Command) -> str:
    """UpdateAction's names of commands."""
    if isinstance(command, LeaderAction):
        return "ACTIVATE_LEADER" if command.activates else "DISCARD_LEADER"
    return _ACTIONS[type(command)]


_ACTIONS: dict[type[Any], str] = {
    KeepLeaders: "CHOOSE_LEADERS",
    ChooseGoods: "CHOOSE_RESOURCES",
    Swap: "SWAP_SHELVES",
    TakeFromMarket: "TAKE_MARKET_RESOURCES",
    Buy: "BUY_DEVELOPMENT_CARD",
    Produce: "ACTIVATE_PRODUCTION",
    EndTurn: "END_TURN",
}
ACTIONS = (*_ACTIONS.values(), "ACTIVATE_LEADER", "DISCARD_LEADER")
"""UpdateAction's names of all commands."""


class Announcer:
    """The events of a command by `seat`, from the position before it and the game after."""

    def __init__(
        self, before: Position, after: Game, names: list[str], ids: Ids, seat: int
    ) -> None:
        self.old, self.new = before.state, after.state
        self.before, self.after = before, after
        self.names, self.ids, self.seat = names, ids, seat
        self.points = [before.points(other) for other in range(before.seats)]

    def announce(self, command: Command) -> list[Announcement]:
        """State events first, UpdateAction last."""
        events = list(self._state_events(command))
        done = m.UpdateAction(self.names[self.seat], action_of(command))
        return [*events, Announcement(EVERYBODY, done)]

    def _state_events(self, command: Command) -> Iterable[Announcement]:
        if isinstance(command, KeepLeaders):
            yield from self._hand()
            yield from self._setup_done()
        elif isinstance(command, ChooseGoods):
            yield from self._containers()
            yield from self._setup_done()
        elif isinstance(command, Swap):
            yield from self._swapped(command)
        elif isinstance(command, LeaderAction):
            yield from self._leader(command)
        elif isinstance(command, TakeFromMarket):
            yield from self._containers()
            yield from self._faith(others=True)
            yield from self._faith()
            yield Announcement(EVERYBODY, m.UpdateMarket(snapshot.market(self.new)))
            yield from self._report()
        elif isinstance(command, Buy):
            yield from self._bought(command)
        elif isinstance(command, Produce):
            yield from self._containers()
            yield from self._faith()
            yield from self._report()
        else:
            yield from self._ended_turn()

    def _hand(self) -> Iterable[Announcement]:
        name, hand = self.names[self.seat], snapshot.leaders_hand(self.after, self.seat)
        yield Announcement(self.seat, m.UpdateLeadersHand(name, hand))
        yield Announcement(EVERYBODY, m.UpdateLeadersHandCount(name, len(hand)))

    def _setup_done(self) -> Iterable[Announcement]:
        if self.after.is_playing and not self.before.is_playing:
            yield Announcement(EVERYBODY, m.UpdateSetupDone())
            if self.after.turn_seat != self.before.turn_seat:
                yield self.current_player()

    def current_player(self) -> Announcement:
        """The current player."""
        return Announcement(
            EVERYBODY, m.UpdateCurrentPlayer(player=self.names[self.after.turn_seat])
        )

    def _containers(self) -> Iterable[Announcement]:
        old = snapshot.seat_containers(self.old, self.seat, self.ids)
        new = snapshot.seat_containers(self.new, self.seat, self.ids)
        old += snapshot.depots(self.before, self.ids)
        new += snapshot.depots(self.after, self.ids)
        for was, now in zip(old, new, strict=True):
            if was != now:
                yield Announcement(EVERYBODY, m.UpdateResourceContainer(now))

    def _swapped(self, command: Swap) -> Iterable[Announcement]:
        for place in (command.a, command.b):
            if place < 3:
                container = snapshot.shelf(self.new, self.seat, place, self.ids)
            else:
                leader = int(self.new["leader"][self.seat, place - 3])
                container = snapshot.depot(self.new, self.seat, place - 3, leader, self.ids)
            yield Announcement(EVERYBODY, m.UpdateResourceContainer(container))

    def _points(self, seat: int, gained: int) -> Iterable[Announcement]:
        """A seat's points if they have grown; those for goods are not included."""
        if gained:
            self.points[seat] += gained
            message = m.UpdateVictoryPoints(self.names[seat], self.points[seat])
            yield Announcement(EVERYBODY, message)

    def _faith(self, others: bool = False) -> Iterable[Announcement]:
        """Markers that have moved: the player's own, or the other players' and the cross."""
        for seat, name in enumerate(self.names):
            was, now = int(self.old["faith"][seat]), int(self.new["faith"][seat])
            if now != was and (seat != self.seat) == others:
                yield from self._points(seat, int(TRACK_POINTS[now] - TRACK_POINTS[was]))
                yield Announcement(EVERYBODY, m.UpdateFaithPoints(False, now, name))
        if others and self.new["cross"] != self.old["cross"]:
            yield Announcement(EVERYBODY, m.UpdateFaithPoints(True, int(self.new["cross"])))

    def _report(self) -> Iterable[Announcement]:
        for k in range(POPES):
            if self.new["reported"][k] and not self.old["reported"][k]:
                for seat in range(self.after.seats):
                    if self.new["tile"][seat, k] == WON:
                        yield from self._points(seat, int(TILE_POINTS[k]))
                winners = snapshot.winners_of(self.new, self.names, k)
                yield Announcement(EVERYBODY, m.UpdateVaticanSection(winners, SECTION_IDS[k]))
        furthest = max(int(self.new["cross"]), *map(int, self.new["faith"]))
        if furthest == LAST_SPACE and self._has_last_round_begun():
            yield Announcement(EVERYBODY, m.UpdateLastRound())

    def _has_last_round_begun(self) -> bool:
        return bool(self.new["last_round"] and not self.old["last_round"])

    def _leader(self, command: LeaderAction) -> Iterable[Announcement]:
        if not command.activates:
            yield from self._faith()
            yield from self._hand()
            yield from self._report()
            return
        leader = int(self.new["leader"][self.seat, command.leader])
        yield from self._points(self.seat, int(self.new["leaders"][leader, 2]))
        yield Announcement(EVERYBODY, m.UpdateActivateLeader(leader))

    def _bought(self, command: Buy) -> Iterable[Announcement]:
        yield from self._containers()
        if self._has_last_round_begun():
            yield Announcement(EVERYBODY, m.UpdateLastRound())
        cards = snapshot.slot_cards(self.new, self.seat, command.slot)
        yield from self._points(self.seat, int(self.new["dev"][cards[-1], 2]))
        slot = m.UpdateDevSlot(self.names[self.seat], devSlot=command.slot, devCards=cards)
        yield Announcement(EVERYBODY, slot)
        yield Announcement(EVERYBODY, m.UpdateDevCardGrid(devCardGrid=snapshot.grid(self.new)))

    def _ended_turn(self) -> Iterable[Announcement]:
        if self.after.seats == 1:
            yield from self._faith(others=True)
            if (self.new["left"] != self.old["left"]).any():
                yield Announcement(
                    EVERYBODY, m.UpdateDevCardGrid(devCardGrid=snapshot.grid(self.new))
                )
            yield from self._report()
            yield Announcement(EVERYBODY, m.UpdateActionToken(int(self.new["last_token"])))
        yield from self.turn_passed()

    def turn_passed(self) -> Iterable[Announcement]:
        """The next player, or the end of the game."""
        if not self.after.is_over:
            yield self.current_player()
            return
        for name, score in zip(self.names, self.after.scores(), strict=True):
            yield Announcement(EVERYBODY, m.UpdateVictoryPoints(name, score))
        winner = self.after.winner
        yield Announcement(
            EVERYBODY, m.UpdateGameEnd(None if winner == LORENZO else self.names[winner])
        )
