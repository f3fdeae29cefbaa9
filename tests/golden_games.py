"""Golden games: the course of games whose decisions follow from a short description.

`python -m tests.golden_games` rewrites tests/golden/decisions.txt and endgame.txt; any change in
them is a change of the rules, and has to be read.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from catan_env import Action, Board, DevelopmentCard, Game, Resource

GOLDEN = Path(__file__).parent / "golden"
BRICK, GRAIN, LUMBER, ORE, WOOL = Resource

DECISIONS = """\
# Reproducible random games: after a number of decisions, the total of legal actions over all of
# them, and a digest of the position.
#
# The decisions: x starts as the seed. For each, x becomes (6364136223846793005 x +
# 1442695040888963407) mod 2^64, and of the n legal indices in ascending order the k-th is played,
# counted from 0, with k = floor(x / 2^33) mod n. The game draws from the same seed.
#
# The digest: the first 16 hexadecimal digits of the SHA-256 of the position as text, written by
# tests/golden_games.py.
#
# seats, rules, board, seed; decisions, legal actions, digest
"""
TABLES = (
    (4, "base", "spiral", 1),
    (4, "base", "random_tokens", 2),
    (3, "base", "beginner", 3),
    (2, "base", "spiral", 4),
    (4, "tournament", "spiral", 5),
    (3, "tournament", "random_tokens", 6),
    (2, "tournament", "beginner", 7),
    (2, "duel", "spiral", 8),
)
AFTER = (100, 500, 1000)


def in_words(game: Game) -> str:
    """The whole position: one line for the table, one for hidden information, one per seat."""
    lines = [
        f"{game.phase.name} turn {game.turn} of seat {game.turn_seat}, seat {game.seat} decides",
        f"roll {game.roll} robber {game.robber} bank {game.bank} deck {game.deck()}",
        f"longest road {game.longest_road_seat} largest army {game.largest_army_seat}",
        f"played {game.card_played} free roads {game.free_roads} winner {game.winner}",
    ]
    if game.offer is not None:
        lines.append(f"offer {tuple(game.offer)}")
    for seat in range(game.seats):
        lines.append(
            f"seat {seat}: settlements {game.settlements(seat)} cities {game.cities(seat)} "
            f"roads {game.roads(seat)} hand {game.hand(seat)} cards {game.cards(seat)} "
            f"new {game.new_cards(seat)} played {game.played(seat)} owes {game.owes(seat)}"
        )
    return "\n".join(lines)


def digest_of(game: Game) -> str:
    return hashlib.sha256(in_words(game).encode()).hexdigest()[:16]


def decisions(seats: int, rules: str, board: str, seed: int) -> Iterator[str]:
    """The lines of one game."""
    game = Game(seats, seed, rules, board)
    x, legal = seed, 0
    for n in range(1, AFTER[-1] + 1):
        if game.is_over:
            break
        indices = game.legal_actions.indices
        legal += len(indices)
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        game.play(int(indices[(x >> 33) % len(indices)]))
        if n in AFTER:
            yield f"{seats} {rules} {board} {seed}; {n} {legal} {digest_of(game)}"


def all_decisions() -> str:
    """The text of decisions.txt."""
    return DECISIONS + "".join(f"{line}\n" for table in TABLES for line in decisions(*table))


ENDGAME = """\
# The end of a game of three on the booklet's beginner map, from turn 30 on, read against the rules:
# a trade, a settlement that cuts the Longest Road, a seven, a knight before the roll, harbours, a
# monopoly, and a win before the roll. After every turn the hands, in the order brick, grain,
# lumber, ore, wool, and the points that the others see.
"""


def before_the_end() -> Game:
    """Seat 0 leads with 8 points, two of them for a road of 5 that seat 1 is about to cut."""
    return Game.from_position(
        board=Board.beginner(),
        seats=3,
        settlements={0: [20, 49], 1: [17, 47], 2: [0, 12]},
        cities={0: [24, 45], 2: [43]},
        roads={0: [48, 47, 34, 33, 32, 53, 26], 1: [58, 62, 51, 46, 16], 2: [45, 44, 1, 25]},
        hands={
            0: {GRAIN: 1, ORE: 2, WOOL: 3},
            1: {BRICK: 1, LUMBER: 1, WOOL: 2},
            2: {BRICK: 1, LUMBER: 2, ORE: 4},
        },
        cards={
            0: {DevelopmentCard.KNIGHT: 1, DevelopmentCard.ROAD_BUILDING: 1},
            1: {DevelopmentCard.YEAR_OF_PLENTY: 1},
            2: {DevelopmentCard.MONOPOLY: 1},
        },
        played={0: {DevelopmentCard.KNIGHT: 2}, 1: {DevelopmentCard.KNIGHT: 2}},
        turn_seat=1,
        phase="roll",
        turn=30,
    )


LAST_TURNS = (
    # seat 1
    (Action.roll(), (4, 4)),
    (Action.offer(1, WOOL, GRAIN), None),
    (Action.reject(), None),
    (Action.offer(2, WOOL, GRAIN), None),
    (Action.accept(), None),
    (Action.settlement(37), None),
    (Action.end_turn(), None),
    # seat 2
    (Action.roll(), (3, 4)),
    (Action.discard(LUMBER), None),
    (Action.discard(LUMBER), None),
    (Action.discard(LUMBER), None),
    (Action.discard(BRICK), None),
    (Action.move_robber(14, 2), None),
    (Action.bank_trade(ORE, WOOL), None),
    (Action.end_turn(), None),
    # seat 0
    (Action.play_knight(), None),
    (Action.move_robber(12, 2), WOOL),
    (Action.roll(), (6, 5)),
    (Action.bank_trade(WOOL, GRAIN), None),
    (Action.bank_trade(WOOL, GRAIN), None),
    (Action.city(20), None),
    (Action.end_turn(), None),
    # seat 1
    (Action.roll(), (1, 2)),
    (Action.play_year_of_plenty(GRAIN, ORE), None),
    (Action.buy_development_card(), DevelopmentCard.VICTORY_POINT),
    (Action.end_turn(), None),
    # seat 2
    (Action.roll(), (2, 3)),
    (Action.play_monopoly(LUMBER), None),
    (Action.road(55), None),
    (Action.end_turn(), None),
    # seat 0
    (Action.play_road_building(), None),
    (Action.road(36), None),
    (Action.road(22), None),
)


def endgame() -> str:
    """The text of endgame.txt."""
    game = before_the_end()
    lines = [standing(game)]
    for action, outcome in LAST_TURNS:
        turn, awards = game.turn, awards_of(game)
        lines.append(str(game.play(action, outcome)))
        if awards_of(game) != awards:
            lines.append(f"    {awards_of(game)}")
        if game.turn != turn or game.is_over:
            lines.append(standing(game))
    return ENDGAME + "\n".join(lines) + "\n"


def awards_of(game: Game) -> str:
    def name(seat: int | None) -> str:
        return "nobody" if seat is None else f"seat {seat}"

    return (
        f"Longest Road: {name(game.longest_road_seat)}; "
        f"Largest Army: {name(game.largest_army_seat)}"
    )


def standing(game: Game) -> str:
    seats = [
        f"{' '.join(map(str, game.hand(seat)))} ({game.points(seat, hidden=False)} points)"
        for seat in range(game.seats)
    ]
    return f"-- turn {game.turn}: {', '.join(seats)}"


if __name__ == "__main__":
    (GOLDEN / "decisions.txt").write_text(all_decisions())
    (GOLDEN / "endgame.txt").write_text(endgame())
