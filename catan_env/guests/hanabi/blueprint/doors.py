"""The functions that Python calls: decisions, whole games, and playouts from a seat's view.

Every function works on the games or worlds `start <= i < stop`, releases the GIL and allocates
nothing. `pictures` are blocks of `blueprint.memory`, `games` those of `native.memory`.
"""

from catan_env.guests.hanabi.blueprint.conventions import clear, play_and_follow
from catan_env.guests.hanabi.blueprint.decision import decide
from catan_env.guests.hanabi.native.doors import begin_anew
from catan_env.guests.hanabi.native.memory import MOST_CARDS, PLACES
from catan_env.guests.hanabi.native.turn import note_shows, score, write_mask
from catan_env.kernel.bits import ONE
from catan_env.kernel.jit import compiled, door, inline
from catan_env.kernel.rng import below_at, i64, word_at

TRIES = 60  # at a hand that the conventions and the past allow, before the best one is taken
SPARE = MOST_CARDS - PLACES  # where a world remembers a hand: no world has that many cards


@door
def clear_pictures(pictures, sheet, start, stop):
    """Write the pictures before the first action into blank blocks."""
    for i in range(start, stop):
        clear(pictures[i], sheet[0])


@door
def choose(games, pictures, sheet, actions, start, stop):
    """Write the decision of the seat to move in each game: (n,) int64."""
    for i in range(start, stop):
        actions[i] = decide(pictures[i], games[i], sheet[0])


@door
def play_actions(games, pictures, sheet, actions, start, stop):
    """Play an allowed action in each game."""
    for i in range(start, stop):
        play_and_follow(pictures[i], games[i], sheet[0], actions[i])


@inline
def play_on(p, g, s):
    """Play a game to its end by the conventions."""
    while g.over == 0:
        play_and_follow(p, g, s, decide(p, g, s))


@door
def play_games(games, blank, pictures, sheet, seeds, scores, start, stop):
    """Play whole games with these seeds, (n,) uint64, in place 0."""
    s = sheet[0]
    for k in range(start, stop):
        begin_anew(games, 0, blank, sheet, seeds[k])
        pictures[0] = pictures[1]
        clear(pictures[0], s)
        play_on(pictures[0], games[0], s)
        scores[k] = score(games[0], s)


@door
def draw_worlds(
    games, pictures, base, sheet, masks, hints, left, past, past_pictures, past_hands,
    past_actions, seed, worlds, start, stop,
):  # fmt: skip
    """Draw the unknown cards at random: `worlds[i]` is the acting seat's hand, then the deck.

    `masks` and `hints` are the possible identities of each own card, by the conventions and by
    hints alone; `left` counts the unseen copies of each kind, and is left as it was. `past` are
    games before other seats' actions, (m,), in which the acting seat's cards are `past_hands`
    (m, PLACES): places of the hand, or -1 - kind for cards known by now. The hand drawn is the
    first of TRIES with which `best` would have played all `past_actions`, or else the most of them
    from the last one back. Games and pictures are used in place 0.
    """
    s, g = sheet[0], base[0]
    for i in range(start, stop):
        most = -1
        for attempt in range(TRIES):
            wanted = masks if attempt < TRIES - 2 or most > 0 else hints
            fits = draw_hand(g, s, wanted, left, word_at(seed, i * 64 + attempt), worlds, i)
            if not fits and most >= 0:
                continue
            agreed = 0
            if fits:
                agreed = 1 + agreeing(
                    games, pictures, s, g.seat, past, past_pictures, past_hands, past_actions,
                    worlds, i,
                )  # fmt: skip
            if agreed > most:
                most = agreed
                for place in range(PLACES):
                    worlds[i, SPARE + place] = worlds[i, place]
            if agreed > len(past_actions):
                break
        for place in range(PLACES):
            worlds[i, place] = worlds[i, SPARE + place]
        fill_deck(g, s, left, word_at(seed, i * 64 + 63), worlds, i)


