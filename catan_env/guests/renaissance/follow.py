"""A game followed only from the events that one player receives.

A container's contents are applied at the UpdateAction that completes them, other events
immediately. Events before UpdateGame are dropped: UpdateGame includes them.
"""

from typing import Any

import numpy as np

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.command import Command, KeepLeaders
from catan_env.guests.renaissance.confirmed import complete
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.known import Known
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import ACTIVATE_AT, DISCARD_AT, MAX_SWAPS
from catan_env.guests.renaissance.native.state import (
    EMPTY,
    KEEP,
    KEPT,
    MAIN,
    NOBODY,
    OVER,
    new_states,
)
from catan_env.guests.renaissance.native.track import LAST_SPACE
from catan_env.guests.renaissance.sent_game import Kept, known_of
from catan_env.guests.renaissance.view import SeatView
from catan_env.kernel.memory import doorway

MAIN_ACTIONS = ("TAKE_MARKET_RESOURCES", "BUY_DEVELOPMENT_CARD", "ACTIVATE_PRODUCTION")
TURN_ACTIONS = (*MAIN_ACTIONS, "SWAP_SHELVES", "ACTIVATE_LEADER", "DISCARD_LEADER", "END_TURN")
SHUFFLE = "ActionTokenBlackMoveOneShuffle"


