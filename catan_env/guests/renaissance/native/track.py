"""The faith track: markers, pope reports, points."""

from catan_env.guests.renaissance.native.cards import LEADER_POINTS, POINTS
from catan_env.guests.renaissance.native.state import ACTIVE, KEPT, LOST, POPES, SLOTS, WON
from catan_env.kernel.jit import compiled, table

LAST_SPACE = 24
POPE_SPACE = table((8, 16, 24))
SECTION_START = table((5, 12, 19))
TILE_POINTS = table((2, 3, 4))
GOLD = ((3, 1), (6, 2), (9, 4), (12, 6), (15, 9), (18, 12), (21, 16), (24, 20))
TRACK_POINTS = table(  # R071: the last gold space reached counts
    [max([0, *(points for space, points in GOLD if space <= at)]) for at in range(LAST_SPACE + 1)]
)


@compiled
def move(g, seat, steps):
    """Move a seat's marker; steps past the last space are lost (R070)."""
    g.faith[seat] = min(LAST_SPACE, g.faith[seat] + steps)


@compiled
def move_cross(g, steps):
    """Move Lorenzo's marker."""
    g.cross = min(LAST_SPACE, g.cross + steps)


@compiled
def move_others(g, seat, steps):
    """Move all other seats, or the cross, for goods that a seat discards (R029)."""
    if g.seats == 1:
        move_cross(g, steps)
    for other in range(g.seats):
        if other != seat:
            move(g, other, steps)


@compiled
def furthest(g):
    """The space of the foremost marker, including the cross."""
    space = g.cross
    for seat in range(g.seats):
        space = max(space, g.faith[seat])
    return space


@compiled
def hold_reports(g):
    """Hold the reports that the markers trigger, lower ones first (R073-R077).

    A marker on the last space also starts the last round (R080).
    """
    foremost = furthest(g)
    for k in range(POPES):
        if not g.reported[k] and foremost >= POPE_SPACE[k]:
            g.reported[k] = 1
            for seat in range(g.seats):
                g.tile[seat, k] = WON if g.faith[seat] >= SECTION_START[k] else LOST
    if foremost == LAST_SPACE:
        g.last_round = 1


@compiled
def tile_points(g, seat):
    """The points of the pope tiles that a seat has won."""
    points = 0
    for k in range(POPES):
        if g.tile[seat, k] == WON:
            points += TILE_POINTS[k]
    return points


@compiled
def points_of(g, seat):
    """The points of R084 except those for goods: cards, track, tiles, active leaders."""
    points = TRACK_POINTS[g.faith[seat]] + tile_points(g, seat)
    for slot in range(SLOTS):
        for k in range(g.height[seat, slot]):
            points += g.dev[g.slot[seat, slot, k], POINTS]
    for i in range(KEPT):
        if g.leader_state[seat, i] == ACTIVE:
            points += g.leaders[g.leader[seat, i], LEADER_POINTS]
    return points