@compiled
def agreeing(
    games, pictures, s, seat, past, past_pictures, past_hands, past_actions, worlds, i
):  # fmt: skip
    """The number of actions, from the last one back, that `best` would have played."""
    count = len(past_actions)
    for k in range(count):
        m = count - 1 - k
        games[0] = past[m]
        pictures[0] = past_pictures[m]
        recall(games[0], s, seat, past_hands, m, worlds, i)
        if decide(pictures[0], games[0], s) != past_actions[m]:
            return k
    return count


@compiled
def recall(g, s, seat, past_hands, m, worlds, i):
    """Put the cards that a seat held at a past position into its hand there."""
    for place in range(g.count[seat]):
        at = past_hands[m, place]
        kind = worlds[i, min(at, PLACES - 1)] if at >= 0 else -1 - at
        g.hand[seat, place] = ONE << kind
    for other in range(s.players):
        note_shows(g, s, other)
    write_mask(g, s)


@compiled
def draw_hand(g, s, masks, left, seed, worlds, i):
    """Draw the acting seat's hand into `worlds[i]`; False if no card was left for a place.

    The cards that fit their places are weighted by the copies left; the hand is then of unseen
    cards in any case.
    """
    fits, drawn, count = True, 0, g.count[g.seat]
    for k in range(count):
        place = (k + i64(seed >> 32) % count) % count
        every = 0
        for kind in range(s.kinds):
            every += left[kind] * (masks[place] >> kind & 1)
        is_any = every == 0
        if is_any:
            fits = False
            for kind in range(s.kinds):
                every += left[kind]
        rank = below_at(seed, k, every)
        for kind in range(s.kinds):
            if is_any or masks[place] >> kind & 1:
                rank -= left[kind]
                if rank < 0:
                    worlds[i, place] = kind
                    left[kind] -= 1
                    drawn += 1
                    break
    for place in range(count):
        left[worlds[i, place]] += 1
    return fits


@compiled
def fill_deck(g, s, left, seed, worlds, i):
    """Write the unseen cards that are not in the hand of `worlds[i]` behind it, shuffled."""
    count = g.count[g.seat]
    for place in range(count):
        left[worlds[i, place]] -= 1
    at = ONE * count
    for kind in range(s.kinds):
        for _ in range(left[kind]):
            if at < MOST_CARDS:
                worlds[i, at] = kind
                at += 1
    for place in range(count):
        left[worlds[i, place]] += 1
    for k in range(at - count - 1):
        j = k + below_at(seed, k, at - count - k)
        card = worlds[i, count + k]
        worlds[i, count + k] = worlds[i, count + j]
        worlds[i, count + j] = card


@compiled
def enter(g, s, worlds, i):
    """Put the cards of `worlds[i]` into the acting seat's hand and the deck."""
    count = g.count[g.seat]
    for place in range(count):
        g.hand[g.seat, place] = ONE << worlds[i, place]
    for k in range(g.left):
        g.deck[s.box_size - g.left + k] = worlds[i, count + k]
    for seat in range(s.players):
        note_shows(g, s, seat)
    write_mask(g, s)


@door
def enter_worlds(games, sheet, worlds, start, stop):
    """Put the cards of world i into game i, the view of its acting seat."""
    for i in range(start, stop):
        enter(games[i], sheet[0], worlds, i)


@door
def try_actions(games, pictures, base, picture, sheet, worlds, actions, scores, start, stop):
    """Play each of the actions, (m,), in each world, and then on by the conventions.

    `base` and `picture` are the acting seat's view; games and pictures are used in place 0. Writes
    the final scores: (n, m) int8.
    """
    s = sheet[0]
    for i in range(start, stop):
        for k in range(len(actions)):
            games[0] = base[0]
            pictures[0] = picture[0]
            enter(games[0], s, worlds, i)
            play_and_follow(pictures[0], games[0], s, actions[k])
            play_on(pictures[0], games[0], s)
            scores[i, k] = score(games[0], s)
