"""Random games, checked at every step by compiled loops.

Each loop plays the games of `starts`, one row of bytes per game at its start, in a few `slots` of
memory; `raw` is the same memory as rows of bytes. It stops at the first fault and writes the game,
step, fault and action to `report`. `styles` are the games' ways to choose actions.
"""

from catan_env.core.actions import (
    BIT_OF,
    NUM_ACTIONS,
    OFFER_WORD,
    ROBBER_WORD,
    WORD_OF,
    WORD_START,
    WORDS,
)
from catan_env.core.constants import (
    DRAW,
    FREE_ROAD,
    HIDDEN,
    MAIN,
    NOBODY,
    NOTHING,
    OVER,
    ROBBER,
    ROLL,
    VICTORY_POINT,
)
from catan_env.core.doors import (
    begin_game,
    declare_winner,
    next_table_action,
    observe_game,
    play,
    redact,
)
from catan_env.core.mask import write_mask
from catan_env.kernel.bits import count_bits, nth_bit
from catan_env.kernel.rng import PICK_STREAM, below_at, u64
from tests.core.faults import (
    COPY,
    LARGEST_ARMY,
    LEAK,
    LONGEST_ROAD,
    MASK,
    NONE,
    OBSERVATION,
    REPLAY,
    TURNED,
    VIEW,
    WHO_DECIDES,
    WIN,
    YIELD,
)
from tests.core.keep import loop, slow
from tests.core.legality import is_legal_by_the_book, seat_to_decide
from tests.core.recompute import (
    DECK,
    cards_fault,
    has,
    owner_of_largest_army,
    owner_of_longest_road,
    pieces_fault,
    read_pieces,
    road_fault,
    roll_fault,
    sets_fault,
    tiles_fault,
)

ANY_ACTION, ANY_KIND, BUILDER = range(3)  # ways to choose
ROLL_ACTION, END_TURN, BUY = range(3)
OTHER_SEED = 0x5EED


@slow
def choose(g, style, n):
    """The n-th choice of a game: a random action of the mask."""
    left = 0
    for k in range(WORDS):
        left += count_bits(g.mask[k])
    if style == ANY_ACTION:
        k, left = 0, below_at(g.seed, PICK_STREAM + 2 * n, left)
        while left >= count_bits(g.mask[k]):
            left -= count_bits(g.mask[k])
            k += 1
        return WORD_START[k] + nth_bit(g.mask[k], left)
    k = choose_kind(g, style, n)
    return WORD_START[k] + nth_bit(
        g.mask[k], below_at(g.seed, PICK_STREAM + 2 * n + 1, count_bits(g.mask[k]))
    )


@slow
def choose_kind(g, style, n):
    """A random word of the mask: uniform over kinds, or half of the time one that builds."""
    first, last = 0, OFFER_WORD + 1
    builds = g.mask[1] | g.mask[2] | g.mask[3] | g.mask[4]
    if style == BUILDER and builds != 0 and below_at(g.seed, PICK_STREAM + 2 * n + 1, 2) == 0:
        first, last = 1, ROBBER_WORD
    kinds = 0
    for k in range(first, last):
        kinds += g.mask[k] != 0
    left = below_at(g.seed, PICK_STREAM + 2 * n, kinds)
    for k in range(first, last):
        if g.mask[k] != 0:
            if left == 0:
                return k if k < OFFER_WORD else choose_offers(g, n)
            left -= 1
    return -1


@slow
def choose_offers(g, n):
    """A random word of offers that is not empty."""
    k = OFFER_WORD + below_at(g.seed, PICK_STREAM + 2 * n + 1, WORDS - OFFER_WORD)
    return k if g.mask[k] != 0 else OFFER_WORD


@slow
def next_action(slots, i, style, n):
    """The next action in game `i`: the fixed rule's decision or a seat's choice."""
    decided = next_table_action(slots, i)
    return decided if decided >= 0 else choose(slots[i], style, n)


@slow
def put(raw, to, row):
    """Overwrite a slot."""
    for k in range(raw.shape[1]):
        raw[to, k] = row[k]


@slow
def same(raw, a, b):
    """True if two slots contain the same bytes."""
    for k in range(raw.shape[1]):
        if raw[a, k] != raw[b, k]:
            return False
    return True


@loop
def play_out(slots, raw, starts, styles, ends):
    """Play every game; `ends` become the bytes of each at its end."""
    for n in range(len(starts)):
        put(raw, 0, starts[n])
        begin_game(slots, 0)
        step = 0
        while slots[0].phase != OVER:
            play(slots, 0, next_action(slots, 0, styles[n], step), DRAW)
            step += 1
        for k in range(raw.shape[1]):
            ends[n, k] = raw[0, k]


