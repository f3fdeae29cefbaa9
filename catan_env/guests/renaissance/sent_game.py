"""A game read from the message sent at its start, or on a return to it."""

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.known import Known
from catan_env.guests.renaissance.native.cards import STACK
from catan_env.guests.renaissance.native.state import EMPTY, MAIN, OVER
from catan_env.guests.renaissance.sent_cards import read_cards, rows_of_tokens

Kept = tuple[list[str], list[int]]
"""The players, and the leaders that we kept: after a return, they show which we discarded."""


def known_of(game: m.UpdateGame, nickname: str, kept: Kept | None = None) -> Known:
    """The knowledge of the player with that nickname; `kept` shows its discarded leaders."""
    inkwell = [player.nickname for player in game.players].index(game.inkwellPlayer)
    players = [*game.players[inkwell:], *game.players[:inkwell]]
    names = [player.nickname for player in players]
    ids = Ids.read(game, {name: seat for seat, name in enumerate(names)})
    known = Known(names, names.index(nickname), ids)
    read_cards(known.state, game, ids, ids.base[known.seat])
    for seat, player in enumerate(players):
        _read_player(known, seat, player, kept)
    _read_table(known, game)
    _read_turn(known, game)
    _count_stacks(known)
    return known


def _read_player(known: Known, seat: int, player: m.Player, kept: Kept | None) -> None:
    state, setup = known.state, player.setup
    state["faith"][seat] = player.faithPoints
    state["away"][seat] = not player.active
    state["has_kept"][seat] = setup.hasChosenLeaders
    state["has_goods"][seat] = setup.hasChosenResources or not setup.initialResources
    for slot, cards in enumerate(player.devSlots or ()):
        known.fill_slot(seat, slot, known.ids.card_rows(cards or ()))
    if seat == known.seat:
        _read_own_leaders(known, player, kept)
    elif setup.hasChosenLeaders:
        known.count_leaders(seat, player.leadersHandCount)


def _read_own_leaders(known: Known, player: m.Player, kept: Kept | None) -> None:
    shown = m.whole(player.leadersHand, is_empty=not player.leadersHandCount)
    hand = sorted(known.ids.leader_rows(shown))
    if not player.setup.hasChosenLeaders:
        known.state["dealt"][known.seat][: len(hand)] = hand
        return
    is_this_game = kept is not None and kept[0] == known.names and {*hand} <= {*kept[1]}
    known.keep(kept[1] if kept is not None and is_this_game else hand)
    known.note_discards(hand)


def _read_table(known: Known, game: m.UpdateGame) -> None:
    tokens = game.actionTokens or []
    known.tokens = {token.id: token for token in tokens}
    known.token_rows = rows_of_tokens(tokens)
    sections = game.faithTrack.vaticanSections
    known.sections = {sections[key].id: k for k, key in enumerate(sorted(sections, key=int))}
    for section in sections.values():
        if section.activated:
            known.hold_report(section.id, section.bonusGivenPlayers)
    known.read_market(game.market)
    known.read_grid(game.devCardGrid.cards)
    for card in game.leaderCards:
        if card.active is True or card.isActive is True:
            _find_owner(known, card.id, game.players)
    for box in game.resContainers:
        known.fill_box(box.id, box.content)


def _find_owner(known: Known, leader: int, players: list[m.Player]) -> None:
    for player in players:
        if leader in m.shown_in(player.leadersHand):
            (row,) = known.ids.leader_rows([leader])
            known.activate(known.names.index(player.nickname), row)


def _read_turn(known: Known, game: m.UpdateGame) -> None:
    state = known.state
    known.is_from_start = not game.isSetupDone
    state["cross"], state["last_round"] = game.blackPoints, game.lastRound
    state["is_playing"], state["main_done"] = game.isSetupDone, game.isMandatoryActionDone
    state["turn_seat"] = state["seat"] = known.names.index(game.currentPlayer)
    state["phase"] = OVER if game.ended else MAIN
    if game.ended:
        known.note_winner(game.winnerPlayer)


def _count_stacks(known: Known) -> None:
    """Set the cards left; after a return to the solo game they are unknown."""
    state = known.state
    state["left"] = STACK
    if known.is_from_start:
        return
    if len(known.names) == 1:
        state["left"] = 0
        return
    for card in state["slot"][: len(known.names)].flatten():
        if card != EMPTY:
            known.take_card(int(card))
