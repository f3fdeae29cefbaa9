"""The robber and the discards at a seven, message by message."""

import pytest

from catan_env import Action, Resource
from catan_env.core.constants import Phase
from catan_env.game.event import HIDDEN, Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import places
from tests.protocols.jsettlers.scripted import (
    GAME,
    Told,
    differences,
    kinds,
    last,
    playing,
    rich,
    state,
)


def robbed(told: Told, seat: int) -> int:
    """Return a tile at which only this seat has built."""
    corners = {s: {*told.view.settlements(s)} for s in range(4)}
    return next(
        tile
        for tile in range(19)
        if corners[seat] & {*TILE_VERTICES[tile]}
        and not any(corners[s] & {*TILE_VERTICES[tile]} for s in range(4) if s != seat)
        and tile != told.view.robber
    )


def seven(told: Told, seat: int) -> None:
    told.begin_turn(0)
    for k in range(1, seat + 1):
        told.roll()
        told.begin_turn(k)
    told.say(m.DiceResult(GAME, 7), state(33))


def test_a_robbery_between_others_hides_its_card() -> None:
    told = Told().place()
    seven(told, 1)
    tile = robbed(told, 2)
    told.say(m.MoveRobber(GAME, 1, places.TILES[tile]))
    assert kinds(told)[-1] == "ROLL"
    told.say(m.Robbery(GAME, 1, 2, "R", 6, 1), state(20))
    assert last(told) == Event(1, Action.move_robber(tile, 1), HIDDEN)


def test_we_see_the_card_stolen_from_us() -> None:
    told = Told().place()
    seven(told, 1)
    card = next(r for r in Resource if told.view.hand(0)[r])
    before, tile = told.view.hand(0)[card], robbed(told, 0)
    told.say(m.MoveRobber(GAME, 1, places.TILES[tile]))
    told.say(m.Robbery(GAME, 1, 0, "R", places.to_code(card), 1), state(20))
    assert told.view.hand(0)[card] == before - 1


def test_a_robbery_without_a_victim_is_over_when_the_game_continues() -> None:
    told = Told().place()
    seven(told, 1)
    empty = next(
        tile
        for tile in range(19)
        if tile != told.view.robber
        and not any({*told.view.settlements(s)} & {*TILE_VERTICES[tile]} for s in range(4))
    )
    told.say(m.MoveRobber(GAME, 1, places.TILES[empty]), state(20))
    assert last(told) == Event(1, Action.move_robber(empty))
    assert differences(told) == {}


@pytest.mark.parametrize(("can", "robbed_seat"), [((1, 2), 2), ((1, 3), 3)])
def test_the_victim_is_named_when_the_server_asks(can: tuple[int, ...], robbed_seat: int) -> None:
    """The seat that was decided on, or the one with most cards."""
    told = Told().place()
    told.begin_turn(0)
    told.policy = playing(Action.move_robber(robbed(told, 2), 2))
    told.say(m.DiceResult(GAME, 7))
    (moved,) = told.say(state(33))
    told.say(moved, state(51))
    follower = told.player.follower
    assert follower is not None
    follower.view._array["hand_size"][0, 3] = 6
    asked = m.ChooseVictim(GAME, tuple(seat in can for seat in range(4)))
    assert told.say(asked) == [m.Victim(GAME, robbed_seat)]


def test_the_robber_stays_out_of_a_barred_desert() -> None:
    told = Told(options=("RD=t",)).place()
    told.begin_turn(0)
    follower = told.player.follower
    assert follower is not None
    desert = told.view.robber
    follower.view._array["robber"] = (desert + 1) % 19
    told.policy = playing(Action.move_robber(desert))
    told.say(m.DiceResult(GAME, 7))
    (moved,) = told.say(state(33))
    assert isinstance(moved, m.MoveRobber) and moved.tile != places.TILES[desert]


def test_the_agent_waits_for_the_discards_of_seats_before_it() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    assert told.say(m.DiscardRequest(GAME, 4)) == []
    (discard,) = told.say(m.Discarded(GAME, "p2", (0, 0, 0, 0, 0, 4)))
    assert isinstance(discard, m.Discard) and sum(discard.cards) == 4
    told.say(m.Discarded(GAME, "p0", discard.cards))
    assert told.view.phase == Phase.ROBBER and told.view.hand_size(2) == 5
    assert sum(told.view.hand(0)) == 4


def seven_with_discards(told: Told, seat: int) -> None:
    """Announce a seven rolled by `seat`, which has nine cards, while seat 0 has eight."""
    told.begin_turn(0)
    told.give(ore=4, wool=4)
    for k in range(1, seat + 1):
        told.roll()
        told.begin_turn(k)
    rich(told, **{f"s{seat}": 9})
    told.say(m.DiceResult(GAME, 7), state(50))


def test_after_three_seconds_it_discards_without_waiting_for_them() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    told.say(m.DiscardRequest(GAME, 4))
    assert told.line.wait(2.9) == []
    (discard,) = told.line.wait(0.2)
    assert isinstance(discard, m.Discard) and sum(discard.cards) == 4
    told.say(m.Discarded(GAME, "p0", discard.cards))
    assert told.view.hand_size(0) == 8, "pending until the seat before it has announced its own"
    told.say(m.Discarded(GAME, "p2", (0, 0, 0, 0, 0, 4)), state(33))
    assert (told.view.hand_size(0), told.view.hand_size(2)) == (4, 5)


def test_after_hidden_discards_only_certain_knowledge_is_left() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    follower = told.player.follower
    assert follower is not None and told.view.owes(2) == 4
    known, bank = told.view.known(2), sum(told.view.bank)
    told.say(m.Discarded(GAME, "p2", (0, 0, 0, 0, 0, 4)))
    assert not follower.tracked.is_exact
    assert told.view.known(2) == tuple(max(0, n - 4) for n in known)
    assert sum(told.view.bank) <= bank + 4


def test_discards_of_one_kind_are_known() -> None:
    told = Told().place()
    told.begin_turn(0)
    follower = told.player.follower
    assert follower is not None
    follower.view._array["known"][0, 1] = (8, 0, 0, 0, 0)
    follower.view._array["hand_size"][0, 1] = 8
    told.say(m.DiceResult(GAME, 7), state(50), m.Discarded(GAME, "p1", (0, 0, 0, 0, 0, 4)))
    assert told.view.known(1) == (4, 0, 0, 0, 0) and follower.tracked.is_exact


def test_discards_chosen_by_the_server_are_announced_as_losses() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    told.say(m.DiscardRequest(GAME, 4))
    told.say(m.Element(GAME, 2, 102, 6, 4))
    told.say(m.Elements(GAME, 0, 102, (2, 3, 3, 1)), state(33))
    assert told.view.hand(0) == (0, 0, 0, 1, 3) and told.view.hand_size(2) == 5


def test_losses_announced_kind_by_kind_are_added_up() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    told.say(m.DiscardRequest(GAME, 4))
    told.say(m.Element(GAME, 0, 102, 2, 3), m.Element(GAME, 0, 102, 3, 1))
    told.say(m.Element(GAME, 2, 102, 6, 4), state(33))
    assert told.view.hand(0) == (0, 0, 0, 1, 3) and told.view.hand_size(2) == 5
