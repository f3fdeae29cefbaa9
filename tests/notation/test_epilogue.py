"""Messages after the winning choice, which change nothing."""

from typing import Any

import pytest

from catan_env.notation import NotationError, loads, places
from tests.notation.random_games import random_game
from tests.notation.test_reading import waking, won_by_a_knight


def test_a_knight_that_wins_robs_at_most_one_card_for_the_winner() -> None:
    game, messages = won_by_a_knight()
    woken, winner = waking(messages, "A"), messages[-7]["player"]
    victim = next(name for name in "12" if name != winner)
    tile = next(q for q in ([0, 0], [1, 0]) if places.to_tile(q, "") != game.robber)
    move = {**messages[-7], "uuid": "move", "event": "RM", "value": {"tile": tile}}

    def with_robbery(gains: str, n: int, loses: str, **keys: str) -> list[dict[str, Any]]:
        entries = [{"player": gains, "B": n}, {"player": loses, "B": -n}]
        value = {"resources": [] if keys else entries}
        return [*woken[:-5], move, {**move, "event": "RR", "value": value, **keys}, *woken[-5:]]

    for n in (0, 1):
        assert loads(with_robbery(winner, n, victim)).game == game
    unseen = {"x-robbed": victim}
    assert loads(with_robbery(winner, 0, victim, **unseen)).game == game
    wrong = [(winner, 2, victim), (victim, 1, winner), (victim, 1, "B"), (winner, 1, "B")]
    refused = [with_robbery(*robbery) for robbery in [*wrong, (winner, 1, "Zed")]]
    refused += [with_robbery(winner, 0, victim, **{"x-robbed": to}) for to in ("Zed", winner)]
    for record in refused:
        with pytest.raises(NotationError, match="RR") as caught:
            loads(record)
        assert caught.value.index == len(woken) - 4


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_a_round_that_ends_before_its_turn_ends_the_game(viewer: int) -> None:
    """One seat's record may end there, and the winner's points be hidden."""
    for seed in range(12):
        game = random_game(seed, 3)
        if game.winner is None or game.events[-1].action.kind.name in ("END_TURN", "LEAVE"):
            continue
        messages = game.to_sgn(viewer=viewer)
        assert messages[-5]["event"] == "RE"
        assert loads(messages[:-4]).view() == game.view(viewer)