# Checks of facts: slot 0 is the game, 1 the position whose pieces were checked last, 2 the game
# with all cards dealt differently, 3 the result of an action there, 4 the start of the last action.
# `of_pieces` are the bytes that change only with pieces; `boards` and `trails` are one record each.


@loop
def watch_facts(slots, raw, starts, styles, of_pieces, boards, trails, report):
    """Check every position: cards, pieces, everything derived from them, mask and awards."""
    for n in range(len(starts)):
        put(raw, 0, starts[n])
        begin_game(slots, 0)
        board, trail = boards[0], trails[0]
        forget_pieces(raw)
        step, action = 0, -1
        fault = position_fault(slots, raw, 0, of_pieces, board, trail)
        while fault == NONE and slots[0].phase != OVER:
            action = next_action(slots, 0, styles[n], step)
            fault = action_fault(slots, raw, 0, action)
            if fault == NONE:
                fault = position_fault(slots, raw, 0, of_pieces, board, trail)
            step += 1
        if fault != NONE:
            report[0], report[1], report[2], report[3] = n, step, fault, action
            return


@loop
def watch_deals(slots, raw, starts, styles, of_pieces, boards, trails, report):
    """Check every 16th position with its cards dealt differently, sometimes with all successors."""
    for n in range(len(starts)):
        put(raw, 0, starts[n])
        begin_game(slots, 0)
        forget_pieces(raw)
        step, fault = 0, NONE
        while fault == NONE and slots[0].phase != OVER:
            if step % 16 == n % 16:
                fault = other_cards_fault(slots, raw, step, of_pieces, boards[0], trails[0])
            play(slots, 0, next_action(slots, 0, styles[n], step), DRAW)
            step += 1
        if fault != NONE:
            report[0], report[1], report[2], report[3] = n, step - 1, fault, -1
            return


@slow
def forget_pieces(raw):
    """Mark nothing as checked."""
    for k in range(raw.shape[1]):
        raw[1, k] = 0


@slow
def other_cards_fault(slots, raw, step, of_pieces, board, trail):
    """The fault in the game with its cards dealt differently, or after any action there."""
    g = slots[2]
    put(raw, 2, raw[0])
    if g.phase != MAIN and g.phase != ROLL and g.phase != ROBBER and g.phase != FREE_ROAD:
        return NONE
    deal_otherwise(g, step)
    write_mask(g)
    fault = position_fault(slots, raw, 2, of_pieces, board, trail)
    if step % 512 < 16:
        for action in range(NUM_ACTIONS):
            if fault == NONE and has(g.mask[WORD_OF[action]], BIT_OF[action]):
                put(raw, 3, raw[2])
                fault = action_fault(slots, raw, 3, action)
                if fault == NONE:
                    fault = position_fault(slots, raw, 3, of_pieces, board, trail)
    return fault


@slow
def deal_otherwise(g, n):
    """Deal other hands of resource and development cards; often bank and deck are almost empty."""
    draw = PICK_STREAM + 1000 * n
    left = below_at(OTHER_SEED, draw, 5)
    for r in range(5):
        g.bank[r] = min(left, 19)
        if below_at(OTHER_SEED, draw + 1 + r, 3) > 0:
            g.bank[r] = below_at(OTHER_SEED, draw + 6 + r, 2) * below_at(g.seed, draw, 2)
        g.deck[r] = 0
        for seat in range(g.seats):
            g.hand[seat, r], g.cards[seat, r], g.known[seat, r] = 0, 0, 0
        for k in range(19 - g.bank[r]):
            g.hand[below_at(OTHER_SEED, draw + 20 * r + 20 + k, g.seats), r] += 1
        cards_left = DECK[r]
        for seat in range(g.seats):
            if r < 4:
                cards_left -= g.played[seat, r]
        for k in range(cards_left):
            seat = below_at(OTHER_SEED, draw + 20 * r + 140 + k, g.seats + 1)
            if seat == g.seats:
                g.deck[r] += 1
            else:
                g.cards[seat, r] += 1
        g.new_cards[r] = below_at(OTHER_SEED, draw + 260 + r, 1 + g.cards[g.turn_seat, r])
    g.deck_size = g.deck[0] + g.deck[1] + g.deck[2] + g.deck[3] + g.deck[4]
    for seat in range(g.seats):
        g.hand_size[seat], g.card_count[seat] = 0, 0
        for r in range(5):
            g.hand_size[seat] += g.hand[seat, r]
            g.card_count[seat] += g.cards[seat, r]
    g.card_played = below_at(OTHER_SEED, draw + 270, 2)
    if g.free_roads_at_once == 0:
        g.free_roads = min(below_at(OTHER_SEED, draw + 271, 3), g.pieces[g.turn_seat, 0])


