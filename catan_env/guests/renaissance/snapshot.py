"""A whole game as the message that a player receives at its start and on returning."""

from typing import Any

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.game import Game
from catan_env.guests.renaissance.ids import Ids
from catan_env.guests.renaissance.native.cards import (
    AMOUNT,
    BASE_INPUTS,
    CARD_FAITH,
    COLOUR,
    COLOURS,
    COLUMNS,
    COST,
    CROSS_1_AND_SHUFFLE,
    CROSS_2,
    DEPOT,
    DISCOUNT,
    FAITH,
    FAITH_OPEN,
    GOOD,
    GOODS,
    INPUT,
    KIND,
    LEVEL,
    LEVELS,
    NEEDS,
    NEEDS_GOODS,
    NUM_CARDS,
    NUM_LEADERS,
    NUM_TOKENS,
    OUTPUT,
    POINTS,
    PRODUCTION,
    ROWS,
    START_GOODS,
    TOKENS,
)
from catan_env.guests.renaissance.native.state import (
    DISCARDED,
    EMPTY,
    KEPT,
    LORENZO,
    POPES,
    SHELVES,
    SLOTS,
    WON,
)
from catan_env.guests.renaissance.native.track import GOLD, POPE_SPACE, SECTION_START, TILE_POINTS
from catan_env.guests.renaissance.position import Position
from catan_env.guests.renaissance.speech import active_leaders

SECTION_IDS = (0, 2, 1)
"""The AM49 server's numbers of the reports on 8, 16 and 24."""
TOKEN_KINDS = {
    "ActionTokenBlackMoveOneShuffle": CROSS_1_AND_SHUFFLE,
    "ActionTokenBlackMoveTwo": CROSS_2,
}
LEADER_TYPES = ("DISCOUNT", "DEPOT", "PRODUCTION", "ZERO")
COLOUR_CODES = ("\x1b[34m", "\x1b[32m", "\x1b[35m", "\x1b[33m")
RESOURCE_CODES = ("\x1b[93m", "\x1b[37m", "\x1b[95m", "\x1b[94m", "\x1b[91m", "\x1b[97m")


def update_game(
    game: Game, names: list[str], ids: Ids, seat: int, present: set[int]
) -> m.UpdateGame:
    """The game as `seat` may know it; `present` are the seats that are connected."""
    state, turn = game.state, game.turn_seat
    order = [(turn + step) % game.seats for step in range(game.seats)]
    has_winner = game.is_over and game.winner != LORENZO
    return m.UpdateGame(
        players=[player(game, names, ids, other, seat, other in present) for other in order],
        devCardColors=[m.Colour(*pair) for pair in zip(COLOURS, COLOUR_CODES, strict=True)],
        resourceTypes=_resource_types(),
        leaderCards=[_leader(state, ids, leader, game) for leader in range(NUM_LEADERS)],
        developmentCards=[_card(state, ids, card) for card in range(NUM_CARDS)],
        resContainers=_containers(game, ids),
        productions=list(_productions(game, ids)),
        faithTrack=_track(state, names),
        market=market(state),
        devCardGrid=grid(state),
        isSetupDone=game.is_playing,
        devSlotsCount=SLOTS,
        currentPlayer=names[turn],
        inkwellPlayer=names[0],
        blackPoints=int(state["cross"]),
        lastRound=bool(state["last_round"]),
        ended=game.is_over,
        isMandatoryActionDone=bool(state["main_done"]),
        actionTokens=_tokens() if game.seats == 1 else None,
        winnerPlayer=names[game.winner] if has_winner else None,
    )


def player(
    game: Game, names: list[str], ids: Ids, seat: int, viewer: int, is_there: bool
) -> m.Player:
    """One player, as far as known to the viewer."""
    state = game.state
    hand = leaders_hand(game, seat)
    setup = m.Setup(
        chosenLeadersCount=KEPT,
        initialResources=int(START_GOODS[seat]),
        initialExcludedResources=["Faith"],
        hasChosenLeaders=bool(state["has_kept"][seat]),
        hasChosenResources=bool(state["has_goods"][seat]),
    )
    return m.Player(
        nickname=names[seat],
        baseProduction=ids.base[seat],
        warehouseShelves=ids.shelves[seat],
        strongbox=ids.strongbox[seat],
        setup=setup,
        leadersHand=hand if seat == viewer else game.active_leaders(seat),
        leadersHandCount=len(hand),
        devSlots=[slot_cards(state, seat, slot) for slot in range(SLOTS)],
        faithPoints=int(state["faith"][seat]),
        victoryPoints=game.scores()[seat] if game.is_over else game.points(seat),
        active=is_there,
    )


