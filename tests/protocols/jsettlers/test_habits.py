"""What servers and other clients do, message by message, and what the agent makes of it."""

from collections.abc import Callable

import pytest

from catan_env import Action, Resource
from catan_env.core.constants import DevelopmentCard, Phase
from catan_env.game.action import ActionKind
from catan_env.game.event import HIDDEN, Event
from catan_env.game.geometry import TILE_VERTICES
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers import places
from tests.protocols.jsettlers.scripted import GAME, Told, playing

WOOL, ORE, BRICK = Resource.WOOL, Resource.ORE, Resource.BRICK
ONE_FOR_ONE = (0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
"""A sheep for an ore."""


def kinds(told: Told) -> list[str]:
    """What has happened in the view."""
    follower = told.player.follower
    assert follower is not None
    return [event.action.kind.name for event in follower.happened]


def last(told: Told) -> Event:
    follower = told.player.follower
    assert follower is not None
    return follower.happened[-1]


def differences(told: Told) -> dict[str, int]:
    follower = told.player.follower
    assert follower is not None
    return dict(follower.differences)


def state(number: int) -> m.GameState:
    return m.GameState(GAME, number)


def offer(maker: int, *to: int) -> m.MakeOffer:
    return m.MakeOffer(GAME, maker, *(seat in to for seat in range(4)), ONE_FOR_ONE)


# The set-up, and the turn.


def test_the_second_settlements_cards_are_counted() -> None:
    told = Told().place()
    assert sum(told.view.hand(0)) == told.view.hand_size(0) > 0
    assert told.view.turn == 1 and told.view.phase == Phase.ROLL


def test_the_agent_rolls_when_it_is_told_to_and_not_before() -> None:
    told = Told().place()
    assert told.say(m.Turn(GAME, 0, 15)) == []
    assert told.say(m.RollPrompt(GAME, 0)) == [m.RollDice(GAME)]
    assert told.say(m.DiceResult(GAME, 2)) == []
    assert told.say(state(20)) == [m.EndTurn(GAME)]


def test_a_turn_ends_with_the_next_ones_beginning() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.roll()
    assert told.view.turn_seat == 0
    told.begin_turn(1)
    assert (told.view.turn_seat, told.view.turn) == (1, 2)
    assert last(told).action.kind == ActionKind.END_TURN


def test_a_turn_that_is_forced_to_end_ends_wherever_it_is() -> None:
    told = Told().place()
    told.begin_turn(0)
    told.begin_turn(1)
    assert last(told) == Event(0, Action.time_out())
    assert (told.view.turn_seat, differences(told)) == (1, {})
    assert told.player.statistics.forced == 1


def test_a_turn_of_a_seat_that_is_not_next_cannot_be_followed() -> None:
    told = Told().place()
    told.begin_turn(0)
    assert told.begin_turn(2) == [m.LeaveGame("ours", "", GAME)]
    assert "the turn of seat 2" in told.line.agent.ended[0].reason


def test_a_set_up_placement_that_is_skipped_cannot_be_followed() -> None:
    told = Told().sit_down()
    told.say(m.Turn(GAME, 0, 5))
    assert told.say(m.Turn(GAME, 1, 5)) == [m.LeaveGame("ours", "", GAME)]


# Pieces.


def test_a_piece_is_paid_for_when_it_stands() -> None:
    told = Told().turn_of(1)
    before = told.view.hand_size(1)
    told.say(m.Elements(GAME, 1, 102, (1, 1, 5, 1)), state(30))
    assert told.view.hand_size(1) == before
    told.say(m.PutPiece(GAME, 1, 0, places.EDGES[33]), state(20))
    assert kinds(told)[-1] == "ROAD"


def test_a_piece_that_was_asked_for_may_be_taken_back() -> None:
    told = Told().turn_of(1)
    before = told.view.state_bytes()
    told.say(m.Elements(GAME, 1, 102, (1, 1, 5, 1)), state(30))
    told.say(m.Elements(GAME, 1, 101, (1, 1, 5, 1)), m.CancelBuild(GAME, 0), state(20))
    assert told.view.state_bytes() == before


def test_the_agent_builds_and_hears_that_it_stands_before_it_goes_on() -> None:
    told = Told().own_turn(brick=1, lumber=1)
    told.policy = playing(Action.road(7))
    assert told.roll() == [m.PutPiece(GAME, 0, 0, places.EDGES[7])]
    assert 7 not in told.view.roads(0)
    assert told.say(m.Elements(GAME, 0, 102, (1, 1, 5, 1))) == []
    assert told.say(m.PutPiece(GAME, 0, 0, places.EDGES[7])) == []
    assert 7 in told.view.roads(0)
    assert told.say(state(20)) == [m.EndTurn(GAME)]


# Cards.


def buy(told: Told, seat: int, card: int) -> None:
    told.say(
        m.Elements(GAME, seat, 102, (2, 1, 3, 1, 4, 1)),
        m.CardAction(GAME, seat, 0, (card,)),
        m.SimpleAction(GAME, seat, 1, (24, 0)),
    )


def test_a_card_bought_is_seen_by_its_owner_alone() -> None:
    told = Told().own_turn(ore=1, wool=1, grain=1)
    told.policy = playing(Action.buy_development_card())
    assert told.roll() == [m.BuyCard(GAME)]
    buy(told, 0, 9)
    assert told.view.cards(0)[DevelopmentCard.KNIGHT] == 1 and told.view.hand(0) == (0,) * 5
    told.say(state(20))
    told.begin_turn(1)
    told.roll()
    buy(told, 1, 0)
    assert told.view.card_count(1) == 1 and last(told).outcome is HIDDEN


def with_card(card: int, **cards: int) -> Told:
    """Seat 0 has the turn and a card that it bought in its first one."""
    told = Told().own_turn(ore=1, wool=1, grain=1)
    told.roll()
    buy(told, 0, card)
    for seat in (1, 2, 3):
        told.begin_turn(seat)
        told.roll()
    told.say(m.Turn(GAME, 0, 15))
    told.give(**cards)
    return told


def test_a_knight_is_played_and_then_the_robber_moved() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight(), Action.move_robber(3))
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, 9)]
    told.say(m.CardAction(GAME, 0, 1, (9,)), m.Element(GAME, 0, 100, 19, 1))
    assert told.say(m.Element(GAME, 0, 100, 15, 1)) == []
    (moved,) = told.say(state(33))
    assert isinstance(moved, m.MoveRobber)
    told.say(moved)
    assert told.say(state(15)) == [] and kinds(told)[-1] == "MOVE_ROBBER"
    assert told.say(m.RollPrompt(GAME, 0)) == [m.RollDice(GAME)]


