"""Every error of the page: the message that causes it, and that nothing has changed."""

import json
from typing import Any

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.native.actions import MAX_SWAPS
from catan_env.guests.renaissance.seated_game import MOST_EXCHANGES
from catan_env.net.room import Garbled
from tests.guests.renaissance.conversation import begun, on_turn, playing
from tests.guests.renaissance.drawn import (
    in_hand,
    leaders,
    refresh,
    shelves,
    shelves_of,
    slots,
    strongbox,
    top,
)
from tests.guests.renaissance.in_memory import TO_CLIENT, TO_SERVER

ALL = "CCCCCCSSSSSSVVVVVVHHHHHH"


def test_choices_of_the_set_up() -> None:
    talk = begun(2)
    table, game = talk.table, talk.table.game
    dealt = game.state["dealt"][1].tolist()
    line = talk.line_of(1)
    foreign = game.state["dealt"][0, 0]
    say = talk.say
    assert say(line, m.ReqEndTurn()) == [m.ErrAction("EARLY_MANDATORY_ACTION")]
    assert say(line, m.ReqChooseLeaders([99, 1])) == [m.ErrObjectNotOwned(99, "LeaderCard")]
    not_owned = m.ErrObjectNotOwned(int(foreign), "LeaderCard")
    assert say(line, m.ReqChooseLeaders([dealt[0], int(foreign)])) == [not_owned]
    assert say(line, m.ReqChooseLeaders(dealt[:1])) == [m.ErrInitialChoice(True, 1)]
    assert say(line, m.ReqChooseLeaders(dealt)) == [m.ErrInitialChoice(True, -2)]
    assert say(line, m.ReqChooseLeaders(dealt[:1] * 2)) == [m.ErrInitialChoice(True, 1)]
    assert say(line, m.ReqChooseLeaders(dealt[:1] * 3)) == [m.ErrInitialChoice(True, 2)]
    assert say(line, m.ReqChooseLeaders([*dealt[:2], dealt[0]])) == [m.ErrInitialChoice(True, 1)]
    shelf = table.ids.shelves[1]
    chosen = m.ReqChooseResources({shelf[0]: {"Coin": 2}})
    assert say(line, chosen) == [m.ErrReplacedTransRecipe(False, "", 1, 2, False)]
    none = m.ErrReplacedTransRecipe(False, "", 1, 0, True)
    assert say(line, m.ReqChooseResources({})) == [none]
    faith = m.ErrInvalidResourceTransaction(False, False, "ILLEGAL_NON_STORABLE")
    assert say(line, m.ReqChooseResources({shelf[0]: {"Faith": 1}})) == [faith]
    box = table.ids.strongbox[1]
    foreign_box = m.ErrObjectNotOwned(box, "Shelf")
    assert say(line, m.ReqChooseResources({box: {"Coin": 1}})) == [foreign_box]
    answers = say(line, m.ReqChooseResources([{shelf[1]: {"coin": 1}}]))
    assert answers[-1] == m.UpdateAction(table.names[1], "CHOOSE_RESOURCES")
    assert shelves_of(game, 1) == ["", "C", ""]
    assert say(line, chosen) == [m.ErrInitialChoice(False, 0)]
    assert say(talk.line_of(0), m.ReqChooseResources({})) == [m.ErrInitialChoice(False, 0)]
    answers = say(line, m.ReqChooseLeaders([dealt[3], dealt[1]]))
    assert answers == [
        m.UpdateLeadersHand(table.names[1], [dealt[1], dealt[3]]),
        m.UpdateLeadersHandCount(table.names[1], 2),
        m.UpdateAction(table.names[1], "CHOOSE_LEADERS"),
    ]
    assert talk.heard[talk.line_of(0)] == answers[1:]
    late = [m.ErrAction("LATE_SETUP_ACTION")]
    assert say(line, m.ReqChooseLeaders(dealt[:2])) == late == say(line, chosen)
    last = say(talk.line_of(0), m.ReqChooseLeaders(game.state["dealt"][0, :2].tolist()))
    assert last[2:] == [m.UpdateSetupDone(), m.UpdateAction(table.names[0], "CHOOSE_LEADERS")]
    assert say(line, m.ReqChooseLeaders(dealt[:2])) == late == say(line, chosen)


