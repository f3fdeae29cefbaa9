"""The rules as compiled functions: dealing, hints, playing and discarding, the end of the game.

`g` is a game, `s` its sheet (native.memory). Cases are those of docs/hanabi.md.
"""

from catan_env.guests.hanabi.action import ActionKind
from catan_env.guests.hanabi.native.memory import NOBODY, PLACES
from catan_env.kernel.bits import ONE, lowest_bit, only_if
from catan_env.kernel.jit import compiled, inline
from catan_env.kernel.rng import below_at

DISCARD, PLAY, HINT_COLOUR = ActionKind.DISCARD.value, ActionKind.PLAY.value, 2
KIND_BITS = 4  # one bit each for play, discard, colour and number in the last action


@inline
def shuffle(g, s):
    """Shuffle the box into the deck with the game's seed."""
    size = s.box_size
    for k in range(size):
        g.deck[k] = s.box[k]
    for k in range(size - 1):
        j = k + below_at(g.seed, k, size - k)
        card = g.deck[k]
        g.deck[k] = g.deck[j]
        g.deck[j] = card


@inline
def draw(g, s, seat):
    """Draw a card; it is the newest of the hand, without any hints (H015, H033)."""
    card = g.deck[s.box_size - g.left]
    g.left -= 1
    place = g.count[seat]
    g.hand[seat, place] = ONE << card
    g.knowledge[seat, place] = s.any_card
    g.count[seat] = place + 1


@inline
def note_shows(g, s, seat):
    """Record the hints that touch a card of the hand."""
    cards = 0 * ONE
    for place in range(PLACES):
        cards |= g.hand[seat, place]
    shows = 0 * ONE
    for hint in range(s.hints):
        shows |= only_if((cards & s.hint_cards[hint]) != 0, ONE << hint)
    g.shows[seat] = shows


@compiled
def deal(g, s):
    """Start with the deck in its order: hands, tokens, no card played (H001-H003)."""
    g.left, g.tokens = s.box_size, s.max_tokens
    g.playable = s.first_cards
    g.turns_left = -1
    g.last_seat = g.last_target = NOBODY
    for seat in range(s.players):
        for _ in range(s.places):
            draw(g, s, seat)
        note_shows(g, s, seat)
    if g.left == 0:
        g.turns_left = s.players
    write_mask(g, s)


@inline
def write_mask(g, s):
    """Record the acting seat's actions in the official rules (H004, H010-H013, H021, H048)."""
    own = (ONE << g.count[g.seat]) - 1
    after_colours = 2 * s.places + s.colours * (s.players - 1)
    hints = 0 * ONE
    for step in range(s.players - 1):
        seat = g.seat + 1 + step
        seat -= s.players * (seat >= s.players)
        shows = ONE * g.shows[seat]
        hints |= (shows & ((ONE << s.colours) - 1)) << (2 * s.places + s.colours * step)
        hints |= (shows >> s.colours) << (after_colours + s.ranks * step)
    mask = own << s.places
    mask |= only_if(g.tokens < s.max_tokens, own)
    mask |= only_if(g.tokens > 0, hints)
    g.mask = only_if(g.over == 0, mask)


@inline
def hint(g, s, which, target):
    """Spend a token on a hint; each card of the hand is marked as matching or not (H010, H011)."""
    seat = g.seat + target
    seat -= s.players * (seat >= s.players)
    cards, name = s.hint_cards[which], s.hint_name[which]
    touched = 0 * ONE
    for place in range(s.places):
        known = g.knowledge[seat, place]
        if g.hand[seat, place] & cards != 0:
            g.knowledge[seat, place] = (known & ~(s.any_card & ~cards)) | name
            touched |= ONE << place
        else:
            g.knowledge[seat, place] = known & ~cards
    g.tokens -= 1
    g.last_target = seat
    after_target = 2 * s.players + KIND_BITS
    kind = 2 + (which >= s.colours)
    g.last = (
        (ONE << (s.players + kind))
        | s.hint_last[which]
        | touched << (after_target + s.suits + s.ranks)
    )
    g.last_card = 0


@inline
def place_card(g, s, card):
    """Play a card; the highest of a colour returns a token below the maximum (H030, H032)."""
    is_last = (s.last_cards & card) != 0
    gains = is_last and g.tokens < s.max_tokens
    g.tops = (g.tops & ~only_if((s.first_cards & card) == 0, card >> 1)) | card
    g.playable = (g.playable & ~card) | only_if(not is_last, card << 1)
    g.points += 1
    g.tokens += gains
    return gains


@inline
def use_card(g, s, place, plays):
    """Discard or play a card (H020, H030, H031, H045)."""
    seat = g.seat
    card = ONE * g.hand[seat, place]
    number = lowest_bit(card)
    for k in range(PLACES):
        after = k + (k >= place)
        g.hand[seat, k] = g.hand[seat, after]
        g.knowledge[seat, k] = g.knowledge[seat, after]
    g.count[seat] -= 1
    is_placed = plays and (g.playable & card) != 0
    gains = False
    if is_placed:
        gains = place_card(g, s, card)
    else:
        free = s.pile[number] & ~g.discards
        g.discards |= free & -free
        g.mistakes += plays
        g.tokens += (not plays) and g.tokens < s.max_tokens
    after_hint = 2 * s.players + KIND_BITS + s.suits + s.ranks + s.places
    g.last_target = NOBODY
    g.last = (ONE << (s.players + (not plays))) | ONE << (after_hint + place)
    g.last_card = card | (ONE * is_placed) << s.kinds | (ONE * gains) << (s.kinds + 1)


@inline
def draw_after(g, s, seat):
    """Draw if a card is left; the last one starts the final round (H042)."""
    if g.left > 0:
        draw(g, s, seat)
        if g.left == 0:
            g.turns_left = s.players + 1
    note_shows(g, s, seat)


@inline
def score(g, s):
    """The score of the game so far (H040, H046)."""
    return g.points * (g.mistakes < s.errors or s.keeps_score != 0)


@inline
def play(g, s, action):
    """Play an allowed action and pass the turn, or end the game (H040-H043)."""
    seat, kind = g.seat, s.kind[action]
    if kind >= HINT_COLOUR:
        hint(g, s, s.value[action], s.target[action])
    else:
        use_card(g, s, s.value[action], kind == PLAY)
        draw_after(g, s, seat)
    g.turns_left -= g.turns_left > 0
    g.moves += 1
    g.last_seat = seat
    is_complete = g.points == s.max_points and s.ends_complete != 0
    g.over = g.mistakes == s.errors or is_complete or g.turns_left == 0
    seat += 1
    g.seat = seat - s.players * (seat == s.players)
    write_mask(g, s)


@inline
def is_allowed(g, s, action):
    """True if the rules allow this action: one of the mask, or one that an option allows.

    `action` may be any number.
    """
    if not 0 <= action < s.actions or g.over != 0:
        return False
    if g.mask >> action & 1:
        return True
    if s.kind[action] == DISCARD:
        return s.discard_at_max != 0 and s.value[action] < g.count[g.seat]
    return s.kind[action] >= HINT_COLOUR and s.empty_hints != 0 and g.tokens > 0