@pytest.mark.parametrize(
    ("card", "action", "state_asked", "said"),
    [
        (2, Action.play_year_of_plenty(BRICK, ORE), 52, m.PickCards(GAME, (1, 1, 0, 0, 0))),
        (3, Action.play_monopoly(WOOL), 53, m.PickMonopoly(GAME, 3)),
    ],
)
def test_the_choice_of_a_card_is_said_when_it_is_asked_for(
    card: int, action: Action, state_asked: int, said: object
) -> None:
    told = with_card(card)
    told.policy = playing(action)
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, card)]
    assert told.say(m.CardAction(GAME, 0, 1, (card,))) == []
    assert told.say(state(state_asked)) == [said]
    assert told.view.cards(0)[DevelopmentCard(card % 3 + 2 if card == 3 else 2)] >= 0


def test_a_year_of_plenty_brings_its_cards() -> None:
    told = Told().turn_of(1)
    size = told.view.hand_size(1)
    buy(told, 1, 0)
    told.say(m.CardAction(GAME, 1, 1, (2,)), state(52), m.PickCards(GAME, (0, 2, 0, 0, 0, 1, 2)))
    assert last(told) == Event(1, Action.play_year_of_plenty(ORE, ORE))
    assert told.view.hand_size(1) == size - 3 + 2


def test_what_a_monopoly_takes_is_the_size_before_less_the_size_told() -> None:
    told = Told().turn_of(1)
    sizes = [told.view.hand_size(seat) for seat in range(4)]
    own = told.view.hand(0)
    kind = next(r for r in Resource if own[r])
    told.say(m.CardAction(GAME, 1, 1, (3,)), state(53))
    told.say(m.Element(GAME, 2, 100, places.to_code(kind), 0), m.HandSize(GAME, 2, sizes[2] - 1))
    told.say(m.Element(GAME, 0, 100, places.to_code(kind), 0))
    told.say(m.HandSize(GAME, 0, sizes[0] - own[kind]))
    total = own[kind] + 1
    told.say(m.Element(GAME, 1, 101, places.to_code(kind), total))
    told.say(m.SimpleAction(GAME, 1, 3, (total, places.to_code(kind))), state(20))
    assert last(told).outcome == (own[kind], 0, 1, 0)
    assert told.view.hand(0)[kind] == 0 and told.view.hand_size(1) == sizes[1] + total