def test_leaders_are_not_chosen_a_second_time() -> None:
    talk = begun(2)
    game, line = talk.table.game, talk.line_of(1)
    dealt = game.state["dealt"][1].tolist()
    talk.say(line, m.ReqChooseLeaders(dealt[:2]))
    kept, gone = dealt[0], dealt[2]
    before = game.copy()
    choose = m.ReqChooseLeaders
    assert talk.say(line, choose([gone, kept])) == [m.ErrObjectNotOwned(gone, "LeaderCard")]
    assert talk.say(line, choose([kept, kept])) == [m.ErrInitialChoice(True, 1)]
    assert talk.say(line, choose(dealt[:2])) == [m.ErrInitialChoice(True, 0)]
    assert game == before


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_wrong_number_of_starting_goods_is_refused_at_every_seat(seats: int) -> None:
    """Through the bytes of the line: a number that cannot be encoded would close it."""
    talk = begun(seats)
    for seat, owed in enumerate((0, 1, 1, 2)[:seats]):
        shelf = talk.table.ids.shelves[seat][2]
        for sent in {0, 1, 2, 3} - {owed}:
            answers = talk.say(talk.line_of(seat), m.ReqChooseResources({shelf: {"Coin": sent}}))
            line = json.loads(b"".join(map(TO_CLIENT.encode, answers)))
            if not owed:
                assert line == {
                    "type": "ErrInitialChoice", "isLeadersChoice": False, "missingLeadersCount": 0,
                }  # fmt: skip
                continue
            assert line == {
                "type": "ErrReplacedTransRecipe", "isInput": False, "resType": "",
                "replacedCount": owed, "shelvesChoiceResCount": sent,
                "isIllegalDiscardedOut": sent < owed,
            }  # fmt: skip


def test_the_wrong_time_for_an_action() -> None:
    talk = playing()
    line = talk.line_of(1)
    assert talk.say(line, m.ReqEndTurn()) == [m.ErrAction("NOT_CURRENT_PLAYER")]
    assert on_turn(talk, m.ReqEndTurn()) == m.ErrAction("EARLY_TURN_END")
    take = m.ReqTakeFromMarket(True, 0, {}, {})
    assert talk.say(talk.line_of(0), take)[-1].action == "TAKE_MARKET_RESOURCES"
    for message in (take, m.ReqBuyDevCard("Blue", 1, 0, {}), m.ReqActivateProductions([])):
        assert on_turn(talk, message) == m.ErrAction("LATE_MANDATORY_ACTION")


def test_refused_market_actions_change_nothing() -> None:
    talk = playing()
    table, game = talk.table, talk.table.game
    before = game.copy()
    one, two, _ = table.ids.shelves[0]
    foreign = table.ids.shelves[1][0]
    take = m.ReqTakeFromMarket
    cases = [
        (take(True, 3), m.ErrNoSuchEntity("MARKET_INDEX", 3)),
        (take(False, -1), m.ErrNoSuchEntity("MARKET_INDEX", -1)),
        (
            take(True, 0, {}, {foreign: {"Coin": 1}}),
            m.ErrObjectNotOwned(foreign, "Shelf"),
        ),
        (take(True, 9, {}, {foreign: {"Coin": 1}}), m.ErrObjectNotOwned(foreign, "Shelf")),
        (
            take(True, 0, {}, {table.ids.strongbox[0]: {"Coin": 1}}),
            m.ErrObjectNotOwned(table.ids.strongbox[0], "Shelf"),
        ),
        (take(True, 0, {}, {one: {"Gold": 1}}), m.ErrNoSuchEntity("RESOURCE", -1, "Gold")),
        (take(True, 0, {"Gold": 1}), m.ErrNoSuchEntity("RESOURCE", -1, "Gold")),
        (
            take(True, 0, {}, {one: {"Coin": -1}}),
            m.ErrInvalidResourceTransaction(False, False, "NEGATIVE_VALUES"),
        ),
        (
            take(True, 0, {"Coin": -1}),
            m.ErrInvalidResourceTransaction(False, True, "NEGATIVE_VALUES"),
        ),
        (
            take(True, 0, {}, {one: {"Faith": 1}}),
            m.ErrInvalidResourceTransaction(False, False, "ILLEGAL_NON_STORABLE"),
        ),
        (take(True, 2, {"Coin": 1}), m.ErrInvalidResourceTransaction(False, True, "EXCLUDED")),
        (
            take(True, 0, {}, {one: {"Stone": 1}}),
            m.ErrReplacedTransRecipe(False, "Stone", 0, 1, False),
        ),
        (
            take(True, 0, {}, {one: {"Coin": 2}}),
            m.ErrResourceTransfer(True, "CAPACITY_REACHED", "Coin"),
        ),
        (
            take(True, 0, {}, {two: {"Coin": 1, "Shield": 1}}),
            m.ErrResourceTransfer(True, "BOUNDED_RESTYPE_DIFFER", "Shield"),
        ),
        (
            take(True, 0, {}, {one: {"Coin": 1}, two: {"Coin": 1}}),
            m.ErrResourceTransfer(True, "DUPLICATE_BOUNDED_RESOURCE", "Coin"),
        ),
    ]
    for message, error in cases:
        assert on_turn(talk, message) == error, message
    assert game == before and game.record() == before.record()


