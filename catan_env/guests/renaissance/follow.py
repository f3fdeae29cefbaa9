"""A game followed from the events that one player is sent, and nothing else.

A container's news are believed at the UpdateAction that completes them, everything else at once.
What comes before UpdateGame is dropped: UpdateGame says it again.
"""

from typing import Any

import numpy as np

from catan_env.core.memory import doorway
from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.native import doors
from catan_env.guests.renaissance.native.actions import MAX_SWAPS
from catan_env.guests.renaissance.native.cards import (
    AMOUNT,
    CARD_FAITH,
    COLOUR,
    COLOURS,
    COST,
    DEPOT,
    DISCOUNT,
    FAITH,
    FAITH_OPEN,
    GOOD,
    GOODS,
    INPUT,
    KIND,
    LEADER_POINTS,
    LEVEL,
    LEVELS,
    NEEDS,
    NEEDS_AT_MOST,
    NEEDS_GOODS,
    OUTPUT,
    POINTS,
    STACK,
)
from catan_env.guests.renaissance.native.state import (
    ACTIVE,
    DEALT,
    DISCARDED,
    EMPTY,
    IN_HAND,
    KEEP,
    KEPT,
    LORENZO,
    LOST,
    MAIN,
    NOBODY,
    OVER,
    WON,
    fill_box,
    new_states,
)
from catan_env.guests.renaissance.snapshot import LEADER_TYPES
from catan_env.guests.renaissance.view import SeatView

MAIN_ACTIONS = ("TAKE_MARKET_RESOURCES", "BUY_DEVELOPMENT_CARD", "ACTIVATE_PRODUCTION")
SHUFFLE = "ActionTokenBlackMoveOneShuffle"


