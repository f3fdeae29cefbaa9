"""The lobby, leaving and coming back, heartbeats, and every error of the page."""

from typing import Any

import pytest

from catan_env.guests.renaissance import messages as m
from catan_env.guests.renaissance.records import Records
from catan_env.guests.renaissance.room import GRACE, SILENCE, RenaissanceRoom
from catan_env.net.room import Close, Garbled, Send
from tests.guests.renaissance.drawn import (
    first_legal,
    in_hand,
    leaders,
    market,
    refresh,
    shelves,
    shelves_of,
    slots,
    strongbox,
    top,
)

ALL = "CCCCCCSSSSSSVVVVVVHHHHHH"


class Conversation:
    """A room, and what each line was sent by the last message."""

    def __init__(self, records: Records | None = None, seed: int = 1) -> None:
        self.records = records or Records()
        self.room = RenaissanceRoom(self.records, seed=seed)
        self.now = 0.0
        self.heard: dict[int, list[Any]] = {}
        self.closed: list[int] = []

    def do(self, effects: list[Any]) -> None:
        self.heard = {}
        self.closed = [effect.line for effect in effects if isinstance(effect, Close)]
        for effect in effects:
            if isinstance(effect, Send):
                self.heard.setdefault(effect.line, []).append(effect.message)

    def open(self, *lines: int) -> None:
        for line in lines:
            self.do(self.room.opened(line, self.now))

    def say(self, line: int, message: Any) -> list[Any]:
        self.do(self.room.received(line, message, self.now))
        return self.heard.get(line, [])

    def join(self, *names: str) -> None:
        for line, name in enumerate(names):
            self.open(line)
            self.say(line, m.ReqJoin(name))

    @property
    def table(self) -> Any:
        return next(iter(self.room.tables))

    def line_of(self, seat: int) -> int:
        line = self.table.lines[seat]
        assert line is not None
        return line


def begun(seats: int = 2) -> Conversation:
    """A game in its set-up."""
    talk = Conversation()
    talk.join(*"abcd"[:seats])
    talk.say(0, m.ReqNewGame(seats))
    return talk


def playing(seats: int = 2) -> Conversation:
    """A game in its first turn, in which nobody holds anything; seat 0 is on turn."""
    talk = begun(seats)
    game = talk.table.game
    while not game.is_playing:
        game.play(first_legal(game))
    talk.table._kept = len(game.record()["marks"])
    game.state["faith"] = 0
    for seat in range(seats):
        shelves(game, seat)
    market(game, "CCHF SSV. HV..", ".")
    return talk


def on_turn(talk: Conversation, message: Any) -> Any:
    """The one answer to the seat on turn."""
    answers = talk.say(talk.line_of(talk.table.game.turn_seat), message)
    assert len(answers) == 1, answers
    return answers[0]


def test_the_handshake_is_symmetric_and_nothing_waits_for_it() -> None:
    talk = Conversation()
    talk.open(0)
    assert talk.heard == {0: [m.ReqWelcome()]}
    assert talk.say(0, m.ReqWelcome()) == [m.ResWelcome()]
    assert talk.say(0, m.ResWelcome()) == []
    assert talk.say(0, m.ReqHeartbeat()) == [m.ResHeartbeat()]


def test_silence_is_asked_about_and_then_closed() -> None:
    talk = Conversation()
    talk.open(0, 1)
    talk.now = 5.0
    talk.say(1, m.ResHeartbeat())
    assert talk.room.deadline == SILENCE
    talk.do(talk.room.time(SILENCE))
    assert talk.heard == {0: [m.ReqHeartbeat()]}
    talk.now = 20.0
    talk.say(1, m.ResWelcome())
    talk.do(talk.room.time(2 * SILENCE))
    assert talk.closed == [0]
    assert talk.room.deadline == 20.0 + SILENCE


def test_a_line_that_was_asked_late_has_its_full_time_to_answer() -> None:
    talk = Conversation()
    talk.open(0)
    talk.do(talk.room.time(3 * SILENCE))
    assert talk.heard == {0: [m.ReqHeartbeat()]} and talk.closed == []
    assert talk.room.deadline == 4 * SILENCE
    talk.do(talk.room.time(4 * SILENCE))
    assert talk.closed == [0]


def test_a_line_that_cannot_be_read_is_answered_and_the_connection_stays() -> None:
    talk = Conversation()
    talk.open(0)
    assert talk.say(0, Garbled("no JSON")) == [m.ErrProtocol("no JSON")]
    assert talk.closed == []


