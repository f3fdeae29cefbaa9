"""The dice: two fair ones, or balanced ones, drawn from a deck of their 36 outcomes (C207-C212).

The weight of an outcome in the deck is a whole number: 50, less 17 for each time that its total is
among the last five, times a factor, which for a seven depends on the seat that rolls. A draw and
its chances are therefore exact, the same on every machine.
"""

from catan_env.core.seats import seat_on_next_turn
from catan_env.kernel.bits import bit, count_bits, nth_bit, only_if
from catan_env.kernel.jit import compiled, inline, table
from catan_env.kernel.rng import below

OUTCOMES = 36
LEAST_LEFT = 13  # outcomes in the deck; with fewer it is shuffled before the roll
LAST_TOTALS, TOTAL_BITS = 5, 4
FULL_WEIGHT, LESS_PER_TOTAL = 50, 17  # 0.34 of it
MOST_SEVENS = 100  # counted of each seat
MOST_IN_A_ROW = 20  # counted: more change nothing, with four seats ten are enough

ALL_OUTCOMES = (1 << OUTCOMES) - 1
ALL_LAST = (1 << LAST_TOTALS * TOTAL_BITS) - 1


def total_of(outcome: int) -> int:
    """The total of an outcome, (first - 1) * 6 + second - 1."""
    return outcome // 6 + outcome % 6 + 2


OUTCOMES_OF = table(
    [sum(1 << k for k in range(OUTCOMES) if total_of(k) == total) for total in range(13)]
)
"""The outcomes with each total, as a set."""


@inline
def outcomes_left(g):
    """The outcomes in the deck of the next roll, which is shuffled if fewer than 13 are left."""
    drawn = g.dice & ALL_OUTCOMES
    return ALL_OUTCOMES & ~only_if(count_bits(drawn) <= OUTCOMES - LEAST_LEFT, drawn)


@inline
def times_lately(g, total):
    """The number of the last five rolls that had that total."""
    times = 0
    for k in range(LAST_TOTALS):
        times += ((g.dice >> (OUTCOMES + TOTAL_BITS * k)) & 15) == total
    return times


@inline
def sevens_rolled(g):
    """The sevens of all seats."""
    sevens = 0
    for seat in range(g.seats):
        sevens += g.sevens[seat]
    return sevens


@inline
def factor_of_seven(g, seat, usual):
    """The factor of a seven that `seat` rolls, from 0 to twice `usual`, that of other totals.

    It is twice the usual one, less a part for each seven of the seat: the usual one for a seat with
    its fair share (C210). For each of the last sevens, if one seat rolled them, 0.4 of the usual
    one is taken from that seat's and added to the others' (C211).
    """
    factor = usual
    if sevens_rolled(g) >= g.seats:
        factor = 2 * usual - 5 * g.seats * g.sevens[seat]
    streak = 2 * (usual // 5) * g.streak
    factor += -streak if g.streak_seat == seat else streak
    return min(max(factor, 0), 2 * usual)


@inline
def usual_factor(g):
    """The factor of totals other than seven: 5 per seven so far, once there is one per seat."""
    sevens = sevens_rolled(g)
    return 5 * sevens if sevens >= g.seats else 5


@inline
def weight_of(g, total, usual, seven):
    """The weight of each outcome with that total."""
    weight = max(FULL_WEIGHT - LESS_PER_TOTAL * times_lately(g, total), 0)
    return weight * (seven if total == 7 else usual)


@inline
def weight_of_all(g, left, usual, seven):
    """The weights of all outcomes in the deck together."""
    whole = 0
    for total in range(2, 13):
        whole += count_bits(left & OUTCOMES_OF[total]) * weight_of(g, total, usual, seven)
    return whole


@compiled
def draw_balanced(g):
    """Draw an outcome by its weight; the deck still contains it."""
    left, usual = outcomes_left(g), usual_factor(g)
    seven = factor_of_seven(g, g.turn_seat, usual)
    n = below(g, weight_of_all(g, left, usual, seven))
    for total in range(2, 13):
        outcomes = left & OUTCOMES_OF[total]
        weight = weight_of(g, total, usual, seven)
        if n < count_bits(outcomes) * weight:
            return nth_bit(outcomes, n // weight)
        n -= count_bits(outcomes) * weight
    return 0


@compiled
def remember_roll(g, outcome):
    """Take an outcome from the deck; note its total, and with a seven the seat that rolled it."""
    total = outcome // 6 + outcome % 6 + 2
    drawn = (ALL_OUTCOMES & ~outcomes_left(g)) | bit(outcome)
    last = (((g.dice >> OUTCOMES) << TOTAL_BITS) & ALL_LAST) | total
    g.dice = drawn | (last << OUTCOMES)
    if total == 7:
        seat = g.turn_seat
        g.sevens[seat] = min(g.sevens[seat] + 1, MOST_SEVENS)
        g.streak = min(g.streak + 1, MOST_IN_A_ROW) if g.streak_seat == seat else 1
        g.streak_seat = seat


@inline
def draw_roll(g):
    """Draw the outcome of a roll."""
    return draw_balanced(g) if g.balanced_dice else below(g, OUTCOMES)


@inline
def next_roller(g):
    """The seat that rolls next: the one on turn, or after its roll the one whose turn follows."""
    return g.turn_seat if g.roll == 0 else seat_on_next_turn(g)


@inline
def observe_chances(g, out, row, at):
    """Write the chance of each total, 2 to 12, at the next roll in percent, from `out[row, at]`."""
    left, usual = outcomes_left(g), usual_factor(g)
    seven = factor_of_seven(g, next_roller(g), usual)
    whole = weight_of_all(g, left, usual, seven)
    for total in range(2, 13):
        part = count_bits(left & OUTCOMES_OF[total]) * weight_of(g, total, usual, seven)
        out[row, at + total - 2] = (200 * part + whole) // (2 * whole)


@compiled
def write_weights(g, weights):
    """Write the weight of each outcome of the next roll: (36,) int64, 1 each with fair dice."""
    left, usual = outcomes_left(g), usual_factor(g)
    seven = factor_of_seven(g, next_roller(g), usual)
    for outcome in range(OUTCOMES):
        total = outcome // 6 + outcome % 6 + 2
        weight = weight_of(g, total, usual, seven) if g.balanced_dice else 1
        weights[outcome] = weight if (left >> outcome) & 1 else 0