class Follower:
    """What the player of one nickname knows; `game` is set from UpdateGame on."""

    def __init__(self, nickname: str) -> None:
        self.nickname = nickname
        self.is_in_game = False
        self.names: list[str] = []
        self.ids: Ids
        self._kept: tuple[list[str], list[int]] | None = None
        """Whose game it was when leaders were kept, and which: for a return to it."""

    def hear(self, message: Any) -> None:
        """Follow an event."""
        if isinstance(message, m.UpdateGame):
            self._begin(message)
        elif self.is_in_game:
            method = _METHODS.get(type(message))
            if method is not None:
                getattr(self, method)(message)

    @property
    def state(self) -> Any:
        """The record of what is known, by the names of native/state.py."""
        return self._array[0]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.is_in_game and bool(self.state["phase"] == OVER)

    @property
    def decides(self) -> bool:
        """Whether something is this player's to decide."""
        if not self.is_in_game or self.is_over:
            return False
        if not self.state["is_playing"]:
            return not (self.state["has_kept"][self.seat] and self.state["has_goods"][self.seat])
        return bool(self.state["turn_seat"] == self.seat)

    def view(self) -> SeatView:
        """What the seat knows and may do, as a policy takes it: memory of its own."""
        states = new_states(1)
        states[:] = self._array
        games = doorway(states)
        if self.is_over:
            states["seat"] = NOBODY
        elif self.state["is_playing"]:
            states["seat"], states["phase"] = states["turn_seat"], MAIN
        else:
            states["seat"], states["phase"] = NOBODY, KEEP
            doors.change(games, 0, doors.ASK_VIEWER, self.seat, 0)
        doors.change(games, 0, doors.MASK, 0, 0)
        return SeatView(states)

    def _begin(self, game: m.UpdateGame) -> None:
        inkwell = [player.nickname for player in game.players].index(game.inkwellPlayer)
        players = [*game.players[inkwell:], *game.players[:inkwell]]
        self.names = [player.nickname for player in players]
        self.seat = self.names.index(self.nickname)
        self.ids = Ids.read(game, {name: seat for seat, name in enumerate(self.names)})
        self.is_in_game = True
        self._array = new_states(1)
        self._boxes: dict[int, m.Map] = {}
        fill_box(self._array)
        state = self.state
        state["viewer"], state["seats"] = self.seat, len(players)
        self._read_cards(game)
        for seat, player in enumerate(players):
            self._read_player(seat, player)
        self._read_table(game)
        self._is_from_start = not game.isSetupDone
        self._count_stacks()

    def _read_cards(self, game: m.UpdateGame) -> None:
        """The server's own cards: it plays with what it sends."""
        recipes = {recipe.id: recipe for recipe in game.productions}
        state = self.state
        for card in game.developmentCards:
            row, recipe = state["dev"][card.id], recipes[card.production]
            row[COLOUR], row[LEVEL] = COLOURS.index(card.color), card.level
            row[POINTS] = card.victoryPoints
            row[COST : COST + GOODS] = _goods(card.cost.requirements)
            row[INPUT : INPUT + GOODS] = _goods(recipe.input)
            row[OUTPUT : OUTPUT + GOODS] = _goods(recipe.output)
            row[CARD_FAITH] = recipe.output.get("Faith", 0)
        for leader in game.leaderCards:
            self._read_leader(leader, recipes, game.resContainers)
        base = recipes[self.ids.base[self.seat]]
        state["base_faith_open"] = "Faith" not in base.outputBlanksExclusions

    def _read_leader(
        self, card: m.LeaderCard, recipes: dict[int, m.Recipe], boxes: list[m.Container]
    ) -> None:
        row = self.state["leaders"][card.id]
        kind = LEADER_TYPES.index(card.leaderType.removesuffix("Leader").upper())
        row[:] = 0
        row[KIND], row[GOOD] = kind, m.good_of(card.resourceType)
        row[LEADER_POINTS] = card.victoryPoints
        if isinstance(card.devCardRequirement, m.CardRequirement):
            for k, entry in enumerate(card.devCardRequirement.entries[:NEEDS_AT_MOST]):
                colour = COLOURS.index(entry.color)
                row[NEEDS + 3 * k : NEEDS + 3 * k + 3] = colour, entry.level, entry.quantity
        if isinstance(card.resourceRequirement, m.Requirements):
            asked = _goods(card.resourceRequirement.requirements)
            row[NEEDS_GOODS : NEEDS_GOODS + GOODS] = asked
        if kind == DISCOUNT:
            row[AMOUNT] = card.discount
        elif kind == DEPOT:
            row[AMOUNT] = next(box.size for box in boxes if box.id == card.containerId)
        elif card.production in recipes:
            row[FAITH_OPEN] = "Faith" not in recipes[card.production].outputBlanksExclusions

    def _read_player(self, seat: int, player: m.Player) -> None:
        state, setup = self.state, player.setup
        state["faith"][seat] = player.faithPoints
        state["away"][seat] = not player.active
        state["has_kept"][seat] = setup.hasChosenLeaders
        state["has_goods"][seat] = setup.hasChosenResources or not setup.initialResources
        for slot, cards in enumerate(player.devSlots):
            self._fill_slot(seat, slot, cards)
        if seat == self.seat:
            self._read_own_leaders(player)
        elif setup.hasChosenLeaders:
            self._count_leaders(seat, player.leadersHandCount)

    def _read_own_leaders(self, player: m.Player) -> None:
        state, hand = self.state, sorted(player.leadersHand)
        if not player.setup.hasChosenLeaders:
            state["dealt"][self.seat][: len(hand)] = hand
            return
        kept = hand
        if self._kept is not None and self._kept[0] == self.names and set(hand) <= {*self._kept[1]}:
            kept = self._kept[1]
        self._keep(kept)
        self._note_discards(hand)

    def _read_table(self, game: m.UpdateGame) -> None:
        state = self.state
        self._tokens = {token.id: token for token in game.actionTokens or []}
        sections = game.faithTrack.vaticanSections
        self._sections = {sections[key].id: k for k, key in enumerate(sorted(sections, key=int))}
        for section in sections.values():
            if section.activated:
                self._hold_report(section.id, section.bonusGivenPlayers)
        self._read_market(game.market)
        self._read_grid(game.devCardGrid.topCards)
        for card in game.leaderCards:
            if card.active is True or card.isActive is True:
                self._find_owner(card.id, game.players)
        for box in game.resContainers:
            self._fill_box(box.id, box.content)
        state["cross"], state["last_round"] = game.blackPoints, game.lastRound
        state["is_playing"], state["main_done"] = game.isSetupDone, game.isMandatoryActionDone
        state["turn_seat"] = state["seat"] = self.names.index(game.currentPlayer)
        state["phase"] = OVER if game.ended else MAIN
        if game.ended:
            self._note_winner(game.winnerPlayer)

    def _find_owner(self, leader: int, players: list[m.Player]) -> None:
        for player in players:
            if leader in player.leadersHand:
                self._activate(self.names.index(player.nickname), leader)

    def _count_stacks(self) -> None:
        """Cards left: after a return to the solo game nobody knows."""
        state = self.state
        state["left"] = STACK
        if self._is_from_start:
            return
        if len(self.names) == 1:
            state["left"] = 0
            return
        for seat in range(len(self.names)):
            for card in state["slot"][seat].flatten():
                if card != EMPTY:
                    self._take_card(int(card))

    def _take_card(self, card: int) -> None:
        colour, level = self.state["dev"][card][[COLOUR, LEVEL]]
        if self.state["left"][colour, level - 1]:
            self.state["left"][colour, level - 1] -= 1

    def _fill_slot(self, seat: int, slot: int, cards: list[int]) -> None:
        state = self.state
        state["slot"][seat, slot] = EMPTY
        state["slot"][seat, slot][: len(cards)] = cards
        state["height"][seat, slot] = len(cards)

    def _fill_box(self, number: int, content: m.Map) -> None:
        state, counts = self.state, _goods(content)
        for seat in range(len(self.names)):
            if number in self.ids.shelves[seat]:
                shelf = self.ids.shelves[seat].index(number)
                state["shelf_count"][seat, shelf] = sum(counts)
                good = next((good for good, count in enumerate(counts) if count), EMPTY)
                state["shelf_good"][seat, shelf] = good
            elif number == self.ids.strongbox[seat]:
                state["strongbox"][seat] = counts
            else:
                self._fill_depot(seat, number, sum(counts))

    def _fill_depot(self, seat: int, number: int, count: int) -> None:
        for i, leader in enumerate(self.state["leader"][seat].tolist()):
            is_open = self.state["leader_state"][seat, i] == ACTIVE
            if is_open and self.ids.depots.get(leader) == number:
                self.state["depot"][seat, i] = count

    def _keep(self, leaders: list[int]) -> None:
        """Two own leaders are kept, in ascending order."""
        state = self.state
        state["leader"][self.seat][: len(leaders)] = sorted(leaders)
        state["leader_state"][self.seat] = IN_HAND
        state["has_kept"][self.seat] = 1
        self._kept = self.names, sorted(leaders)

    def _note_discards(self, hand: list[int]) -> None:
        for i, leader in enumerate(self.state["leader"][self.seat].tolist()):
            if leader not in hand:
                self.state["leader_state"][self.seat, i] = DISCARDED

    def _count_leaders(self, seat: int, count: int) -> None:
        """Another seat holds so many, active ones among them."""
        state = self.state
        if count == DEALT:
            return
        state["has_kept"][seat] = 1
        for i in range(KEPT):
            there = int((state["leader_state"][seat] != DISCARDED).sum())
            if there > count and state["leader_state"][seat, i] == IN_HAND:
                state["leader_state"][seat, i] = DISCARDED

    def _activate(self, seat: int, leader: int) -> None:
        state = self.state
        known = state["leader"][seat].tolist()
        if leader not in known:
            held = state["leader_state"][seat].tolist()
            state["leader"][seat, held.index(IN_HAND)] = leader
        i = state["leader"][seat].tolist().index(leader)
        state["leader_state"][seat, i] = ACTIVE

    def _hold_report(self, section: int, winners: list[str] | str) -> None:
        k = self._sections[section]
        names = [winners] if isinstance(winners, str) else winners
        self.state["reported"][k] = 1
        for seat, name in enumerate(self.names):
            self.state["tile"][seat, k] = WON if name in names else LOST

    def _read_market(self, market: m.Market) -> None:
        marbles = [*(name for row in market.grid for name in row), market.slide]
        self.state["market"] = [m.NAMES.index(name) for name in marbles]

    def _read_grid(self, cards: dict[str, list[Any]]) -> None:
        for name, row in cards.items():
            column = row[0] if row and isinstance(row[0], list) else row
            for level, card in enumerate(column[1 : 1 + LEVELS]):
                self.state["top"][COLOURS.index(name), level] = EMPTY if card is None else card

    def _note_winner(self, name: str | None) -> None:
        self.state["winner"] = LORENZO if name is None else self.names.index(name)

    def _hear_leaders_hand(self, message: m.UpdateLeadersHand) -> None:
        if message.player != self.nickname:
            self._count_leaders(self.names.index(message.player), len(message.leaders))
        elif not self.state["has_kept"][self.seat] and len(message.leaders) == KEPT:
            self._keep(message.leaders)
        elif self.state["has_kept"][self.seat]:
            self._note_discards(message.leaders)

    def _hear_leaders_count(self, message: m.UpdateLeadersHandCount) -> None:
        if message.player != self.nickname:
            self._count_leaders(self.names.index(message.player), message.leadersHandCount)

    def _hear_container(self, message: m.UpdateResourceContainer) -> None:
        self._boxes[message.resContainer.id] = message.resContainer.content

    def _hear_setup_done(self, message: m.UpdateSetupDone) -> None:
        self.state["is_playing"] = 1

    def _hear_last_round(self, message: m.UpdateLastRound) -> None:
        self.state["last_round"] = 1

    def _hear_current_player(self, message: m.UpdateCurrentPlayer) -> None:
        self._believe_boxes()
        name = message.player or message.nickname
        state = self.state
        if name in self.names:
            state["turn_seat"] = state["seat"] = self.names.index(name)
            state["main_done"] = state["swaps"] = 0

    def _hear_market(self, message: m.UpdateMarket) -> None:
        self._read_market(message.market)

    def _hear_grid(self, message: m.UpdateDevCardGrid) -> None:
        if message.devCardGrid is not None:
            self._read_grid(message.devCardGrid.topCards)
        elif message.topCards is not None:
            self._read_grid(message.topCards.grid)

    def _hear_slot(self, message: m.UpdateDevSlot) -> None:
        seat = self.names.index(message.player)
        slot = message.slot if message.devSlot is None else message.devSlot
        cards = message.cards if message.devCards is None else message.devCards
        if slot is None or cards is None:
            return
        for card in cards[int(self.state["height"][seat, slot]) :]:
            self._take_card(card)
        self._fill_slot(seat, slot, cards)

    def _hear_activation(self, message: m.UpdateActivateLeader) -> None:
        self._activate(int(self.state["turn_seat"]), message.leader)

    def _hear_faith(self, message: m.UpdateFaithPoints | m.UpdateFaithTrack) -> None:
        if message.isBlackCross:
            self.state["cross"] = message.faithPoints
        elif message.player in self.names:
            self.state["faith"][self.names.index(message.player)] = message.faithPoints

    def _hear_report(self, message: m.UpdateVaticanSection) -> None:
        section = message.id if message.vaticanSection is None else message.vaticanSection
        if section in self._sections:
            self._hold_report(section, message.bonusGivenPlayers)

    def _hear_token(self, message: m.UpdateActionToken) -> None:
        if not self._is_from_start:
            return
        state, token = self.state, self._tokens[message.actionToken]
        state["token_out"][token.id] = 1
        state["last_token"] = token.id
        if token.kind == SHUFFLE:
            state["token_out"] = 0
        elif token.discardedDevCardColor is not None:
            left = state["left"][COLOURS.index(token.discardedDevCardColor)]
            for _ in range(2):
                levels = np.flatnonzero(left)
                left[levels[:1]] -= 1

    def _hear_status(self, message: m.UpdatePlayerStatus) -> None:
        name = message.player or message.nickname
        if name in self.names:
            self.state["away"][self.names.index(name)] = not message.isActive

    def _hear_end(self, message: m.UpdateGameEnd) -> None:
        self.state["phase"] = OVER
        self._note_winner(message.winner)

    def _hear_action(self, message: m.UpdateAction) -> None:
        self._believe_boxes()
        state, seat = self.state, self.names.index(message.player)
        if message.action in MAIN_ACTIONS:
            state["main_done"] = 1
        elif message.action == "SWAP_SHELVES":
            state["swaps"] = min(state["swaps"] + 1, MAX_SWAPS)
        elif message.action == "CHOOSE_RESOURCES":
            state["has_goods"][seat] = 1
        elif message.action == "CHOOSE_LEADERS":
            state["has_kept"][seat] = 1

    def _believe_boxes(self) -> None:
        for number, content in self._boxes.items():
            self._fill_box(number, content)
        self._boxes.clear()


def _goods(counts: m.Map) -> list[int]:
    """Pieces by good; faith and white marbles are none."""
    goods = [0] * (FAITH + 2)
    for name, count in counts.items():
        number = m.good_of(name)
        if number is not None:
            goods[number] += count
    return goods[:GOODS]


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
}