def test_a_negative_number_is_refused_also_where_a_list_names_its_container_again() -> None:
    setting = begun(2)
    shelf = setting.table.ids.shelves[1][1]
    chosen = m.ReqChooseResources([{shelf: {"Coin": 2}}, {shelf: {"Coin": -1}}])
    negative = m.ErrInvalidResourceTransaction(False, False, "NEGATIVE_VALUES")
    assert setting.say(setting.line_of(1), chosen) == [negative]
    talk = playing()
    game, ids = talk.table.game, talk.table.ids
    strongbox(top(slots(game, 0), 0), 0, ALL)
    two, box = ids.shelves[0][1], ids.strongbox[0]
    before = game.copy()
    take = m.ReqTakeFromMarket(True, 0, {}, [{two: {"Coin": -1}}, {two: {"Coin": 3}}])
    assert on_turn(talk, take) == negative
    paid = m.ErrInvalidResourceTransaction(True, False, "NEGATIVE_VALUES")
    pieces = [{box: {"Shield": 3}}, {box: {"shield": -1}}]
    assert on_turn(talk, m.ReqBuyDevCard("Green", 1, 0, pieces)) == paid
    one = m.ProductionRequest(ids.base[0], inputContainers=pieces, outputRep={"Coin": 1})
    assert on_turn(talk, m.ReqActivateProductions([one])) == paid
    assert game == before
    split = m.ReqBuyDevCard("Green", 1, 0, [{box: {"Shield": 1}}, {box: {"shield": 1}}])
    answers = talk.say(talk.line_of(0), split)
    assert answers[-1].action == "BUY_DEVELOPMENT_CARD"


@pytest.mark.parametrize("digits", [11, 4299, 4300, 4301])
def test_a_number_of_more_than_32_bits_is_no_message(digits: int) -> None:
    """Python does not write a sum of more than 4,300 digits, as an error's text would need."""
    many, coin = "9" * digits, '{"Coin":1}'
    for fields in [
        f'"ReqNewGame","playersCount":{many}',
        f'"ReqChooseLeaders","leaders":[1,{many}]',
        f'"ReqChooseResources","shelves":{{"{many}":{{"Coin":1}}}}',
        f'"ReqChooseResources","shelves":[{{"1":{{"Coin":-{many}}}}}]',
        f'"ReqSwapShelves","shelf1":{many},"shelf2":1',
        f'"ReqSwapShelves","shelf1":1,"shelf2":-{many}',
        f'"ReqLeaderAction","leader":{many},"isActivate":true',
        f'"ReqTakeFromMarket","isRow":true,"index":{many}',
        f'"ReqTakeFromMarket","isRow":true,"index":1,"replacements":{{"Coin":{many}}}',
        f'"ReqTakeFromMarket","isRow":true,"index":1,"shelves":{{"1":{{"Coin":{many}}}}}',
        f'"ReqBuyDevCard","color":"Blue","level":{many},"devSlot":1',
        f'"ReqBuyDevCard","color":"Blue","level":1,"devSlot":{many}',
        f'"ReqBuyDevCard","color":"Blue","level":1,"devSlot":1,"resContainers":{{"{many}":{coin}}}',
        f'"ReqActivateProductions","prodRequests":[{{"production":{many}}}]',
        f'"ReqActivateProductions","prodRequests":[{{"id":-{many}}}]',
        f'"ReqActivateProductions","prodRequests":[{{"id":1,"outputRep":{{"Coin":{many}}}}}]',
    ]:
        decoded = TO_SERVER.decode(bytearray(f'{{"type":{fields}}}\n'.encode()))
        assert decoded is not None and type(decoded[0]) is Garbled, fields[:60]