def test_the_second_free_road_may_be_left_out() -> None:
    told = Told().turn_of(1)
    told.say(m.CardAction(GAME, 1, 1, (1,)), state(40))
    told.say(m.PutPiece(GAME, 1, 0, places.EDGES[33]), state(41), state(20))
    assert (told.view.phase, told.view.free_roads) == (Phase.MAIN, 0)
    assert differences(told)["free roads"] == 1


def test_without_a_place_for_it_a_free_road_is_declined() -> None:
    told = with_card(1)
    follower = told.player.follower
    assert follower is not None
    follower.view._array["pieces"][0, 0, 0] = 1
    told.policy = playing(Action.play_road_building(), Action.road(7))
    assert told.say(m.RollPrompt(GAME, 0)) == [m.PlayCard(GAME, 1)]
    told.say(m.CardAction(GAME, 0, 1, (1,)))
    (road,) = told.say(state(40))
    told.say(road)
    assert told.say(state(41)) == [m.CancelBuild(GAME, 0)]


def test_a_card_that_was_begun_may_come_back() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, 0, 1, (9,)), state(33))
    told.say(m.CardAction(GAME, 0, 3, (9,)), m.Element(GAME, 0, 100, 15, 0))
    told.begin_turn(1)
    assert told.view.knights(0) == 0
    assert told.view.cards(0)[DevelopmentCard.KNIGHT] == 1
    assert "card taken back" in differences(told)


# The robber.


def robbed(told: Told, seat: int) -> int:
    """A tile at which the seat has built, and nobody else."""
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


def test_what_is_stolen_from_us_we_see() -> None:
    told = Told().place()
    seven(told, 1)
    card = next(r for r in Resource if told.view.hand(0)[r])
    before, tile = told.view.hand(0)[card], robbed(told, 0)
    told.say(m.MoveRobber(GAME, 1, places.TILES[tile]))
    told.say(m.Robbery(GAME, 1, 0, "R", places.to_code(card), 1), state(20))
    assert told.view.hand(0)[card] == before - 1


def test_a_robber_that_robs_nobody_is_done_when_the_game_goes_on() -> None:
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
def test_whom_to_rob_is_said_when_it_is_asked(can: tuple[int, ...], robbed_seat: int) -> None:
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


def test_the_robber_stays_out_of_the_desert_where_it_has_to() -> None:
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


# Discards.


def rich(told: Told, **sizes: int) -> None:
    """Hands as large as that, by seats "s1" to "s3"."""
    for name, size in sizes.items():
        told.say(m.HandSize(GAME, int(name[1]), size))


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
    """A seven of `seat`, which holds nine cards as seat 0 holds eight of them."""
    told.begin_turn(0)
    told.give(ore=4, wool=4)
    for k in range(1, seat + 1):
        told.roll()
        told.begin_turn(k)
    rich(told, **{f"s{seat}": 9})
    told.say(m.DiceResult(GAME, 7), state(50))


def test_after_three_seconds_it_discards_without_them() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    told.say(m.DiscardRequest(GAME, 4))
    assert told.line.wait(2.9) == []
    (discard,) = told.line.wait(0.2)
    assert isinstance(discard, m.Discard) and sum(discard.cards) == 4
    told.say(m.Discarded(GAME, "p0", discard.cards))
    assert told.view.hand_size(0) == 8, "kept till the seat before it has told its own"
    told.say(m.Discarded(GAME, "p2", (0, 0, 0, 0, 0, 4)), state(33))
    assert (told.view.hand_size(0), told.view.hand_size(2)) == (4, 5)


def test_hidden_discards_end_the_promise_and_leave_what_is_sure() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    follower = told.player.follower
    assert follower is not None and told.view.owes(2) == 4
    known, bank = told.view.known(2), sum(told.view.bank)
    told.say(m.Discarded(GAME, "p2", (0, 0, 0, 0, 0, 4)))
    assert not follower.is_exact
    assert told.view.known(2) == tuple(max(0, n - 4) for n in known)
    assert sum(told.view.bank) <= bank + 4