class Follower:
    """The knowledge of the player with one nickname; `known` is set from UpdateGame on."""

    def __init__(self, nickname: str) -> None:
        self.nickname = nickname
        self.is_in_game = False
        self.known: Known
        self.names: list[str] = []
        """Players by seat; empty before the first game."""
        self._kept: Kept | None = None
        self._boxes: dict[int, m.Map | None] = {}
        """The last contents received of each container, not applied yet."""
        self._is_amid = self._has_heard_turn = self._lacks_turn = False
        self._has_begun = self._lacks_no_goods = self._has_inferred_start = False
        self._has_heard_token = self.lacks_token = False
        """`lacks_token` is true if Lorenzo's token of the last turn may still be announced."""
        self._unsure: set[str] = set()
        """The players with no goods to choose, of whom it is not known that they are done."""
        self.turns = 0
        """The number of turns begun; a late announcement of the last one begins none."""

    def hear(self, message: Any) -> None:
        """Handle an event."""
        if isinstance(message, m.UpdateGame):
            self._begin(message)
        elif self.is_in_game and self._is_of_this_game(message):
            self._note_owed(message)
            method = _METHODS.get(type(message))
            if method is not None:
                getattr(self, method)(message)

    def _is_of_this_game(self, message: Any) -> bool:
        """True if the player that it names, if any, is in this game; other events are ignored."""
        name = getattr(message, "player", None)
        return name is None or name in self.names

    @property
    def state(self) -> Any:
        """The record of the known state, by the names of native/state.py."""
        return self.known.state

    @property
    def seat(self) -> int:
        """This player's seat."""
        return self.known.seat

    @property
    def ids(self) -> Ids:
        """The ids in this game's messages."""
        return self.known.ids

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.is_in_game and bool(self.state["phase"] == OVER)

    @property
    def decides(self) -> bool:
        """True if this player has a decision to make."""
        if not self.is_in_game or self.is_over:
            return False
        if not self.state["is_playing"]:
            return not self._is_set_up
        is_settled = not (self._lacks_turn or self.lacks_token)
        return bool(self.state["turn_seat"] == self.seat) and is_settled

    @property
    def _is_set_up(self) -> bool:
        """True if this player has made the choices of the set-up."""
        return bool(self.state["has_kept"][self.seat] and self.state["has_goods"][self.seat])

    @property
    def may_owe_no_goods(self) -> bool:
        """True if our set-up is done, but for the choice of no goods at all, by what was sent."""
        is_choosing = self.is_in_game and not (self.is_over or self.state["is_playing"])
        return is_choosing and self._lacks_no_goods and not self.decides

    def note_no_token(self) -> None:
        """Note that the token of the last turn and its effects are announced, or never will be."""
        self.lacks_token = False

    def note_no_goods(self) -> None:
        """Note that no goods were chosen."""
        self._lacks_no_goods = False

    @property
    def is_owed(self) -> bool:
        """True if the server owes a message: the UpdateAction that completes the last events, or
        the next player after the end of a turn."""
        return self.is_in_game and not self.is_over and (self._is_amid or self._lacks_turn)

    def view(self) -> SeatView:
        """The seat's view, in the form that a policy takes: a separate copy."""
        states = new_states(1)
        states[:] = self.known.array
        games = doorway(states)
        if self.is_over:
            states["seat"] = NOBODY
        elif self.state["is_playing"]:
            states["seat"], states["phase"] = states["turn_seat"], MAIN
        else:
            states["seat"], states["phase"] = NOBODY, KEEP
            doors.ask_viewer(games, 0, self.seat)
        doors.renew_mask(games, 0)
        for i in np.flatnonzero(self.state["leader"][self.seat] == EMPTY):
            states["mask"][:, [ACTIVATE_AT + i, DISCARD_AT + i]] = 0  # it has no id to send
        return SeatView(states)

    def complete(self, command: Command, before: Any) -> None:
        """Carry out what a confirmed command of ours says; it was sent in the state `before`."""
        complete(self.known, command, before)
        if isinstance(command, KeepLeaders):
            self._note_kept()

    def _note_owed(self, message: Any) -> None:
        if isinstance(message, m.UpdateAction):
            self._is_amid = False
        elif isinstance(message, m.UpdateVictoryPoints):
            self._is_amid = True  # points are part of an action, even its last event

    def _begin(self, game: m.UpdateGame) -> None:
        self._is_amid = self._has_heard_turn = self._lacks_turn = False
        self._has_begun = self._has_inferred_start = False
        self._has_heard_token = self.lacks_token = False
        self.known = known_of(game, self.nickname, self._kept)
        self.names, self.is_in_game = self.known.names, True
        setups = {one.nickname: one.setup for one in game.players}
        self._unsure = {
            name
            for name, one in setups.items()
            if not (one.initialResources or one.hasChosenResources)
        }
        self._lacks_no_goods = self.nickname in self._unsure
        self._boxes.clear()
        if self.state["has_kept"][self.seat]:
            self._note_kept()

    def _note_kept(self) -> None:
        own = self.state["leader"][self.seat].tolist()
        self._kept = self.names, [leader for leader in own if leader != EMPTY]

    def _hear_leaders_hand(self, message: m.UpdateLeadersHand) -> None:
        if message.player != self.nickname:
            known = [one for one in m.shown_in(message.leaders) if one in self.ids.leaders]
            shown = self.ids.leader_rows(known)
            self.known.reveal(self.names.index(message.player), shown)
            return
        is_empty = self.known.leaders_left <= 1
        hand = self.ids.leader_rows(m.whole(message.leaders, is_empty))
        if (self.state["leader"][self.seat] != EMPTY).any():
            self.known.note_discards(hand)
        elif len(hand) == KEPT:
            self.known.keep(hand)
            self._note_kept()

    def _hear_leaders_count(self, message: m.UpdateLeadersHandCount) -> None:
        if message.player != self.nickname:
            self.known.count_leaders(self.names.index(message.player), message.leadersHandCount)

    def _hear_container(self, message: m.UpdateResourceContainer) -> None:
        self._boxes[message.resContainer.id] = message.resContainer.content

    def _hear_setup_done(self, message: m.UpdateSetupDone) -> None:
        self.state["is_playing"] = 1
        self._has_inferred_start = False

    def _hear_last_round(self, message: m.UpdateLastRound) -> None:
        self.state["last_round"] = 1

    def _hear_current_player(self, message: m.UpdateCurrentPlayer) -> None:
        self._believe_boxes()
        name = message.player or message.nickname
        has_begun, self._has_begun = self._has_begun, False
        self._lacks_turn = self.lacks_token = False
        if has_begun and name == self.nickname:
            return
        self._has_heard_turn = True
        if name in self.names:
            self._begin_turn(self.names.index(name))

    def _begin_turn(self, seat: int) -> None:
        state = self.state
        state["turn_seat"] = state["seat"] = seat
        state["main_done"] = state["swaps"] = 0
        self.turns += 1

    def _hear_market(self, message: m.UpdateMarket) -> None:
        self.known.read_market(message.market)

    def _hear_grid(self, message: m.UpdateDevCardGrid) -> None:
        grid = message.devCardGrid or message.topCards
        if grid is not None:
            self.known.read_grid(grid.cards)

    def _hear_slot(self, message: m.UpdateDevSlot) -> None:
        seat = self.names.index(message.player)
        slot = message.slot if message.devSlot is None else message.devSlot
        cards = message.cards if message.devCards is None else message.devCards
        if slot is None or cards is None:
            return
        rows = self.ids.card_rows(cards)
        for card in rows[int(self.state["height"][seat, slot]) :]:
            self.known.take_card(card)
        self.known.fill_slot(seat, slot, rows)

    def _hear_activation(self, message: m.UpdateActivateLeader) -> None:
        (leader,) = self.ids.leader_rows([message.leader])
        self.known.activate(int(self.state["turn_seat"]), leader)

    def _hear_faith(self, message: m.UpdateFaithPoints | m.UpdateFaithTrack) -> None:
        if message.isBlackCross:
            self.state["cross"] = message.faithPoints
        elif message.player in self.names:
            self.state["faith"][self.names.index(message.player)] = message.faithPoints

    def _hear_report(self, message: m.UpdateVaticanSection) -> None:
        section = message.id if message.vaticanSection is None else message.vaticanSection
        if section in self.known.sections:
            self.known.hold_report(section, message.bonusGivenPlayers)

    def _hear_token(self, message: m.UpdateActionToken) -> None:
        self._has_heard_token = True
        token = self.known.tokens.get(message.actionToken)
        if token is None or not self.known.is_from_start:
            return
        state, row = self.state, self.known.token_rows.get(token.id)
        colour = m.colour_of(token.discardedDevCardColor or "")
        if row is not None:
            state["token_out"][row] = 1
            state["last_token"] = row
        if token.kind == SHUFFLE:
            state["token_out"] = 0
        elif colour is not None:
            left = state["left"][colour]
            for _ in range(2):
                levels = np.flatnonzero(left)
                left[levels[:1]] -= 1

    def _hear_status(self, message: m.UpdatePlayerStatus) -> None:
        name = message.player or message.nickname
        if name in self.names:
            self.state["away"][self.names.index(name)] = not message.isActive

    def _hear_end(self, message: m.UpdateGameEnd) -> None:
        self.state["phase"] = OVER
        self.known.note_winner(message.winner)

    def _hear_action(self, message: m.UpdateAction) -> None:
        self._believe_boxes()
        state, seat = self.state, self.names.index(message.player)
        has_heard, self._has_heard_turn, self._lacks_turn = self._has_heard_turn, False, False
        if message.action in TURN_ACTIONS and self._is_set_up:
            state["is_playing"] = 1
        if message.action == "END_TURN":
            self._end_turn(seat, has_heard)
        elif message.action in MAIN_ACTIONS:
            state["main_done"] = 1
            self._has_heard_token = False
        elif message.action == "SWAP_SHELVES":
            state["swaps"] = min(state["swaps"] + 1, MAX_SWAPS)
        elif message.action == "CHOOSE_RESOURCES":
            state["has_goods"][seat] = 1
            self._unsure.discard(message.player)
            self._start(are_sure=not self._unsure)
        elif message.action == "CHOOSE_LEADERS":
            state["has_kept"][seat] = 1
            self._start(are_sure=not self._unsure)

    def _start(self, are_sure: bool) -> None:
        """End the set-up if the choices of all players are confirmed."""
        state, seats = self.state, len(self.names)
        are_done = state["has_kept"][:seats].all() and state["has_goods"][:seats].all()
        if are_sure and are_done and not state["is_playing"]:
            state["is_playing"] = 1
            self._has_inferred_start = True

    def _end_turn(self, seat: int, has_heard: bool) -> None:
        """Wait for the next player, unless it is us again: that may not be announced."""
        plays_on = not has_heard and seat == self.seat and self._is_alone
        if plays_on or (has_heard and seat == self.seat == self.state["turn_seat"]):
            self._begin_turn(seat)
        self._has_begun, self._lacks_turn = plays_on, not (plays_on or has_heard)
        self.lacks_token = plays_on and len(self.names) == 1 and not self._has_heard_token

    @property
    def _is_alone(self) -> bool:
        """True if all others are away, and the end of this turn does not end the game (R113)."""
        state = self.state
        if state["last_round"] or not np.delete(state["away"][: len(self.names)], self.seat).all():
            return False
        is_beaten = state["cross"] >= LAST_SPACE or (state["top"] == EMPTY).all(axis=1).any()
        return len(self.names) > 1 or not is_beaten

    def _hear_wrong_time(self, message: m.ErrAction) -> None:
        """Note that the phase is another: an UpdateAction was lost, or was not the last one."""
        if message.reason == "LATE_MANDATORY_ACTION":
            self.state["main_done"] = 1
            self._has_heard_turn = False  # what was heard is this turn, not the next
        elif message.reason == "LATE_SETUP_ACTION":
            self._lacks_no_goods = False
            self._start(are_sure=True)
        elif message.reason == "EARLY_MANDATORY_ACTION" and self._has_inferred_start:
            self.state["is_playing"] = 0
            self._has_inferred_start = False
            self.turns += 1

    def _hear_choice(self, message: m.ErrInitialChoice) -> None:
        """Note that our starting goods are chosen, even if there were none to choose."""
        if not (message.isLeadersChoice or message.missingLeadersCount):
            self._lacks_no_goods = False
            self._unsure.discard(self.nickname)
            self._start(are_sure=not self._unsure)

    def _believe_boxes(self) -> None:
        for number, content in self._boxes.items():
            self.known.fill_box(number, content)
        self._boxes.clear()


_METHODS: dict[type[Any], str] = {
    m.UpdateLeadersHand: "_hear_leaders_hand",
    m.UpdateLeadersHandCount: "_hear_leaders_count",
    m.UpdateResourceContainer: "_hear_container",
    m.UpdateSetupDone: "_hear_setup_done",
    m.UpdateLastRound: "_hear_last_round",
    m.UpdateCurrentPlayer: "_hear_current_player",
    m.UpdateMarket: "_hear_market",
    m.UpdateDevCardGrid: "_hear_grid",
    m.UpdateDevSlot: "_hear_slot",
    m.UpdateActivateLeader: "_hear_activation",
    m.UpdateFaithPoints: "_hear_faith",
    m.UpdateFaithTrack: "_hear_faith",
    m.UpdateVaticanSection: "_hear_report",
    m.UpdateActionToken: "_hear_token",
    m.UpdatePlayerStatus: "_hear_status",
    m.UpdateGameEnd: "_hear_end",
    m.UpdateAction: "_hear_action",
    m.ErrAction: "_hear_wrong_time",
    m.ErrInitialChoice: "_hear_choice",
}