def leaders_hand(game: Game, seat: int) -> list[int]:
    """The leaders dealt; once two are kept, those that are not discarded."""
    state = game.state
    if not state["has_kept"][seat]:
        dealt: list[int] = state["dealt"][seat].tolist()
        return dealt
    kept = zip(state["leader"][seat].tolist(), state["leader_state"][seat].tolist(), strict=True)
    return [leader for leader, how in kept if how != DISCARDED]


def slot_cards(state: Any, seat: int, slot: int) -> list[int]:
    """The cards in a slot, bottom first."""
    cards: list[int] = state["slot"][seat, slot][: state["height"][seat, slot]].tolist()
    return cards


def market(state: Any) -> m.Market:
    """The marbles."""
    names = [m.NAMES[marble] for marble in state["market"]]
    rows = [names[COLUMNS * row : COLUMNS * (row + 1)] for row in range(ROWS)]
    return m.Market(rows, "Zero", names[-1])


def grid(state: Any) -> m.DevCardGrid:
    """The top cards."""
    top = state["top"]
    cards: m.TopCards = {
        name: [None, *(int(card) if card != EMPTY else None for card in top[colour])]
        for colour, name in enumerate(COLOURS)
    }
    return m.DevCardGrid(LEVELS, len(COLOURS), cards)


def shelf(state: Any, seat: int, number: int, ids: Ids) -> m.Container:
    """One shelf of a seat."""
    count, good = int(state["shelf_count"][seat, number]), int(state["shelf_good"][seat, number])
    content = {m.NAMES[good]: count} if count else {}
    bound = m.NAMES[good] if count else None
    return m.Container(
        id=ids.shelves[seat][number], content=content, size=number + 1, boundedResType=bound
    )


def strongbox(state: Any, seat: int, ids: Ids) -> m.Container:
    """The strongbox of a seat."""
    content = m.counts_of(state["strongbox"][seat])
    return m.Container(id=ids.strongbox[seat], content=content, size=-1)


def depot(state: Any, seat: int | None, i: int, leader: int, ids: Ids) -> m.Container:
    """The depot of a leader, empty until the leader is active."""
    good = m.NAMES[state["leaders"][leader, GOOD]]
    count = 0 if seat is None else int(state["depot"][seat, i])
    size = int(state["leaders"][leader, AMOUNT])
    content = {good: count} if count else {}
    return m.Container(id=ids.depots[leader], content=content, size=size, boundedResType=good)


def depots(game: Position, ids: Ids) -> list[m.Container]:
    """All depots."""
    state = game.state
    open_ones = {
        leader: (seat, state["leader"][seat].tolist().index(leader))
        for seat in range(game.seats)
        for leader in active_leaders(state, seat, DEPOT)
    }
    found = []
    for leader in range(NUM_LEADERS):
        if state["leaders"][leader, KIND] == DEPOT:
            seat, i = open_ones.get(leader, (None, 0))
            found.append(depot(state, seat, i, leader, ids))
    return found


def seat_containers(state: Any, seat: int, ids: Ids) -> list[m.Container]:
    """Shelves and strongbox of a seat."""
    shelves = [shelf(state, seat, number, ids) for number in range(SHELVES)]
    return [*shelves, strongbox(state, seat, ids)]


def _containers(game: Game, ids: Ids) -> list[m.Container]:
    boards = [seat_containers(game.state, seat, ids) for seat in range(game.seats)]
    return [container for board in boards for container in board] + depots(game, ids)


def _resource_types() -> list[m.ResourceType]:
    return [
        m.ResourceType(name, code, number < GOODS, number == FAITH, False)
        for number, (name, code) in enumerate(zip(m.NAMES, RESOURCE_CODES, strict=True))
    ]


