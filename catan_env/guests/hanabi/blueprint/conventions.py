"""The picture as compiled functions: what hints mean, and what plays and discards change.

`p` is a picture (blueprint.memory), `g` a game and `s` its sheet (native.memory). The meaning of
everything is explained in `policies.conventions`; a test compares the two.
"""

from catan_env.guests.hanabi.native.turn import HINT_COLOUR, PLAY, play
from catan_env.kernel.bits import ONE, count_bits, lowest_bit
from catan_env.kernel.jit import compiled, inline

NONE = -1  # no place


@compiled
def clear(p, s):
    """The picture before the first action."""
    for seat in range(s.players):
        for place in range(s.places):
            p.possible[seat, place] = s.any_card
            p.hinted[seat, place] = s.any_card
    recount(p, s)
    p.expected = p.placeable


@compiled
def recount(p, s):
    """Recompute the cards that can be placed now, never, or are the last of their kind."""
    placeable = useless = last = 0 * ONE
    for colour in range(s.suits):
        is_open = True
        for below in range(s.ranks):
            kind = colour * s.ranks + below
            left = count_bits(s.pile[kind]) - p.gone[kind]
            if below < p.tops[colour] or not is_open or left == 0:
                useless |= ONE << kind
                is_open = is_open and below < p.tops[colour]
            else:
                placeable |= (ONE * (below == p.tops[colour])) << kind
                last |= (ONE * (left == 1)) << kind
    p.placeable, p.useless, p.last = placeable, useless, last


@inline
def narrowed(possible, cards):
    """The identities among `cards`, if any of them is possible."""
    kept = possible & cards
    return kept if kept != 0 else possible


@inline
def useful(p, possible, is_touched):
    """The possible identities, without the useless ones if a hint has touched the card."""
    return narrowed(possible, ~p.useless) if is_touched else possible


@inline
def is_known_placeable(p, possible, is_touched):
    """True if the card is known to all players to be placeable."""
    return useful(p, possible, is_touched) & ~p.placeable == 0


@inline
def following(s, cards):
    """The next number of each of these cards."""
    return (cards & ~s.last_cards) << 1


@compiled
def note_expected(p, s):
    """Record the cards that can be placed now, or after others that all players know."""
    known = 0 * ONE
    for seat in range(s.players):
        for place in range(s.places):
            if is_touched(p, seat, place):
                cards = useful(p, p.possible[seat, place], True)
                known |= cards * (count_bits(cards) == 1)
    expected, before = p.placeable, 0 * ONE
    while expected != before:
        before = expected
        expected |= following(s, known & before) & ~p.useless
    p.expected = expected


@inline
def is_touched(p, seat, place):
    """True if a hint has touched the card."""
    return p.touched[seat] >> place & 1 != 0


@compiled
def chop(p, g, seat):
    """The place of the card that a seat would discard next, or NONE."""
    for place in range(g.count[seat]):
        if p.possible[seat, place] & ~p.useless == 0:
            return place
    for place in range(g.count[seat]):
        if not is_touched(p, seat, place):
            return place
    return NONE


@compiled
def focus_of(p, g, seat, touched):
    """The place of the card that a hint is about, or NONE."""
    fresh, focus = touched & ~p.touched[seat], NONE
    for place in range(g.count[seat]):
        if fresh != 0:
            if fresh >> place & 1:
                focus = place
        elif touched >> place & 1 and not is_known_placeable(p, p.possible[seat, place], True):
            focus = place
    return focus


@inline
def touched_by(g, s, seat, which):
    """The places of a hand that a hint touches."""
    touched = 0 * ONE
    for place in range(g.count[seat]):
        if g.hand[seat, place] & s.hint_cards[which] != 0:
            touched |= ONE << place
    return touched


@compiled
def try_hint(p, g, s, seat, which):
    """Write the hand of a seat after a hint to it as the picture's trial."""
    cards, touched = s.hint_cards[which], touched_by(g, s, seat, which)
    first, focus = chop(p, g, seat), focus_of(p, g, seat, touched)
    warns = first != NONE and touched >> max(first, 0) & 1 != 0
    warns = warns and which >= s.colours and p.last & cards != 0
    for place in range(g.count[seat]):
        touches = touched >> place & 1 != 0
        known = cards if touches else s.any_card & ~cards
        hinted = p.hinted[seat, place] & known
        possible = p.possible[seat, place] & known
        if possible == 0:
            possible = hinted
        if touches:
            if warns and place == first:
                possible = narrowed(possible, p.last | p.placeable)
            elif not warns and place == focus:
                possible = narrowed(possible, p.expected)
            possible = narrowed(possible, ~p.useless)
        p.trial_possible[place] = possible
        p.trial_hinted[place] = hinted
    p.trial_touched = p.touched[seat] | touched


@compiled
def follow(p, g, s, action):
    """Apply an action to the picture, before it is played in the game."""
    if s.kind[action] >= HINT_COLOUR:
        seat = g.seat + s.target[action]
        seat -= s.players * (seat >= s.players)
        try_hint(p, g, s, seat, s.value[action])
        for place in range(g.count[seat]):
            p.possible[seat, place] = p.trial_possible[place]
            p.hinted[seat, place] = p.trial_hinted[place]
        p.touched[seat] = p.trial_touched
    else:
        use_card(p, g, s, s.value[action], s.kind[action] == PLAY)
    note_expected(p, s)


@inline
def use_card(p, g, s, place, plays):
    """Apply a play or a discard."""
    seat, count = g.seat, g.count[g.seat]
    card = ONE * g.hand[seat, place]
    kind = lowest_bit(card)
    if plays and g.playable & card != 0:
        p.tops[kind // s.ranks] = kind % s.ranks + 1
    else:
        p.gone[kind] += 1
    for k in range(place, count - 1):
        p.possible[seat, k] = p.possible[seat, k + 1]
        p.hinted[seat, k] = p.hinted[seat, k + 1]
    p.possible[seat, count - 1] = p.hinted[seat, count - 1] = s.any_card
    below = (ONE << place) - 1
    p.touched[seat] = p.touched[seat] & below | p.touched[seat] >> 1 & ~below
    recount(p, s)


@inline
def play_and_follow(p, g, s, action):
    """Play an allowed action."""
    follow(p, g, s, action)
    play(g, s, action)