def test_discards_of_one_kind_are_no_secret() -> None:
    told = Told().place()
    told.begin_turn(0)
    follower = told.player.follower
    assert follower is not None
    follower.view._array["known"][0, 1] = (8, 0, 0, 0, 0)
    follower.view._array["hand_size"][0, 1] = 8
    told.say(m.DiceResult(GAME, 7), state(50), m.Discarded(GAME, "p1", (0, 0, 0, 0, 0, 4)))
    assert told.view.known(1) == (4, 0, 0, 0, 0) and follower.is_exact


def test_discards_that_the_server_chose_are_told_as_losses() -> None:
    told = Told().place()
    seven_with_discards(told, 2)
    told.say(m.DiscardRequest(GAME, 4))
    told.say(m.Element(GAME, 2, 102, 6, 4))
    told.say(m.Elements(GAME, 0, 102, (2, 3, 3, 1)), state(33))
    assert told.view.hand(0) == (0, 0, 0, 1, 3) and told.view.hand_size(2) == 5


# Trade.


def test_an_offer_to_us_is_decided_on_a_copy() -> None:
    told = Told().turn_of(1)
    told.give(ore=1)
    before = told.view.state_bytes()
    told.policy = playing(Action.accept())
    assert told.say(offer(1, 0, 2)) == [m.AcceptOffer(GAME, 0, 1)]
    assert told.view.state_bytes() == before
    told.say(m.AcceptOffer(GAME, 0, 1, ONE_FOR_ONE), m.ClearOffer(GAME, -1))
    assert told.view.hand(0) == (0, 0, 0, 0, 1)
    assert kinds(told)[-2:] == ["OFFER", "ACCEPT"]


@pytest.mark.parametrize(
    ("counts", "held"),
    [(ONE_FOR_ONE, 0), ((0,) * 5 + (0, 1, 0, 0, 0), 1), ((0, 1, 0, 0, 0, 0, 1, 0, 0, 0), 1)],
)
def test_what_our_rules_forbid_or_we_cannot_pay_is_refused(
    counts: tuple[int, ...], held: int
) -> None:
    told = Told().turn_of(1)
    told.give(ore=held)
    told.policy = playing(Action.accept())
    asked = m.MakeOffer(GAME, 1, True, False, False, False, counts)
    assert told.say(asked) == [m.RejectOffer(GAME, 0)]


def test_an_offer_to_others_is_not_answered_and_leaves_no_trace() -> None:
    told = Told().turn_of(1)
    before = told.view.state_bytes()
    assert told.say(offer(1, 2, 3), m.RejectOffer(GAME, 2), m.ClearOffer(GAME, 1)) == []
    assert told.view.state_bytes() == before


def test_an_answer_that_comes_too_late_is_harmless() -> None:
    told = Told().turn_of(1)
    told.give(ore=1)
    told.policy = playing(Action.accept())
    told.say(offer(1, 0, 2))
    assert told.say(m.RejectOffer(GAME, 0, (1,))) == []
    assert told.player.statistics.refusals == []


def test_where_nobody_trades_offers_get_no_answer() -> None:
    told = Told(options=("NT=t",)).turn_of(1)
    assert told.say(offer(1, 0)) == []


def offering() -> Told:
    """Seat 0 offers a sheep for an ore to seat 2, and the server has told it."""
    told = Told().own_turn(wool=2)
    told.policy = playing(Action.offer(2, WOOL, ORE))
    assert told.roll() == [offer(0, 2)]
    assert told.say(offer(0, 2)) == []
    assert told.view.phase == Phase.ANSWER
    return told


def test_an_own_offer_is_accepted() -> None:
    told = offering()
    assert told.say(m.AcceptOffer(GAME, 2, 0, ONE_FOR_ONE)) == []
    assert told.say(m.ClearOffer(GAME, -1)) == [m.EndTurn(GAME)]
    assert told.view.hand(0) == (0, 0, 0, 1, 1)
    assert told.player.statistics.accepted == 1


