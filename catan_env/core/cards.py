"""Development cards (C133-C158) and Largest Army (C181-C186)."""

from catan_env.core.actions import (
    KNIGHT_ACTION,
    MONOPOLY_START,
    PAIR_TABLE,
    PAIRS,
    ROAD_BUILDING_ACTION,
    YEAR_OF_PLENTY_START,
)
from catan_env.core.build import has_road_spot
from catan_env.core.constants import (
    AWARD,
    CARD_PRICE,
    DRAW,
    FREE_ROAD,
    GRAIN,
    HIDDEN,
    KNIGHT,
    LARGEST_ARMY_MINIMUM,
    MAIN,
    MONOPOLY,
    NOBODY,
    ORE,
    RESOURCES,
    ROAD_BUILDING,
    ROAD_PIECE,
    ROBBER,
    VICTORY_POINT,
    WOOL,
    YEAR_OF_PLENTY,
)
from catan_env.core.hands import (
    endless_stock,
    gain,
    in_stock,
    lose,
    pay_bank,
    pays,
    take_from_bank,
)
from catan_env.kernel.bits import bit, holds, only_if, word_of
from catan_env.kernel.jit import inline
from catan_env.kernel.rng import below

PAIR_COUNT = len(PAIRS)
MONOPOLIES = word_of(range(MONOPOLY_START, MONOPOLY_START + RESOURCES))
CARD_COST = word_of([r for r in range(RESOURCES) if CARD_PRICE[r]])  # of each, one card


@inline
def can_buy_card(g, held):
    """True if the resources held cover a card and the deck is not empty (C134)."""
    return pays(held, CARD_COST) & (g.deck_size > 0)


@inline
def buy_card(g, seat, outcome):
    """Buy the top card of the deck; returns its kind."""
    pay_bank(g, seat, ORE, 1)
    pay_bank(g, seat, WOOL, 1)
    pay_bank(g, seat, GRAIN, 1)
    kind = outcome
    if outcome == DRAW:
        kind = nth_of_deck(g, below(g, g.deck_size))
    else:
        g.draws += 1
    g.deck_size -= 1
    g.card_count[seat] += 1
    if kind != HIDDEN:
        g.deck[kind] -= 1
        g.cards[seat, kind] += 1
    g.new_cards[kind if kind != HIDDEN else VICTORY_POINT] += 1
    return kind


@inline
def nth_of_deck(g, n):
    """The kind of the n-th card left in the deck, whose order is decided by random draws."""
    kind = 0
    while n >= g.deck[kind]:
        n -= g.deck[kind]
        kind += 1
    return kind


@inline
def kinds_to_play(g, seat):
    """The set of playable kinds: one card per turn, and none bought this turn (C136-C138)."""
    kinds = 0
    for kind in range(VICTORY_POINT):
        kinds |= (g.cards[seat, kind] > g.new_cards[kind]) << kind
    return only_if(g.card_played == 0, kinds)


@inline
def put_down(g, seat, kind):
    """Play a card face up from the hand."""
    g.cards[seat, kind] -= 1
    g.card_count[seat] -= 1
    g.played[seat, kind] += 1
    g.card_played = 1


@inline
def play_knight(g, seat):
    """Count the knight, then move the robber as with a seven, without discards (C143)."""
    put_down(g, seat, KNIGHT)
    award_largest_army(g, seat)
    g.resume = g.phase
    g.phase = ROBBER


@inline
def award_largest_army(g, seat):
    """Give Largest Army, if in play, for three knights and more than the holder (C181-C185)."""
    knights = g.played[seat, KNIGHT]
    holder = g.largest_army
    if knights < LARGEST_ARMY_MINIMUM or holder == seat or not g.awards:
        return
    if holder != NOBODY:
        if knights <= g.played[holder, KNIGHT]:
            return
        g.points[holder] -= AWARD
    g.points[seat] += AWARD
    g.largest_army = seat


@inline
def play_road_building(g, seat):
    """Grant two free roads (C146-C150)."""
    put_down(g, seat, ROAD_BUILDING)
    g.free_roads = min(2, g.pieces[seat, ROAD_PIECE])
    if g.free_roads_at_once:
        g.resume = g.phase
        g.phase = FREE_ROAD


@inline
def go_on_building_free_roads(g, seat):
    """Count a free road; the rest lapse when no piece or no place is left (C148)."""
    g.free_roads -= 1
    if g.phase == FREE_ROAD and (g.free_roads == 0 or not has_road_spot(g, seat)):
        g.free_roads = 0
        g.phase = g.resume


@inline
def bank_total(g):
    """The number of resource cards in the bank."""
    total = 0
    for r in range(RESOURCES):
        total += in_stock(g, r)
    return total


@inline
def can_take_pair(g, pair):
    """True if the bank has both cards; its last card counts as a pair of its kind (C152-C154)."""
    a, b = PAIR_TABLE[pair, 0], PAIR_TABLE[pair, 1]
    if g.endless_bank:
        return endless_stock(g) > 1
    if a != b:
        return in_stock(g, a) > 0 and in_stock(g, b) > 0
    return in_stock(g, a) > 1 or (in_stock(g, a) == 1 and bank_total(g) == 1)


@inline
def play_year_of_plenty(g, seat, pair):
    """Take two cards from the bank, or its last one."""
    put_down(g, seat, YEAR_OF_PLENTY)
    take_from_bank(g, seat, PAIR_TABLE[pair, 0], 1)
    if in_stock(g, PAIR_TABLE[pair, 1]) > 0:
        take_from_bank(g, seat, PAIR_TABLE[pair, 1], 1)


@inline
def play_monopoly(g, seat, resource, outcome):
    """Take all cards of one kind from all others (C155); returns the counts, 8 bits per seat."""
    put_down(g, seat, MONOPOLY)
    taken = 0
    for other in range(g.seats):
        if other != seat:
            n = int(g.hand[other, resource])
            if outcome != DRAW:
                n = (outcome >> (8 * other)) & 255
            lose(g, other, resource, n)
            gain(g, seat, resource, n)
            taken |= n << (8 * other)
    return taken


@inline
def playable_cards(g, seat):
    """The bits of the mask's first word for the cards that `seat` may play now."""
    kinds = kinds_to_play(g, seat)
    lays_roads = may_lay_roads_now(g, seat) & holds(kinds, ROAD_BUILDING)
    word = only_if(holds(kinds, KNIGHT), bit(KNIGHT_ACTION))
    word |= only_if(lays_roads, bit(ROAD_BUILDING_ACTION))
    word |= only_if(holds(kinds, MONOPOLY), MONOPOLIES)
    if holds(kinds, YEAR_OF_PLENTY):
        for pair in range(PAIR_COUNT):
            word |= only_if(can_take_pair(g, pair), bit(YEAR_OF_PLENTY_START + pair))
    return word


@inline
def may_lay_roads_now(g, seat):
    """True if Road Building may be played."""
    if g.free_roads_at_once:
        return has_road_spot(g, seat)
    return g.phase == MAIN


@inline
def total_points(g, seat):
    """Points on the table plus victory point cards in hand (C010, C157)."""
    return g.points[seat] + g.cards[seat, VICTORY_POINT]
