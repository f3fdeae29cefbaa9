"""Invalid moves and positions are rejected, and leave the game unchanged."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from catan_env import (
    HIDDEN,
    Action,
    ActionKind,
    Board,
    DevelopmentCard,
    Game,
    GameOverError,
    IllegalActionError,
    IllegalOutcomeError,
    Resource,
    Rules,
)
from catan_env.batch import Batch
from catan_env.core.constants import Placement
from catan_env.envs.single import CatanEnv
from catan_env.game.board import Harbour, Tile
from catan_env.game.rules import LIMITS
from tests.rules.drawn import along, at, corner, hand, position

TILES = Board.beginner().tiles
LUMBER, ORE, WOOL = Resource.LUMBER, Resource.ORE, Resource.WOOL


@pytest.mark.parametrize("seats", ["4", None, True, [2], 2.0, 10**9, np.float32(2)])
def test_a_table_has_two_three_or_four_seats(seats: Any) -> None:
    """C199."""
    with pytest.raises(ValueError, match="seats; allowed are 2, 3 and 4"):
        Game(seats=seats)
    with pytest.raises(ValueError, match="seats; allowed are 2, 3 and 4"):
        CatanEnv(seats=seats)


def test_a_number_of_seats_may_be_numpys() -> None:
    assert Game(seats=np.int8(3), seed=1) == Game(seats=3, seed=1)
    assert CatanEnv(seats=np.int64(2)).reset(seed=1)[0]["action_mask"].any()


@pytest.mark.parametrize("first", [-1, 3])
def test_the_first_seat_sits_at_the_table(first: int) -> None:
    """C022."""
    with pytest.raises(ValueError, match=r"first_seat is -?\d; allowed are 0\.\.2"):
        Game(seats=3, first_seat=first)


@pytest.mark.parametrize("rules", ["Base", "", 7, ["base"], Rules, Board.beginner()])
def test_rules_are_a_preset_or_rules(rules: Any) -> None:
    allowed = "allowed are 'base', 'tournament', 'duel'"
    with pytest.raises(ValueError, match=allowed):
        Game(rules=rules)
    with pytest.raises(ValueError, match=allowed):
        position(rules=rules)
    with pytest.raises(ValueError, match=allowed):
        Rules.named(rules)


@pytest.mark.parametrize("facts", [{"offers_per_turn": -1}, {"points_to_win": 2}])
def test_rules_stay_within_the_limits(facts: Any) -> None:
    with pytest.raises(ValueError, match=r"allowed are \d+\.\.\d+"):
        Rules("own", **facts)


SWITCHES = [field.name for field in fields(Rules) if isinstance(field.default, bool)]


@pytest.mark.parametrize("name", SWITCHES)
@pytest.mark.parametrize("value", [2, 1, 1.0, "false", None], ids=repr)
def test_a_switch_of_the_rules_is_true_or_false(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^{name} is {value!r}; allowed are True and False$"):
        replace(Rules.base(), **{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in LIMITS for value in ("8", 8.0, True, None)),
        *(("placement", value) for value in ("pips", 1.0, True, 3, None)),
        *(("name", value) for value in (7, None, b"base")),
    ],
)
def test_a_setting_of_the_rules_has_its_type(name: str, value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{name} is {value!r}; allowed "):
        replace(Rules.base(), **{name: value})


def test_settings_of_numpy_become_pythons() -> None:
    rules = Rules("own", hand_limit=np.int64(8), awards=np.bool_(False), placement=np.int8(1))  # type: ignore[arg-type]
    assert rules == Rules("own", hand_limit=8, awards=False, placement=Placement.PIPS)
    assert (type(rules.hand_limit), type(rules.awards)) == (int, bool)
    assert isinstance(rules.placement, Placement)


@pytest.mark.parametrize("board", ["Spiral", "", 7, None, ["spiral"], {}, TILES, Board])
def test_a_board_is_a_board_or_the_name_of_one(board: Any) -> None:
    with pytest.raises(
        ValueError, match="'spiral', 'random_tokens', 'beginner', a code and a Board"
    ):
        Game(board=board)
    with pytest.raises(ValueError, match="expected a Board"):
        position(board=board)


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        ((), "19 tiles, got 0"),
        (TILES[:18], "19 tiles, got 18"),
        ((*TILES, Tile(1, 4)), "19 tiles, got 20"),
        ((Tile(1, 4),) * 19, "needs a desert"),
        ((Tile(5, 4), *TILES[1:]), "a desert and has the token 4"),
        ((Tile(1, 13), *TILES[1:]), "tile 0 has the token 13"),
        ((Tile(1, 1), *TILES[1:]), "tile 0 has the token 1"),
        ((Tile(1, -2), *TILES[1:]), "the token of tile 0 is -2"),
        ((Tile(6, 4), *TILES[1:]), "tile 0 is at sea and has the token 4"),
        ((Tile(7, 4), *TILES[1:]), "not a valid Terrain"),
    ],
)
def test_a_board_has_nineteen_tiles_with_tokens_that_dice_show(tiles: Any, message: str) -> None:
    """C004, C006, C017."""
    with pytest.raises(ValueError, match=message):
        Board(tiles, ())


@pytest.mark.parametrize(
    ("harbour", "message"),
    [
        (Harbour((0, 54), None, 3), "vertex is 54; allowed are 0..53"),
        (Harbour((-1, 0), None, 3), "vertex is -1; allowed are 0..53"),
        (Harbour((5, 5), None, 3), "allowed are two of 0..53"),
        (Harbour((0, 5), None, 0), "rate is 0"),
        (Harbour((0, 5), 5, 2), "not a valid Resource"),
    ],
)
def test_a_harbour_is_on_the_board(harbour: Harbour, message: str) -> None:
    """C007."""
    with pytest.raises(ValueError, match=message):
        Board(TILES, (harbour,))


def test_only_a_single_game_may_have_more_than_nine_harbours() -> None:
    """C007."""
    board = Board(TILES, (Harbour((0, 5), None, 3),) * 10)
    assert Game(board=board).board == Game(board=board).copy().board == board
    for make in (Batch, CatanEnv):
        with pytest.raises(ValueError, match="10 harbours; batches and environments"):
            make(1, board=board) if make is Batch else make(board=board).reset(seed=1)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_a_seed_has_sixty_four_bits(seed: int) -> None:
    with pytest.raises(ValueError, match=r"allowed are 0\.\.2\*\*64 - 1"):
        Game(seed=seed)
    assert Game(seed=(1 << 64) - 1).seed == (1 << 64) - 1


def test_a_number_that_is_not_whole_is_not_rounded() -> None:
    for make in (
        lambda: Game(seed=1.5),
        lambda: Action.settlement(1.5),
        lambda: Action.road(2.0),
        lambda: Action.move_robber(3, victim=1.5),
        lambda: Action.bank_trade(ORE, WOOL, rate=3.5),
    ):
        with pytest.raises((TypeError, ValueError), match=r"1\.5|2\.0|3\.5"):
            make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Action.settlement(54),
        lambda: Action.city(-1),
        lambda: Action.road(72),
        lambda: Action.move_robber(19),
        lambda: Action.move_robber(0, victim=0),
        lambda: Action.move_robber(0, victim=4),
        lambda: Action.offer(4, ORE, WOOL),
        lambda: Action.offer(1, {ORE: 20}, WOOL),
        lambda: Action.offer(1, {ORE: -1}, WOOL),
        lambda: Action.offer(1, {ORE: 1.5}, WOOL),
        lambda: Action.offer(1, (1, 2), WOOL),
        lambda: Action.play_monopoly(5),
        lambda: Action.discard(-1),
        lambda: Action.from_index(848),
        lambda: Action.from_index(-1),
    ],
)
def test_an_action_names_existing_things(make: Any) -> None:
    with pytest.raises(ValueError):
        make()


def refused(game: Game, action: Any, error: type[Exception], outcome: Any = None) -> str:
    """The message of the rejection; the game must be unchanged."""
    before, events = game.state_bytes(), game.events
    with pytest.raises(error) as caught:
        game.play(action, outcome=outcome)
    assert type(caught.value) is error
    assert (game.state_bytes(), game.events) == (before, events)
    return str(caught.value)


def test_a_refusal_names_the_value_the_allowed_ones_and_the_place() -> None:
    game = position(phase="roll", turn_seat=2, turn=7)
    message = refused(game, Action.road(7), IllegalActionError)
    assert "build a road at edge 7" in message
    assert "allowed are: roll the dice" in message
    assert "seat 2 in phase ROLL of turn 7" in message


@pytest.mark.parametrize("thing", ["roll", None, 1.0, [0], ActionKind, object()])
def test_nothing_but_an_action_or_an_index_is_played(thing: Any) -> None:
    message = refused(Game(seed=1), thing, TypeError)
    assert "expected an Action or its index" in message


@pytest.mark.parametrize("index", [-1, 848, 10**12, np.int64(848)])
def test_an_index_is_in_the_action_space(index: int) -> None:
    assert "allowed are 0..847" in refused(Game(seed=1), index, IllegalActionError)


def test_every_index_outside_the_mask_is_refused() -> None:
    """Before the roll, after it, during an offer, a seven, a robber move and the set-up."""
    offer = (1, ORE, WOOL)
    rich = {0: (4, 4, 4, 4, 4), 1: (3, 3, 3, 3, 3)}
    for game in (
        Game(seed=1),
        position(phase="roll", hands=rich),
        position(settlements={0: [at(2, 0)]}, roads={0: along(2, 0, 2)}, hands=rich),
        position(phase="answer", offer=offer, hands=rich),
        position(phase="discard", hands=rich),
        position(phase="robber", settlements={1: [corner(8, "S")]}),
    ):
        mask = game.action_mask
        assert 0 < mask.sum() < 848
        for index in np.flatnonzero(mask == 0):
            refused(game, int(index), IllegalActionError)


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        (ActionKind.OFFER, (0, hand(ore=1), hand(wool=1))),
        (ActionKind.OFFER, (4, hand(ore=1), hand(wool=1))),
        (ActionKind.BANK_TRADE, (ORE, ORE, 4)),
        (ActionKind.BANK_TRADE, (ORE, ORE, None)),
        (ActionKind.ROAD, (99,)),
    ],
)
def test_an_action_that_no_rule_could_allow_is_not_made(kind: ActionKind, args: Any) -> None:
    """C114, C121: a seat does not trade with itself, nor for the same resource."""
    with pytest.raises(ValueError, match=r"allowed are|C114"):
        Action(kind, args)


@pytest.mark.parametrize("action", [Action.time_out(), Action.leave()])
def test_no_seat_plays_an_action_of_the_table(action: Action) -> None:
    game = position(settlements={0: [at(2, 0)]}, hands={0: hand(ore=9), 1: hand(wool=1)})
    refused(game, action, IllegalActionError)


ROLL = Action.roll()


@pytest.mark.parametrize(
    "outcome", [(0, 7), (7, 1), (1, 0), (-1, 8), (3,), (1, 2, 3), 7, "12", (1.5, 2), HIDDEN, ORE]
)
def test_dice_show_one_to_six(outcome: Any) -> None:
    message = refused(position(phase="roll"), ROLL, IllegalOutcomeError, outcome)
    assert "a pair of dice, each 1..6" in message


@pytest.mark.parametrize("outcome", [WOOL, LUMBER, 5, -1, "ORE", (1, 1), HIDDEN])
def test_a_stolen_card_is_one_that_the_victim_holds(outcome: Any) -> None:
    """C075."""
    game = position(
        phase="robber", settlements={1: [corner(8, "S")]}, hands={1: hand(ore=1), 2: hand(wool=3)}
    )
    refused(game, Action.move_robber(8, victim=1), IllegalOutcomeError, outcome)
    assert game.play(Action.move_robber(8, victim=1), outcome=ORE).outcome == ORE


def test_nothing_is_stolen_without_a_victim_or_from_an_empty_hand() -> None:
    """C077, C078."""
    game = position(phase="robber", settlements={1: [corner(8, "S")]})
    refused(game, Action.move_robber(18), IllegalOutcomeError, ORE)
    refused(game, Action.move_robber(8, victim=1), IllegalOutcomeError, ORE)


@pytest.mark.parametrize("outcome", [DevelopmentCard.ROAD_BUILDING, 5, -1, "KNIGHT", HIDDEN])
def test_a_bought_card_is_one_of_the_deck(outcome: Any) -> None:
    """C133: both road buildings have been played."""
    game = position(hands={0: hand(grain=1, ore=1, wool=1)}, played={1: (0, 2, 0, 0, 0)})
    refused(game, Action.buy_development_card(), IllegalOutcomeError, outcome)


@pytest.mark.parametrize(
    "outcome", [(0, 1, 0), (0, 2, 1, 0), (0, 1, 0, 0), (1, 1, 1, 0), 2, "0110"]
)
def test_a_monopoly_takes_the_cards_that_exist(outcome: Any) -> None:
    """C155."""
    game = position(hands={1: hand(ore=1), 2: hand(ore=1)}, cards={0: (0, 0, 0, 1, 0)})
    refused(game, Action.play_monopoly(ORE), IllegalOutcomeError, outcome)
    assert game.play(Action.play_monopoly(ORE), outcome=(0, 1, 1, 0)).outcome == (0, 1, 1, 0)


def test_an_outcome_may_be_a_number_equal_to_the_card() -> None:
    """With NumPy scalars: 3.0 is ORE, and the second card of the deck is ROAD_BUILDING."""
    game = position(phase="robber", settlements={1: [corner(8, "S")]}, hands={1: hand(ore=1)})
    assert game.play(Action.move_robber(8, victim=1), outcome=np.float64(3)).outcome is ORE
    game = position(hands={0: hand(grain=1, ore=1, wool=1)})
    bought = game.play(Action.buy_development_card(), outcome=np.float64(1)).outcome
    assert bought is DevelopmentCard.ROAD_BUILDING


def test_building_involves_no_chance() -> None:
    game = position(settlements={0: [at(2, 0)]}, hands={0: hand(brick=1, lumber=1)})
    road = Action.road(along(2, 0, 1)[0])
    assert "it has no random outcome" in refused(game, road, IllegalOutcomeError, (1, 2))


def test_an_illegal_action_is_refused_whatever_its_outcome() -> None:
    game = position()
    refused(game, ROLL, IllegalActionError, (3, 4))


def test_nothing_is_played_after_the_end() -> None:
    """C187."""
    game = position(
        cities={0: [at(0, 1), at(0, 3), at(0, 5), at(1, 1)]},
        cards={0: (1, 0, 0, 0, 0)},
        played={0: (2, 0, 0, 0, 0)},
    )
    game.play(Action.play_knight())
    assert game.is_over
    for action in (Action.end_turn(), Action.move_robber(0), ROLL, 0, 307, 848):
        assert "seat 0 won" in refused(game, action, GameOverError)
    refused(game, ROLL, GameOverError, (3, 4))
    before = game.state_bytes()
    with pytest.raises(GameOverError):
        game.time_out()
    with pytest.raises(GameOverError):
        game.leave(1)
    assert game.state_bytes() == before


FIFTEEN = along(2, 0, 10) + along(3, 0, 5)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"settlements": {0: [at(2, 0)], 1: [at(2, 1)]}}, "neighbours and both built on"),
        ({"settlements": {0: [at(2, 0)]}, "cities": {1: [at(2, 0)]}}, "occupied twice"),
        ({"roads": {0: along(2, 0, 2), 1: along(2, 1, 3)}}, "occupied twice"),
        ({"settlements": {0: [54]}}, "vertex is 54"),
        ({"roads": {0: [72]}}, "edge is 72"),
        ({"roads": {4: [0]}}, "seat is 4"),
        ({"robber": 19}, "robber is 19"),
        ({"turn_seat": 4}, "seat is 4"),
        ({"turn": 0}, "turn is 0"),
        ({"roads": {0: [*FIFTEEN, *along(3, 5, 6)]}}, "16 roads; there are 15"),
        ({"hands": {0: hand(ore=10), 1: hand(ore=10)}}, "hold 20 ORE; there are 19"),
        ({"hands": {0: (1, 2, 3)}}, "expected 5 counts"),
        ({"cards": {0: (15, 0, 0, 0, 0)}}, "15 KNIGHT cards; there are 14"),
        ({"cards": {0: (0, 1, 0, 0, 0)}, "played": {1: (0, 2, 0, 0, 0)}}, "3 ROAD_BUILDING"),
        ({"played": {0: (0, 0, 0, 0, 1)}}, "never played"),
        ({"new_cards": (1, 0, 0, 0, 0)}, "bought more cards"),
        ({"known": {1: hand(ore=1)}}, "known to hold more"),
        ({"longest_road_seat": 1}, "longest_road_seat is 1"),
        ({"roads": {0: along(2, 0, 5)}, "longest_road_seat": None}, "longest_road_seat is None"),
        ({"largest_army_seat": 1}, "largest_army_seat is 1"),
        ({"played": {0: (3, 0, 0, 0, 0), 1: (3, 0, 0, 0, 0)}}, "give largest_army_seat"),
        ({"phase": "dessert"}, "unknown phase 'dessert'; allowed are 'place_settlement'"),
        ({"phase": "over"}, "to set up a finished game"),
        ({"phase": "roll", "roll": 8}, "a roll of 8 before the roll"),
        ({"roll": 0}, "comes after the roll"),
        ({"roll": 13}, "roll is 13"),
        ({"phase": "discard"}, "no seat owes a card"),
        ({"phase": "discard", "hands": {0: hand(ore=8)}, "roll": 6}, "discarded on a 7"),
        ({"phase": "discard", "hands": {0: hand(ore=8)}, "discards": {0: 9}}, "owes 9 of 8"),
        ({"phase": "robber", "roll": 6}, "on a 7, or after a knight"),
        ({"phase": "robber", "roll": 0}, "on a 7, or after a knight"),
        ({"free_roads": 1}, "laid immediately"),
        ({"free_roads": 1, "phase": "roll"}, "laid immediately"),
        ({"free_roads": 3, "rules": "tournament"}, "free_roads is 3"),
        ({"phase": "free_road", "free_roads": 3}, "3 free roads"),
        ({"phase": "free_road", "rules": "tournament"}, "2 free roads"),
        ({"phase": "free_road"}, "no road to lay, or no place"),
        ({"phase": "free_road", "roads": {0: FIFTEEN}}, "no road to lay, or no place"),
        ({"phase": "answer"}, "an answer needs an offer"),
        ({"phase": "answer", "offer": (1, ORE, WOOL)}, "does not hold"),
        ({"phase": "place_settlement", "turn": 1}, "before the first turn"),
        ({"phase": "place_road"}, "do not fit the phase"),
        ({"phase": "place_settlement", "settlements": {1: [at(2, 0)]}}, "do not follow it"),
    ],
)
def test_a_position_does_not_contradict_itself(facts: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        position(**facts)


def test_a_duel_has_no_offer_to_answer() -> None:
    with pytest.raises(ValueError, match="no trade between seats"):
        position(
            seats=2, rules="duel", phase="answer", hands={0: hand(ore=1)}, offer=(1, ORE, WOOL)
        )


def test_a_credit_of_free_roads_outlasts_the_robber() -> None:
    """The tournament's credit from before the roll remains after a seven."""
    game = position(rules="tournament", phase="robber", free_roads=2, roads={0: along(2, 0, 1)})
    game.play(Action.move_robber(0))
    game.play(Action.road(along(2, 1, 2)[0]))
    assert (game.free_roads, game.hand_size(0)) == (1, 0)