@slow
def position_fault(slots, raw, i, of_pieces, board, trail):
    """The fault in the game's position."""
    g = slots[i]
    fault = cards_fault(g)
    if fault == NONE and pieces_changed(raw, i, of_pieces):
        fault = read_pieces(g, board)
        if fault == NONE:
            fault = pieces_fault(g, board)
        if fault == NONE:
            fault = sets_fault(g, board)
        if fault == NONE:
            fault = road_fault(g, board, trail)
        if fault == NONE:
            fault = tiles_fault(g)
    if fault == NONE:
        fault = mask_fault(g, board)
    return fault


@slow
def pieces_changed(raw, i, of_pieces):
    """True if the pieces have changed since the last call."""
    changed = False
    for k in of_pieces:
        if raw[i, k] != raw[1, k]:
            changed = True
            raw[1, k] = raw[i, k]
    return changed


@slow
def mask_fault(g, board):
    """Check the mask against the book, index by index, and that some seat has a decision."""
    legal = 0
    for k in range(WORDS):
        word = g.mask[k]
        end = WORD_START[k + 1] if k + 1 < WORDS else NUM_ACTIONS
        for action in range(WORD_START[k], end):
            allowed = is_legal_by_the_book(g, board, action)
            if allowed != (word % 2 == 1):
                return MASK
            legal += allowed
            word >>= 1
        if word != 0:
            return MASK
    if g.phase != OVER and (legal == 0 or g.seat != seat_to_decide(g)):
        return WHO_DECIDES
    return NONE


@slow
def total(g, seat):
    """A seat's points, including hidden ones."""
    return g.points[seat] + g.cards[seat, VICTORY_POINT]


@slow
def action_fault(slots, raw, i, action):
    """Play the action; the fault in the production, the awards and the end after it."""
    g = slots[i]
    put(raw, 4, raw[i])
    road, army, seat = int(g.longest_road), int(g.largest_army), int(g.turn_seat)
    play(slots, i, action, DRAW)
    if action == ROLL_ACTION and roll_fault(slots[4], g) != NONE:
        return YIELD
    if g.longest_road != owner_of_longest_road(g, road):
        return LONGEST_ROAD
    if g.largest_army != owner_of_largest_army(g, army):
        return LARGEST_ARMY
    looked = g.turn > 0 if g.win_at_once else action == END_TURN
    winner = int(g.turn_seat) if g.win_at_once else seat
    if looked and total(g, winner) >= g.points_to_win:
        return NONE if g.phase == OVER and g.winner == winner else WIN
    return NONE if g.phase != OVER and g.winner == NOBODY else WIN


# Checks of views: slot 0 is the game, 1 a seat's view of it, 2 a game that differs only in what
# is hidden from the seat, 3 to 6 each seat's view as followed from the events that it saw.


@loop
def watch_eyes(slots, raw, starts, styles, seen, highest, report):
    """Check every event: what each seat saw of it gives exactly what the seat may know.

    `seen` (3, OBSERVATION_SIZE) int8 is scratch; `highest` (OBSERVATION_SIZE,) int8 becomes the
    highest value of each entry of an observation.
    """
    for n in range(len(starts)):
        put(raw, 0, starts[n])
        begin_game(slots, 0)
        g = slots[0]
        for viewer in range(g.seats):
            put(raw, 3 + viewer, raw[0])
            redact(slots, 3 + viewer, viewer)
        step, action, fault = 0, -1, NONE
        while fault == NONE and g.phase != OVER:
            action = next_action(slots, 0, styles[n], step)
            seat = int(g.seat)
            outcome = play(slots, 0, action, DRAW)
            for viewer in range(g.seats):
                shown = shown_to(viewer, seat, action, outcome, g.seats)
                follow(slots, viewer, action, shown, g.winner)
                put(raw, 1, raw[0])
                redact(slots, 1, viewer)
                if not same(raw, 1, 3 + viewer):
                    fault = VIEW
            if fault == NONE:
                fault = eye_fault(slots, raw, step % g.seats, step, seen, highest)
            step += 1
        if fault != NONE:
            report[0], report[1], report[2], report[3] = n, step, fault, action
            return


@slow
def shown_to(viewer, seat, action, outcome, seats):
    """The outcome of an action of `seat` as `viewer` sees it."""
    if outcome == NOTHING:
        return DRAW
    if action == BUY and viewer != seat:
        return HIDDEN
    if WORD_START[ROBBER_WORD] <= action < WORD_START[OFFER_WORD]:
        victim = (seat + (action - WORD_START[ROBBER_WORD]) % 4) % seats
        if viewer != seat and viewer != victim:
            return HIDDEN
    return outcome