def test_a_goodbye_is_answered_and_closes() -> None:
    talk = Conversation()
    talk.join("a", "b")
    assert talk.say(0, m.ReqQuit()) == [m.ResQuit()]
    assert talk.say(0, m.ReqJoin("x")) == [], "deaf but for network messages"
    assert talk.say(0, m.ReqHeartbeat()) == [m.ResHeartbeat()]
    assert talk.say(0, m.ReqGoodbye()) == [m.ResGoodbye()] and talk.closed == [0]
    talk.say(1, m.ResGoodbye())
    assert talk.closed == [1]
    assert not talk.room._guests and not talk.room._waiting


def test_names_are_unique_not_blank_and_set_once() -> None:
    talk = Conversation()
    talk.open(0, 1)
    assert talk.say(0, m.ReqEndTurn()) == [m.ErrNickname("NOT_SET")]
    assert talk.say(0, m.ReqNewGame(2)) == [m.ErrNickname("NOT_SET")]
    assert talk.say(0, m.ReqJoin("  ")) == [m.ErrNickname("NOT_SET")]
    assert talk.say(0, m.ReqJoin("ann")) == [m.UpdateBookedSeats(1, "ann")]
    assert talk.say(0, m.ReqJoin("eve")) == [m.ErrNickname("ALREADY_SET")]
    assert talk.say(1, m.ReqJoin("ann")) == [m.ErrNickname("TAKEN")]
    assert talk.say(0, m.ReqEndTurn()) == [m.ErrNickname("NOT_IN_GAME")]


def test_the_first_who_waits_prepares_the_game() -> None:
    talk = Conversation()
    talk.join("a", "b")
    assert talk.heard == {line: [m.UpdateBookedSeats(2, "a")] for line in (0, 1)}
    assert talk.say(1, m.ReqNewGame(2)) == [m.ErrNewGame(False)]
    for count in (0, 5, -1):
        assert talk.say(0, m.ReqNewGame(count)) == [m.ErrNewGame(True)]
    assert talk.say(0, m.ReqNewGame(3)) == [m.UpdateJoinGame(3)]
    assert talk.heard[1] == [m.UpdateJoinGame(3)]
    talk.open(2)
    answers = talk.say(2, m.ReqJoin("c"))
    assert answers[:2] == [m.UpdateBookedSeats(3, "a"), m.UpdateJoinGame(3)]
    assert isinstance(answers[2], m.UpdateGame) and len(talk.room.tables) == 1
    assert isinstance(talk.heard[0][-1], m.UpdateGame)


def test_a_count_stays_when_the_first_leaves_and_the_next_may_change_it() -> None:
    talk = Conversation()
    talk.join("a", "b")
    talk.say(0, m.ReqNewGame(3))
    talk.say(0, m.ReqQuit())
    assert 1 not in talk.heard, "who waits hears nothing"
    assert talk.say(1, m.ReqNewGame(1))[0] == m.UpdateJoinGame(1)
    assert len(talk.room.tables) == 1


def test_who_still_waits_hears_so_when_a_game_begins() -> None:
    talk = Conversation()
    talk.join("a", "b", "c")
    talk.say(0, m.ReqNewGame(2))
    assert talk.heard[2] == [m.UpdateBookedSeats(1, "c")]


def test_update_game_shows_the_own_hand_and_hides_the_others() -> None:
    talk = begun(3)
    for seat in range(3):
        sent = next(one for one in talk.heard[talk.line_of(seat)] if isinstance(one, m.UpdateGame))
        for player in sent.players:
            own = talk.table.names.index(player.nickname) == seat
            assert len(player.leadersHand) == (4 if own else 0)
            assert player.leadersHandCount == 4
        assert sent.currentPlayer == sent.inkwellPlayer == sent.players[0].nickname
        assert [tuple(player.setup.initialResources for player in sent.players)] == [(0, 1, 1)]
        assert sent.actionTokens is None and len(sent.productions) == 3 + 48 + 4