def test_white_marbles_must_all_be_converted() -> None:
    """R025."""
    talk = playing()
    leaders(talk.table.game, 0, 8, 0)
    few = m.ErrReplacedTransRecipe(False, "Zero", 2, 1, True)
    assert on_turn(talk, m.ReqTakeFromMarket(True, 2, {"Servant": 1})) == few
    answers = talk.say(talk.line_of(0), m.ReqTakeFromMarket(True, 2, {"Servant": 2}))
    assert answers[-1].action == "TAKE_MARKET_RESOURCES"


def test_refused_purchases() -> None:
    talk = playing()
    game, ids = talk.table.game, talk.table.ids
    strongbox(top(slots(game, 0, (1,)), 0), 0, ALL)
    box, shelf = ids.strongbox[0], ids.shelves[0][0]
    buy = m.ReqBuyDevCard
    cases = [
        (buy("Red", 1, 0), m.ErrNoSuchEntity("COLOR", -1, "Red")),
        (buy("Blue", 4, 0), m.ErrNoSuchEntity("DEVCARD", 4)),
        (buy("Blue", 0, 0), m.ErrNoSuchEntity("DEVCARD", 0)),
        (buy("Blue", 1, 3), m.ErrObjectNotOwned(3, "DevSlot")),
        (buy("Green", 1, 1, {9999: {"Coin": 1}}), m.ErrObjectNotOwned(9999, "ResourceContainer")),
        (buy("Green", 1, 0), m.ErrBuyDevCard(False)),
        (buy("Green", 3, 1), m.ErrBuyDevCard(False)),
        (
            buy("Green", 1, 1, {box: {"Zero": 1}}),
            m.ErrInvalidResourceTransaction(True, False, "ILLEGAL_NON_STORABLE"),
        ),
        (
            buy("Green", 1, 1, {box: {"Shield": 1}}),
            m.ErrReplacedTransRecipe(True, "Shield", 2, 1, True),
        ),
        (
            buy("Green", 1, 1, {box: {"Shield": 2, "Coin": 1}}),
            m.ErrReplacedTransRecipe(True, "Coin", 0, 1, False),
        ),
        (
            buy("Green", 1, 1, {shelf: {"Shield": 2}}),
            m.ErrResourceTransfer(False, "CAPACITY_REACHED", "Shield"),
        ),
    ]
    for message, error in cases:
        assert on_turn(talk, message) == error, message
    game.state["left"][1, 0], game.state["top"][1, 0] = 0, -1
    assert on_turn(talk, buy("Green", 1, 1)) == m.ErrBuyDevCard(True)