@pytest.mark.parametrize("answer", [m.RejectOffer(GAME, 2), offer(2, 0)])
def test_a_refused_offer_is_withdrawn_and_then_the_turn_goes_on(answer: object) -> None:
    """A counter-offer is refused, and refuses."""
    told = offering()
    said = told.say(answer)
    assert said[-1] == m.ClearOffer(GAME, 0)
    assert said[:-1] == ([m.RejectOffer(GAME, 0)] if isinstance(answer, m.MakeOffer) else [])
    assert told.view.phase == Phase.ANSWER
    assert told.say(m.ClearOffer(GAME, 0)) == [m.EndTurn(GAME)]
    assert kinds(told)[-1] == "REJECT"


def test_another_seats_refusal_is_not_our_partners() -> None:
    assert offering().say(m.RejectOffer(GAME, 3)) == []


def test_a_counter_offer_that_another_seat_withdraws_is_not_ours() -> None:
    told = offering()
    assert told.say(m.ClearOffer(GAME, 3)) == []
    assert told.view.phase == Phase.ANSWER


def test_an_offer_that_nobody_answers_is_withdrawn() -> None:
    told = offering()
    assert told.line.wait(5.9) == []
    assert told.line.wait(0.2) == [m.ClearOffer(GAME, 0)]


def test_an_acceptance_that_comes_with_the_withdrawal_counts() -> None:
    told = offering()
    told.say(m.RejectOffer(GAME, 2))
    told.say(m.AcceptOffer(GAME, 2, 0, ONE_FOR_ONE))
    assert told.say(m.ClearOffer(GAME, -1)) == [m.EndTurn(GAME)]
    assert told.view.hand(0) == (0, 0, 0, 1, 1)


def test_no_offer_is_made_when_the_clock_has_run_too_far() -> None:
    told = Told().own_turn(wool=2)
    told.line.now += 5.5
    told.policy = playing(Action.offer(2, WOOL, ORE))
    assert told.roll() == [m.EndTurn(GAME)]


def test_a_counter_offer_that_is_taken_is_told_from_the_turns_side() -> None:
    told = Told().turn_of(1)
    told.say(offer(3, 1))
    told.say(m.AcceptOffer(GAME, 1, 3, ONE_FOR_ONE), m.ClearOffer(GAME, -1))
    made = told.player.follower.happened[-2].action  # type: ignore[union-attr]
    assert made == Action.offer(2, ORE, WOOL)


# The bank.


def bank(give: dict[int, int], get: dict[int, int], seat: int) -> m.BankTraded:
    sides = [tuple(side.get(code, 0) for code in range(1, 6)) for side in (give, get)]
    return m.BankTraded(GAME, (*sides[0], *sides[1], seat))


def test_after_a_trade_with_the_bank_the_turn_goes_on() -> None:
    """Seat 0 has built at a harbour where three cards are enough."""
    told = Told().own_turn(wool=3)
    told.policy = playing(Action.bank_trade(WOOL, ORE))
    assert told.roll() == [m.BankTrade(GAME, (0, 0, 3, 0, 0, 0, 1, 0, 0, 0))]
    assert told.say(bank({3: 3}, {2: 1}, 0)) == [m.EndTurn(GAME)]
    assert told.view.hand(0) == (0, 0, 0, 1, 0)


def test_a_trade_of_several_cards_is_several_trades() -> None:
    told = Told().turn_of(1)
    rich(told, s1=9)
    told.say(bank({3: 8}, {2: 1, 1: 1}, 1))
    assert kinds(told)[-2:] == ["BANK_TRADE", "BANK_TRADE"] and told.view.hand_size(1) == 3


@pytest.mark.parametrize(
    ("give", "get"), [({2: 1}, {3: 4}), ({3: 4}, {3: 1}), ({3: 4, 1: 4}, {2: 2})]
)
def test_trades_that_our_rules_do_not_know_change_hands_as_told(
    give: dict[int, int], get: dict[int, int]
) -> None:
    told = Told().turn_of(1)
    rich(told, s1=9)
    told.say(bank(give, get, 1))
    size = 9 - sum(give.values()) + sum(get.values())
    assert told.view.hand_size(1) == size and differences(told)["bank trade"] == 1


# Refusals.


REFUSALS: list[Callable[[], object]] = [
    lambda: m.DeclinedAction(GAME, 20, ("4", "no")),
    lambda: m.CancelBuild(GAME, 0),
]