def _leader(state: Any, ids: Ids, leader: int, game: Game) -> m.LeaderCard:
    row = state["leaders"][leader].tolist()
    kind = row[KIND]
    active = any(leader in game.active_leaders(seat) for seat in range(game.seats))
    card = m.LeaderCard(
        id=leader,
        leaderType=LEADER_TYPES[kind],
        resourceType=m.NAMES[row[GOOD]],
        victoryPoints=row[2],
        active=active,
        discount=row[AMOUNT] if kind == DISCOUNT else 0,
        containerId=ids.depots[leader] if kind == DEPOT else -1,
        production=ids.leader_productions[leader] if kind == PRODUCTION else -1,
    )
    needs = [row[NEEDS : NEEDS + 3], row[NEEDS + 3 : NEEDS + 6]]
    entries = [m.CardEntry(COLOURS[colour], n, level) for colour, level, n in needs if n]
    if entries:
        card.devCardRequirement = m.CardRequirement(entries)
    else:
        card.resourceRequirement = m.Requirements(m.counts_of(row[NEEDS_GOODS : NEEDS_GOODS + 4]))
    return card


def _card(state: Any, ids: Ids, card: int) -> m.DevelopmentCard:
    row = state["dev"][card].tolist()
    cost = m.Requirements(m.counts_of(row[COST : COST + GOODS]))
    colour = COLOURS[row[COLOUR]]
    production = ids.card_productions[card]
    return m.DevelopmentCard(card, colour, row[LEVEL], row[POINTS], cost, production)


def _productions(game: Game, ids: Ids) -> Any:
    state = game.state
    for seat in range(game.seats):
        closed = [] if state["base_faith_open"] else ["Faith"]
        yield _recipe(ids.base[seat], {}, {}, closed, taken_freely=BASE_INPUTS, given_freely=1)
    for card in range(NUM_CARDS):
        row = state["dev"][card].tolist()
        output = m.counts_of([*row[OUTPUT : OUTPUT + GOODS], row[CARD_FAITH]])
        taken = m.counts_of(row[INPUT : INPUT + GOODS])
        yield _recipe(ids.card_productions[card], taken, output, [])
    for leader in range(NUM_LEADERS):
        row = state["leaders"][leader].tolist()
        if row[KIND] == PRODUCTION:
            number, taken = ids.leader_productions[leader], {m.NAMES[row[GOOD]]: 1}
            closed = [] if row[FAITH_OPEN] else ["Faith"]
            yield _recipe(number, taken, {"Faith": 1}, closed, given_freely=1)


def _recipe(
    number: int,
    taken: m.Map,
    given: m.Map,
    closed: list[str],
    taken_freely: int = 0,
    given_freely: int = 0,
) -> m.Recipe:
    return m.Recipe(
        id=number,
        input=taken,
        inputBlanks=taken_freely,
        inputBlanksExclusions=[],
        output=given,
        outputBlanks=given_freely,
        outputBlanksExclusions=closed,
        discardableOutput=False,
    )


def _tokens() -> list[m.ActionToken]:
    kinds = {effect: kind for kind, effect in TOKEN_KINDS.items()}
    tokens = []
    for token in range(NUM_TOKENS):
        effect = int(TOKENS[token])
        colour = None if effect in kinds else COLOURS[effect]
        tokens.append(m.ActionToken(token, kinds.get(effect, "ActionTokenDiscardTwo"), colour))
    return tokens


def _track(state: Any, names: list[str]) -> m.FaithTrack:
    sections = {
        str(POPE_SPACE[k]): m.VaticanSection(
            SECTION_IDS[k],
            int(SECTION_START[k]),
            int(POPE_SPACE[k]),
            int(TILE_POINTS[k]),
            bool(state["reported"][k]),
            winners_of(state, names, k),
        )
        for k in range(POPES)
    }
    return m.FaithTrack(sections, [m.YellowTile(*gold) for gold in GOLD])


def winners_of(state: Any, names: list[str], k: int) -> list[str]:
    """The winners of a report's tile."""
    return [name for seat, name in enumerate(names) if state["tile"][seat, k] == WON]