def test_refused_productions() -> None:
    talk = playing()
    game, ids = talk.table.game, talk.table.ids
    leaders(strongbox(slots(game, 0, (4, 20)), 0, "CCSSVVHH"), 0, 12, 0)
    box, base = ids.strongbox[0], ids.base[0]
    covered, above = ids.card_productions[4], ids.card_productions[20]

    def ask(number: int, taken: Any = None, gained: Any = None, rep: Any = None) -> Any:
        return m.ReqActivateProductions([request(number, taken, gained, rep)])

    def request(number: int, taken: Any = None, gained: Any = None, rep: Any = None) -> Any:
        boxes = {box: taken} if taken else {}
        return m.ProductionRequest(
            production=number,
            inputContainers=boxes,
            inputNonStorableRep=rep or {},
            outputRep=gained or {},
        )

    twice = m.ReqActivateProductions([request(base, {"Coin": 2}, {"Coin": 1})] * 2)
    not_owned = "ReducedProductionRequest"
    cases = [
        (m.ReqActivateProductions([]), m.ErrReplacedTransRecipe(True, "", 0, 0, False)),
        (ask(covered), m.ErrObjectNotOwned(covered, not_owned)),
        (ask(ids.base[1]), m.ErrObjectNotOwned(ids.base[1], not_owned)),
        (twice, m.ErrObjectNotOwned(base, not_owned)),
        (ask(base, {"Coin": 1}, {"Coin": 1}), m.ErrReplacedTransRecipe(True, "", 2, 1, True)),
        (ask(base, {"Coin": 2}), m.ErrReplacedTransRecipe(False, "", 1, 0, True)),
        (
            ask(base, {"Coin": 2}, {"Faith": 1}),
            m.ErrInvalidResourceTransaction(False, True, "EXCLUDED"),
        ),
        (
            ask(base, {"Coin": 2}, {"Zero": 1}),
            m.ErrInvalidResourceTransaction(False, True, "ILLEGAL_NON_STORABLE"),
        ),
        (
            ask(base, {"Coin": 2}, {"Coin": 1}, {"Coin": 1}),
            m.ErrInvalidResourceTransaction(True, True, "ILLEGAL_STORABLE"),
        ),
        (ask(above, {"Servant": 1}), m.ErrReplacedTransRecipe(True, "Shield", 1, 0, True)),
        (ask(base, {"Coin": 3}, {"Coin": 1}), m.ErrReplacedTransRecipe(True, "", 2, 3, False)),
        (ask(base, {"Coin": 2}, {"Coin": 2}), m.ErrReplacedTransRecipe(False, "", 1, 2, False)),
    ]
    for message, error in cases:
        assert on_turn(talk, message) == error, message
    both = m.ReqActivateProductions(
        [request(above, {"Servant": 1, "Shield": 1}), request(base, {"Shield": 2}, {"Coin": 1})]
    )
    assert on_turn(talk, both) == m.ErrResourceTransfer(False, "CAPACITY_REACHED", "Shield")
    good = m.ProductionRequest(
        id=base, inputContainers=[{box: {"Coin": 2}}], outputRep={"stone": 1}
    )
    answers = talk.say(talk.line_of(0), m.ReqActivateProductions([good]))
    assert answers[-1].action == "ACTIVATE_PRODUCTION" and game.goods(0) == [0, 3, 2, 2]


def test_leader_actions() -> None:
    talk = playing()
    game, table = talk.table.game, talk.table
    in_hand(game, 0, 0, 7)
    act = m.ReqLeaderAction
    cards = [m.CardEntry("Green", 1, 0), m.CardEntry("Yellow", 1, 0)]
    cases = [
        (act(16, True), m.ErrObjectNotOwned(16, "LeaderCard")),
        (act(-1, False), m.ErrObjectNotOwned(-1, "LeaderCard")),
        (act(5, True), m.ErrObjectNotOwned(5, "LeaderCard")),
        (act(0, True), m.ErrCardRequirements(missingDevCards=cards)),
        (act(7, True), m.ErrCardRequirements(missingResources={"Shield": 5})),
    ]
    for message, error in cases:
        assert on_turn(talk, message) == error
    strongbox(game, 0, "HHHHH")
    assert talk.say(talk.line_of(0), act(7, True)) == [
        m.UpdateVictoryPoints(table.names[0], 3),
        m.UpdateActivateLeader(7),
        m.UpdateAction(table.names[0], "ACTIVATE_LEADER"),
    ]
    assert on_turn(talk, act(7, True)) == m.UpdateAction(table.names[0], "ACTIVATE_LEADER")
    assert on_turn(talk, act(7, False)) == m.ErrActiveLeaderDiscarded()
    assert talk.say(talk.line_of(0), act(0, False)) == [
        m.UpdateFaithPoints(False, 1, table.names[0]),
        m.UpdateLeadersHand(table.names[0], [7]),
        m.UpdateLeadersHandCount(table.names[0], 1),
        m.UpdateAction(table.names[0], "DISCARD_LEADER"),
    ]
    assert on_turn(talk, act(0, False)) == m.ErrObjectNotOwned(0, "LeaderCard")


