"""A seat's view as a catanatron game: known cards are the same, hidden ones are drawn at random."""

from collections.abc import Iterator
from random import Random

import pytest

from catan_env import ActionKind, Board, DevelopmentCard, Game, Resource, SeatView
from catan_env.catanatron.deal import deal, unseen_resources
from catan_env.core.constants import CARDS_PER_RESOURCE, DECK
from catan_env.policy import decide, load_policy

POLICIES = pytest.mark.parametrize("policy", ["random", "builder"])
SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


def views(seats: int, policy: str) -> Iterator[SeatView]:
    """The view of each acting seat in a game."""
    game = Game(seats, seed=seats, rules="duel" if seats == 2 else "base")
    player = load_policy(policy, seats)
    while not game.is_over and game.turn < 150:
        yield game.view(game.seat)
        game.play(decide(player, game.view(game.seat)))


@SEATS
@POLICIES
def test_every_card_is_dealt_once(seats: int, policy: str) -> None:
    chance = Random(seats)
    for view in views(seats, policy):
        hands, cards, deck = deal(view, chance)
        for resource in Resource:
            assert sum(hand[resource] for hand in hands) + view.bank[resource] == CARDS_PER_RESOURCE
        for kind in DevelopmentCard:
            played = sum((*view.played(seat), 0)[kind] for seat in range(seats))
            assert sum(own[kind] for own in cards) + played + deck.count(kind) == DECK[kind]
        assert len(deck) == view.deck_size


@SEATS
@POLICIES
def test_nothing_that_the_seat_knows_is_dealt_otherwise(seats: int, policy: str) -> None:
    chance = Random(seats)
    for view in views(seats, policy):
        hands, cards, _ = deal(view, chance)
        assert tuple(hands[view.viewer]) == view.hand(view.viewer)
        assert tuple(cards[view.viewer]) == view.cards(view.viewer)
        for seat in range(seats):
            assert sum(hands[seat]) == view.hand_size(seat)
            assert sum(cards[seat]) == view.card_count(seat)
            known = zip(view.known(seat), hands[seat], strict=True)
            assert all(proven <= held for proven, held in known)


def test_hidden_cards_are_drawn_at_random() -> None:
    def unknown(view: SeatView) -> int:
        others = (view.card_count(seat) for seat in range(4) if seat != view.viewer)
        return min(len(unseen_resources(view)), sum(others))

    view, chance = max(views(4, "builder"), key=unknown), Random(1)
    dealt = [deal(view, chance) for _ in range(20)]
    assert dealt[0] == deal(view, Random(1))
    for part in range(3):
        assert len({repr(one[part]) for one in dealt}) > 1


def table_of_many_cards() -> SeatView:
    """Seat 0's view at a table with an endless bank: 22 ores are in two hands."""
    game = Game.from_position(
        board=Board.beginner(), seats=2, rules="jsettlers",
        settlements={0: [10, 20], 1: [40, 45]}, roads={0: [], 1: []},
        hands={0: {Resource.ORE: 6, Resource.GRAIN: 5}, 1: {Resource.ORE: 16}},
    )  # fmt: skip
    return game.view(0)


def test_an_endless_bank_deals_more_cards_than_the_box_has() -> None:
    view, chance = table_of_many_cards(), Random(1)
    dealt = [deal(view, chance).hands for _ in range(20)]
    for own, other in dealt:
        assert tuple(own) == view.hand(0)
        assert sum(other) == view.hand_size(1) == 16
    assert len({tuple(other) for _, other in dealt}) > 1


@pytest.mark.parametrize("name", ["catanatron:value", "catanatron:points"])
def test_a_bot_that_tries_actions_plays_at_a_table_of_many_cards(name: str) -> None:
    pytest.importorskip("catanatron.apply_action", reason="the mirror is of catanatron 3.3")
    view = table_of_many_cards()
    assert view.action_mask[decide(load_policy(name, 1), view)] == 1


@POLICIES
def test_catanatron_s_game_agrees_with_the_view(policy: str) -> None:
    pytest.importorskip("catanatron.apply_action", reason="the mirror is of catanatron 3.3")
    from catan_env.catanatron.information import information_in_state, information_in_view
    from catan_env.catanatron.mirror import Mirror

    mirror, looked_at = None, 0
    for view in views(2, policy):
        mirror = mirror or Mirror(view.board, 1)
        state = mirror.game(view).state
        differences = information_in_state(state, view.viewer, mirror.places).differences(
            information_in_view(view)
        )
        assert not differences
        looked_at += 1
    assert looked_at > 100


@POLICIES
def test_our_legal_actions_are_playable_in_catanatron_s_game(policy: str) -> None:
    pytest.importorskip("catanatron.apply_action", reason="the mirror is of catanatron 3.3")
    from catan_env.catanatron.log import entry_of
    from catan_env.catanatron.mirror import Mirror
    from catan_env.catanatron.speech import Speech

    mirror = None
    for view in views(2, policy):
        mirror = mirror or Mirror(view.board, 1)
        game = mirror.game(view)
        speech = Speech(mirror.places, game.state.colors)
        theirs = {
            action
            for one in game.playable_actions
            for action in speech.choices(entry_of(one), view)
        }
        ours = {action for action in view.legal_actions if action.kind != ActionKind.OFFER}
        assert ours <= theirs, (ours - theirs, view)