def test_choices_of_the_set_up() -> None:
    talk = begun(2)
    table, game = talk.table, talk.table.game
    dealt = game.state["dealt"][1].tolist()
    line = talk.line_of(1)
    foreign = game.state["dealt"][0, 0]
    say = talk.say
    assert say(line, m.ReqEndTurn()) == [m.ErrAction("EARLY_MANDATORY_ACTION")]
    assert say(line, m.ReqChooseLeaders([99, 1])) == [m.ErrNoSuchEntity("LEADER", 99)]
    not_owned = m.ErrObjectNotOwned(int(foreign), "LeaderCard")
    assert say(line, m.ReqChooseLeaders([dealt[0], int(foreign)])) == [not_owned]
    assert say(line, m.ReqChooseLeaders(dealt[:1])) == [m.ErrInitialChoice(True, 1)]
    assert say(line, m.ReqChooseLeaders(dealt)) == [m.ErrInitialChoice(True, -2)]
    assert say(line, m.ReqChooseLeaders(dealt[:1] * 2)) == [m.ErrInitialChoice(True, 0)]
    shelf = table.ids.shelves[1]
    chosen = m.ReqChooseResources({shelf[0]: {"Coin": 2}})
    assert say(line, chosen) == [m.ErrReplacedTransRecipe(False, "", 1, 2, False)]
    none = m.ErrReplacedTransRecipe(False, "", 1, 0, True)
    assert say(line, m.ReqChooseResources({})) == [none]
    faith = m.ErrInvalidResourceTransaction(False, False, "ILLEGAL_NON_STORABLE")
    assert say(line, m.ReqChooseResources({shelf[0]: {"Faith": 1}})) == [faith]
    box = table.ids.strongbox[1]
    foreign_box = m.ErrObjectNotOwned(box, "ResourceContainer")
    assert say(line, m.ReqChooseResources({box: {"Coin": 1}})) == [foreign_box]
    answers = say(line, m.ReqChooseResources([{shelf[1]: {"coin": 1}}]))
    assert answers[-1] == m.UpdateAction(table.names[1], "CHOOSE_RESOURCES")
    assert shelves_of(game, 1) == ["", "C", ""]
    assert say(line, chosen) == [m.ErrInitialChoice(False, 0)]
    answers = say(line, m.ReqChooseLeaders([dealt[3], dealt[1]]))
    assert answers == [
        m.UpdateLeadersHand(table.names[1], [dealt[1], dealt[3]]),
        m.UpdateLeadersHandCount(table.names[1], 2),
        m.UpdateAction(table.names[1], "CHOOSE_LEADERS"),
    ]
    assert talk.heard[talk.line_of(0)] == answers[1:]
    assert say(line, m.ReqChooseLeaders(dealt[:2])) == [m.ErrInitialChoice(True, 0)]
    assert say(talk.line_of(0), m.ReqChooseResources({})) == [m.ErrInitialChoice(False, 0)]
    last = say(talk.line_of(0), m.ReqChooseLeaders(game.state["dealt"][0, :2].tolist()))
    assert last[2:] == [m.UpdateSetupDone(), m.UpdateAction(table.names[0], "CHOOSE_LEADERS")]
    late = [m.ErrAction("LATE_SETUP_ACTION")]
    assert say(line, m.ReqChooseLeaders(dealt[:2])) == late == say(line, chosen)


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
            m.ErrObjectNotOwned(foreign, "ResourceContainer"),
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


def test_white_marbles_must_all_be_turned() -> None:
    """R025."""
    talk = playing()
    leaders(talk.table.game, 0, 8, 0)
    few = m.ErrReplacedTransRecipe(False, "Zero", 2, 1, True)
    assert on_turn(talk, m.ReqTakeFromMarket(True, 2, {"Servant": 1})) == few
    answers = talk.say(talk.line_of(0), m.ReqTakeFromMarket(True, 2, {"Servant": 2}))
    assert answers[-1].action == "TAKE_MARKET_RESOURCES"


def test_the_example_of_the_page() -> None:
    """A stone is placed, a coin dropped, a white marble is nothing."""
    talk = playing()
    game, table = talk.table.game, talk.table
    market(game, "CVCF SS.H .H.V", "C")
    shelf = table.ids.shelves[0][1]
    shelves(game, 0, "", "S")
    answers = talk.say(talk.line_of(0), m.ReqTakeFromMarket(False, 1, {}, {shelf: {"Stone": 1}}))
    container = m.Container(shelf, {"Stone": 2}, 2, "Stone")
    assert answers[0] == m.UpdateResourceContainer(container)
    assert answers[1] == m.UpdateFaithPoints(False, 2, table.names[1])
    assert isinstance(answers[2], m.UpdateMarket)
    assert answers[3] == m.UpdateAction(table.names[0], "TAKE_MARKET_RESOURCES")
    assert talk.heard[talk.line_of(1)] == answers


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


def test_a_purchase_is_told_in_the_order_of_the_page() -> None:
    talk = playing()
    table, game = talk.table, talk.table.game
    strongbox(top(slots(game, 0, (1, 17, 33), (2, 18, 34)), 0), 0, "HHH")
    points = game.points(0)
    answers = talk.say(
        talk.line_of(0), m.ReqBuyDevCard("Green", 1, 2, {table.ids.strongbox[0]: {"Shield": 2}})
    )
    assert [type(one).__name__ for one in answers] == [
        "UpdateResourceContainer",
        "UpdateLastRound",
        "UpdateVictoryPoints",
        "UpdateDevSlot",
        "UpdateDevCardGrid",
        "UpdateAction",
    ]
    assert answers[2] == m.UpdateVictoryPoints(table.names[0], points + 1)
    assert answers[3] == m.UpdateDevSlot(table.names[0], devSlot=2, devCards=[0])


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
        (act(16, True), m.ErrNoSuchEntity("LEADER", 16)),
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