@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_is_refused_is_not_tried_again_this_turn(refusal: Callable[[], object]) -> None:
    told = Told().own_turn(brick=2, lumber=2)
    told.policy = playing(Action.road(7), Action.road(7))
    told.roll()
    before = told.view.state_bytes()
    assert told.say(refusal()) == []
    assert told.say(state(20)) == [m.EndTurn(GAME)]
    assert told.view.state_bytes() == before
    assert len(told.player.statistics.refusals) == 1


def test_a_second_after_a_refusal_the_turn_is_ended() -> None:
    told = Told().own_turn(brick=1, lumber=1)
    told.policy = playing(Action.road(7))
    told.roll()
    told.say(m.DeclinedAction(GAME, 20, ("4", "no")))
    assert told.line.wait(1.1) == [m.EndTurn(GAME)]


def test_a_card_that_is_refused_costs_nothing() -> None:
    told = with_card(9)
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, -1, 4, (9,)))
    assert told.view.cards(0)[DevelopmentCard.KNIGHT] == 1
    assert told.say(m.RollPrompt(GAME, 0)) == [m.RollDice(GAME)]


# What is told beside, and the end.


def test_the_own_hand_is_what_the_server_says() -> None:
    told = Told().own_turn(ore=3)
    assert told.view.hand(0) == (0, 0, 0, 3, 0)
    assert differences(told)["own hand"] == 1


def test_production_told_is_production_computed() -> None:
    told = Told().place()
    total, tile = next(
        (t.token, k) for k, t in enumerate(told.view.board.tiles)
        if t.token and {*told.view.settlements(0)} & {*TILE_VERTICES[k]}
    )  # fmt: skip
    told.begin_turn(0)
    told.say(m.DiceResult(GAME, total))
    card = told.view.board.tiles[tile].terrain
    gained = told.view.hand(0)[int(card)]
    pairs = tuple(n for r in Resource for n in (places.to_code(r), told.view.hand(0)[r]))
    sizes = [told.view.hand_size(seat) for seat in range(4)]
    told.say(m.Production(GAME, (1, 0, sizes[0], 1, places.to_code(int(card)))))
    told.say(m.Elements(GAME, 0, 100, pairs), state(20))
    assert gained >= 1 and differences(told) == {}


def test_that_nobody_has_played_a_card_is_told_of_no_seat() -> None:
    told = Told().turn_of(1)
    assert told.say(m.Element(GAME, -1, 100, 19, 0)) == [] and GAME in told.line.agent.players


def test_awards_are_as_the_server_says() -> None:
    told = Told().turn_of(1)
    told.say(m.GameElements(GAME, (6, 3, 2, 20)))
    assert told.view.longest_road_seat == 3 and told.view.points(3, hidden=False) == 4
    told.say(m.GameElements(GAME, (6, -1)))
    assert told.view.longest_road_seat is None


@pytest.mark.parametrize("by", ["state", "turn"])
def test_the_winner_is_who_is_on_turn_at_the_end(by: str) -> None:
    told = Told().turn_of(1)
    player, follower = told.player, told.player.follower
    assert follower is not None
    if by == "state":
        told.say(m.GameElements(GAME, (4, 1)), state(1000))
    else:
        told.say(m.Turn(GAME, 2, 1000))
    assert (follower.is_over, follower.winner) == (True, 1 if by == "state" else 2)
    told.say(m.CardAction(GAME, 3, 3, (6, 5)))
    stats = m.GameStats(GAME, ("3", "10", "2", "2", "true", "true", "true", "true"))
    assert told.say(stats) == [m.LeaveGame("ours", "", GAME)]
    assert (told.line.agent.ended[0].how, player.is_over) == ("over", True)
    assert follower.happened[-1].winner == follower.winner


def test_a_knight_that_wins_still_moves_the_robber() -> None:
    told = with_card(9)
    follower = told.player.follower
    assert follower is not None
    follower.view._array["points"][0, 0] = 8
    follower.view._array["played"][0, 0, 0] = 2
    told.policy = playing(Action.play_knight())
    told.say(m.RollPrompt(GAME, 0))
    told.say(m.CardAction(GAME, 0, 1, (9,)), m.Element(GAME, 0, 100, 15, 3))
    assert told.view.is_over
    (moved,) = told.say(state(33))
    assert isinstance(moved, m.MoveRobber) and moved.tile != places.TILES[told.view.robber]
    told.say(moved, m.GameElements(GAME, (4, 0)), state(1000))
    assert follower.winner == 0 and set(differences(told)) == {"own hand"}