def test_a_turn_has_at_most_64_exchanges_on_the_wire() -> None:
    """Each is stored; the limit is the server's, the rules have none (R015)."""
    talk = playing()
    game, ids = shelves(talk.table.game, 0, "C"), talk.table.ids
    swap = m.ReqSwapShelves(*ids.shelves[0][:2])
    assert MOST_EXCHANGES == 64
    for _ in range(2):
        for _ in range(MOST_EXCHANGES):
            assert talk.say(talk.line_of(0), swap)[-1].action == "SWAP_SHELVES"
        before = game.copy()
        assert on_turn(talk, swap) == m.ErrAction("TOO_MANY_EXCHANGES")
        assert game == before and game.record() == before.record()
        for seat in (0, 1):
            talk.say(talk.line_of(seat), m.ReqTakeFromMarket(True, 0))
            assert talk.say(talk.line_of(seat), m.ReqEndTurn())[-1].action == "END_TURN"


def test_the_server_stores_no_exchange_that_changes_nothing() -> None:
    talk = begun(1)
    dealt = talk.table.game.state["dealt"][0].tolist()
    talk.say(0, m.ReqChooseLeaders(dealt[:2]))
    shelf = talk.table.ids.shelves[0][0]
    for _ in range(20):
        answers = talk.say(0, m.ReqSwapShelves(shelf, shelf))
        assert [type(one) for one in answers] == [m.UpdateResourceContainer] * 2 + [m.UpdateAction]
    (kept,) = talk.records.games()
    assert kept.game == talk.table.game
    assert len(kept.game.record()["marks"]) == 1 + MAX_SWAPS


def test_exchanges_on_the_wire_are_not_limited_to_the_four_of_the_mask() -> None:
    """R015, R036, R040."""
    talk = playing()
    game, ids = talk.table.game, talk.table.ids
    leaders(shelves(game, 0, "C", "SS", ""), 0, 0, 4)
    one, two, three = ids.shelves[0]
    swap = m.ReqSwapShelves
    assert on_turn(talk, swap(one, ids.strongbox[0])) == m.ErrObjectNotOwned(
        ids.strongbox[0], "Shelf"
    )
    assert on_turn(talk, swap(one, ids.depots[5])) == m.ErrObjectNotOwned(ids.depots[5], "Shelf")
    full = m.ErrResourceTransfer(True, "CAPACITY_REACHED", "Stone")
    assert on_turn(talk, swap(one, two)) == full
    differs = m.ErrResourceTransfer(True, "BOUNDED_RESTYPE_DIFFER", "Coin")
    assert on_turn(talk, swap(one, ids.depots[4])) == differs
    for _ in range(9):
        assert talk.say(talk.line_of(0), swap(two, three))[-1].action == "SWAP_SHELVES"
    assert shelves_of(game, 0) == ["C", "", "SS"]
    game.state["depot"][0, 1] = 1
    refresh(game)
    twice = m.ErrResourceTransfer(True, "DUPLICATE_BOUNDED_RESOURCE", "Stone")
    assert on_turn(talk, swap(two, ids.depots[4])) == twice


@pytest.mark.parametrize("held", [(0, 4), (4, 0)])
def test_an_exchange_with_a_depot_announces_the_shelf_and_the_depot(held: tuple[int, int]) -> None:
    """R040."""
    talk = playing()
    game, ids = talk.table.game, talk.table.ids
    leaders(shelves(game, 0, "S", "", ""), 0, *held)
    shelf, depot = ids.shelves[0][0], ids.depots[4]
    talk.say(talk.line_of(0), m.ReqSwapShelves(shelf, depot))
    for heard in talk.heard.values():
        changed = [one.resContainer for one in heard if isinstance(one, m.UpdateResourceContainer)]
        assert [(one.id, one.content) for one in changed] == [(shelf, {}), (depot, {"Stone": 1})]
    assert len(talk.heard) == 2