def test_exchanges_have_no_limit_on_the_wire() -> None:
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


@pytest.mark.parametrize("seats", [2, 3])
def test_a_player_leaves_on_its_turn_and_comes_back(seats: int) -> None:
    talk = playing(seats)
    table = talk.table
    line, name = talk.line_of(0), table.names[0]
    talk.do(talk.room.closed(line, "broken", 0.0))
    expected = [
        m.UpdatePlayerStatus(False, player=name),
        m.UpdateSetupDone(),
        m.UpdateCurrentPlayer(player=table.names[1]),
    ]
    assert all(talk.heard[talk.line_of(seat)] == expected for seat in range(1, seats))
    talk.open(77)
    answers = talk.say(77, m.ReqJoin(name))
    assert answers[0] == m.UpdatePlayerStatus(True, player=name)
    assert isinstance(answers[1], m.UpdateGame) and answers[2] == m.UpdateSetupDone()
    assert talk.heard[talk.line_of(1)] == [
        m.UpdatePlayerStatus(True, player=name),
        m.UpdateSetupDone(),
    ]


def test_the_first_to_return_when_all_were_away_is_on_turn() -> None:
    """R114."""
    talk = playing(2)
    table = talk.table
    names = table.names[:]
    for seat in (1, 0):
        talk.do(talk.room.closed(talk.line_of(seat), "broken", 0.0))
    talk.open(50)
    answers = talk.say(50, m.ReqJoin(names[1]))
    game = next(one for one in answers if isinstance(one, m.UpdateGame))
    assert game.currentPlayer == names[1]
    assert {player.nickname: player.active for player in game.players} == {
        names[0]: False,
        names[1]: True,
    }


def test_a_game_ends_and_leaves_nothing_behind() -> None:
    talk = playing(2)
    table, game = talk.table, talk.table.game
    game.state["last_round"] = 1
    for seat in (0, 1):
        line = talk.line_of(seat)
        talk.say(line, m.ReqTakeFromMarket(True, 2))
        answers = talk.say(line, m.ReqEndTurn())
    kinds = [type(one).__name__ for one in answers]
    assert kinds == ["UpdateVictoryPoints"] * 2 + ["UpdateGameEnd", "UpdateAction"]
    assert answers[2] == m.UpdateGameEnd(table.names[game.winner])
    assert not talk.room.tables and not list(talk.records.games())
    assert talk.say(0, m.ReqEndTurn()) == [m.ErrAction("GAME_ENDED")]
    for line in (0, 1):
        talk.say(line, m.ReqQuit())
        talk.say(line, m.ReqGoodbye())
    assert not talk.room._guests and not talk.room._seats_of
    talk.join(*table.names)
    assert talk.heard[1] == [m.UpdateBookedSeats(2, table.names[0])], "the names are free"


def test_a_new_server_goes_on_with_the_games_of_a_killed_one() -> None:
    talk = playing(3)
    del talk
    records = Records()
    old = Conversation(records)
    old.join("a", "b", "c")
    old.say(0, m.ReqNewGame(3))
    table = old.table
    for seat in range(3):
        hand = table.game.state["dealt"][seat, :2].tolist()
        old.say(old.line_of(seat), m.ReqChooseLeaders(hand))
        owed = (0, 1, 1)[seat]
        if owed:
            shelf = table.ids.shelves[seat][0]
            old.say(old.line_of(seat), m.ReqChooseResources({shelf: {"Coin": 1}}))
    old.say(old.line_of(0), m.ReqTakeFromMarket(True, 0))
    new = Conversation(records)
    assert new.table.game == table.game and new.table.names == table.names
    new.open(10, 11)
    answers = new.say(10, m.ReqJoin(table.names[2]))
    game = next(one for one in answers if isinstance(one, m.UpdateGame))
    assert game.currentPlayer == table.names[0] and game.isMandatoryActionDone
    assert new.room.deadline == GRACE
    new.say(11, m.ReqJoin(table.names[0]))
    assert new.say(11, m.ReqEndTurn())[-1].action == "END_TURN"
    assert new.table.game.turn_seat == 1, "who was there still counts as there"
    new.do(new.room.time(GRACE))
    assert new.table.game.turn_seat == 2
    assert m.UpdatePlayerStatus(False, player=table.names[1]) in new.heard[10]