@slow
def follow(slots, viewer, action, outcome, winner):
    """The same as `SeatView.apply`."""
    view = slots[3 + viewer]
    if winner != NOBODY:
        view.winner = winner
    play(slots, 3 + viewer, action, outcome)
    if winner != NOBODY:
        declare_winner(slots, 3 + viewer, winner)
    redact(slots, 3 + viewer, viewer)


@slow
def eye_fault(slots, raw, viewer, step, seen, highest):
    """True if the observation is the same from the game, the view and another hidden state."""
    put(raw, 2, raw[0])
    hide_otherwise(slots[2], viewer, step)
    observe_game(slots, 0, viewer, seen[0:1])
    observe_game(slots, 3 + viewer, viewer, seen[1:2])
    observe_game(slots, 2, viewer, seen[2:3])
    for k in range(seen.shape[1]):
        if seen[0, k] < 0 or seen[0, k] != seen[1, k]:
            return OBSERVATION
        if seen[0, k] != seen[2, k]:
            return LEAK
        highest[k] = max(highest[k], seen[0, k])
    redact(slots, 2, viewer)
    return NONE if same(raw, 2, 3 + viewer) else LEAK


@slow
def hide_otherwise(g, viewer, n):
    """Deal other hands and cards, another deck and another seed, of the same sizes."""
    draw = PICK_STREAM + 1000 * n
    for seat in range(g.seats):
        if seat != viewer:
            for k in range(5):
                g.hand[seat, k] = 0
                g.cards[seat, k] = 0
            for _ in range(g.hand_size[seat]):
                draw += 1
                g.hand[seat, below_at(OTHER_SEED, draw, 5)] += 1
            for _ in range(g.card_count[seat]):
                draw += 1
                g.cards[seat, below_at(OTHER_SEED, draw, 5)] += 1
    bought = 0
    for k in range(5):
        g.deck[k] = 0
        bought += g.new_cards[k]
    if g.turn_seat != viewer:
        for k in range(5):
            g.new_cards[k] = 0
        for k in range(bought):
            g.new_cards[below_at(OTHER_SEED, draw + 100 + k, 5)] += 1
    for k in range(g.deck_size):
        g.deck[below_at(OTHER_SEED, draw + 200 + k, 5)] += 1
    g.seed = u64(OTHER_SEED)
    g.draws += 1


# Checks of futures: slot 0 is the game, 1 the same with all outcomes given, 2 a copy made during
# play, 3 the same with all seats moved by `turn`.


@loop
def watch_futures(slots, raw, starts, styles, turn, seen, ends, report):
    """Check every step: given outcomes equal drawn ones, copies have one future, seats are equal.

    `ends` (2, n, bytes) become the bytes of each game and of its rotated twin at the end.
    """
    for n in range(len(starts)):
        g = slots[0]
        for i in range(4):
            put(raw, i, starts[n])
        slots[3].first_seat = (g.first_seat + turn) % g.seats
        for i in range(4):
            begin_game(slots, i)
        step, action, fault = 0, -1, NONE
        while fault == NONE and g.phase != OVER:
            action = next_action(slots, 0, styles[n], step)
            outcome = play(slots, 0, action, DRAW)
            slots[1].seed = u64(OTHER_SEED)
            play(slots, 1, action, DRAW if outcome == NOTHING else outcome)
            slots[1].seed = g.seed
            if step == 8 * (n % 100):
                put(raw, 2, raw[0])
            elif step > 8 * (n % 100):
                play(slots, 2, action, DRAW)
            play(slots, 3, action, DRAW)
            if not same(raw, 0, 1):
                fault = REPLAY
            elif step >= 8 * (n % 100) and not same(raw, 0, 2):
                fault = COPY
            else:
                fault = turn_fault(slots, step % g.seats, turn, seen)
            step += 1
        for k in range(raw.shape[1]):
            ends[0, n, k], ends[1, n, k] = raw[0, k], raw[3, k]
        if fault != NONE:
            report[0], report[1], report[2], report[3] = n, step, fault, action
            return


@slow
def turn_fault(slots, viewer, turn, seen):
    """True if the rotated twin has the same legal actions and observation."""
    g, twin = slots[0], slots[3]
    for k in range(WORDS):
        if g.mask[k] != twin.mask[k]:
            return TURNED
    observe_game(slots, 0, viewer, seen[0:1])
    observe_game(slots, 3, (viewer + turn) % g.seats, seen[1:2])
    for k in range(seen.shape[1]):
        if seen[0, k] != seen[1, k]:
            return TURNED
    return NONE
