"""Servers of version 1.1: whole games, and single messages."""

from typing import Any

import pytest

from catan_env.kernel.jit import MACHINE_CODE
from catan_env.protocols.jsettlers import chat, lobby
from catan_env.protocols.jsettlers import messages as m
from catan_env.protocols.jsettlers.agent import Agent
from catan_env.protocols.jsettlers.older import Interpreter, OlderGame
from tests.protocols.jsettlers.older import OlderLine, OlderServer
from tests.protocols.jsettlers.scripted import GAME, unhurried
from tests.protocols.jsettlers.test_games import HABITS, Compared, random_policy

GAIN, LOSE = 101, 102


def played(seed: int, chats: bool) -> OlderServer:
    """One game of random robots and a random agent."""
    compared = Compared(random_policy(seed, 0.2))
    line = OlderLine(Agent(unhurried(compared), "ours", cookie="key"), chats)
    line.begin()
    robots = [random_policy(10 * seed + seat, 0.2) for seat in range(4)]
    server = OlderServer(line, seed, robots, seed % 4, habits=HABITS)  # type: ignore[arg-type]
    compared.server = server
    server.play()
    assert compared.exact > 10
    return server


@pytest.mark.parametrize("chats", [False, True], ids=["offers", "chat"])
def test_each_decision_sees_what_the_environment_shows(chats: bool) -> None:
    accepted = 0
    for seed in range(3 if MACHINE_CODE else 1):
        server = played(seed, chats)
        (ended,) = server.line.agent.ended
        assert not server.refusals
        assert ended.player.follower.tracked.differences == {}
        if server.game.is_over:
            assert (ended.how, ended.player.follower.winner) == ("over", server.game.winner)
        accepted += ended.player.statistics.accepted
        texts = server.line.texts  # type: ignore[attr-defined]
        assert (chat.READY in texts, texts.count(chat.TAKES_PART)) == (chats, int(chats))
    assert accepted or not MACHINE_CODE


def table(chats: bool = False) -> OlderGame:
    """Seat 0's game, in the main phase of its own turn."""
    game = OlderGame(GAME, 0)
    for seat in range(4):
        heard(game, lobby.SitDown(GAME, f"robot {seat}", seat, True))
    if chats:
        heard(game, m.GameText(GAME, "robot 1", chat.TAKES_PART))
    heard(game, m.GameState(GAME, 15), m.OlderTurn(GAME, 0), m.GameState(GAME, 20))
    game.owed.clear()
    return game


def heard(game: OlderGame, *messages: Any) -> list[Any]:
    return [newer for message in messages for newer in game.hear(message)]


def test_a_state_before_its_turn_is_told_with_it() -> None:
    game = table()
    said = [m.GameState(GAME, 15), m.ClearOffer(GAME, 0), m.OlderTurn(GAME, 1)]
    assert heard(game, *said, m.RollPrompt(GAME, 1)) == [m.Turn(GAME, 1, 15), m.RollPrompt(GAME, 1)]


def test_a_knight_before_the_roll_leads_back_to_the_roll() -> None:
    game = table()
    heard(game, m.GameState(GAME, 15), m.OlderTurn(GAME, 0), m.RollPrompt(GAME, 0))
    assert game.say(m.PlayCard(GAME, 9)) == [m.PlayCard(GAME, 0)]
    assert heard(game, m.CardAction(GAME, 0, 1, (0,))) == [m.CardAction(GAME, 0, 1, (9,))]
    heard(game, m.GameState(GAME, 33), m.MoveRobber(GAME, 0, 55))
    stolen = [m.Element(GAME, 0, GAIN, 2, 1), m.Element(GAME, 3, LOSE, 2, 1)]
    robbery = m.Robbery(GAME, 0, 3, "R", 2, 1)
    assert heard(game, *stolen, m.GameText(GAME, "Server", "You stole")) == [robbery]
    again = heard(game, m.GameState(GAME, 15), m.RollPrompt(GAME, 0))
    assert again == [m.GameState(GAME, 15), m.RollPrompt(GAME, 0)]


def test_a_robber_that_robs_no_seat_leaves_later_cards_alone() -> None:
    game = table()
    heard(game, m.GameState(GAME, 33), m.MoveRobber(GAME, 0, 55), m.GameState(GAME, 20))
    bank = [m.Element(GAME, 0, LOSE, 5, 4), m.Element(GAME, 0, GAIN, 1, 1)]
    traded = heard(game, *bank, m.GameText(GAME, "Server", "traded"))
    assert traded == [m.BankTraded(GAME, (0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0))]


def test_a_piece_is_paid_for_before_it_is_put() -> None:
    game, road = table(), m.PutPiece(GAME, 0, 0, 56)
    assert game.say(road) == [m.BuildRequest(GAME, 0)]
    assert heard(game, m.Element(GAME, 0, LOSE, 1, 1), m.GameState(GAME, 30)) == []
    assert game.owed == [road]


def test_a_free_road_and_a_piece_of_the_set_up_are_put_at_once() -> None:
    game, road = table(), m.PutPiece(GAME, 0, 0, 56)
    for state in (40, 41, 6):
        heard(game, m.GameState(GAME, state))
        assert game.say(road) == [road]


def test_what_a_refused_piece_cost_is_asked_back() -> None:
    game, refusal = table(), m.CancelBuild(GAME, 0)
    game.say(m.PutPiece(GAME, 0, 0, 56))
    assert heard(game, refusal) == [refusal] and not game.owed, "refused before it was paid"
    game.say(m.PutPiece(GAME, 0, 0, 56))
    heard(game, m.GameState(GAME, 30))
    game.owed.clear()
    assert heard(game, refusal) == [refusal] and game.owed == [refusal]
    assert heard(game, m.Element(GAME, 0, GAIN, 1, 1), m.GameState(GAME, 20)) == [
        m.GameState(GAME, 20)
    ]


def test_a_refused_piece_is_not_put_when_another_is_paid_for() -> None:
    game = table()
    game.say(m.PutPiece(GAME, 0, 0, 56))
    heard(game, m.CancelBuild(GAME, 0), m.GameState(GAME, 30))
    assert not game.owed


def test_what_another_seats_refused_piece_cost_is_not_asked_back() -> None:
    game, refusal = table(), m.CancelBuild(GAME, 0)
    heard(game, m.GameState(GAME, 15), m.OlderTurn(GAME, 1), m.GameState(GAME, 30))
    assert heard(game, refusal) == [refusal] and not game.owed


def test_a_refused_card_is_an_action_declined() -> None:
    assert heard(table(), m.CancelBuild(GAME, -2)) == [m.DeclinedAction(GAME, 20, ())]


def test_a_seat_that_wins_as_its_turn_begins_is_named_before_the_end() -> None:
    said = heard(table(), m.SetTurn(GAME, 2), m.GameState(GAME, 1000))
    assert said == [m.Turn(GAME, 2, 1000), m.GameState(GAME, 1000)]
    for seat in (0, -1):
        said = heard(table(), m.SetTurn(GAME, seat), m.GameState(GAME, 1000))
        assert said == [m.GameState(GAME, 1000)]


@pytest.mark.parametrize("cards", [((6, 4),), ((1, 3), (4, 1))], ids=["hidden", "shown"])
def test_only_the_number_of_another_seats_discard_is_read(cards: Any) -> None:
    game = table()
    heard(game, m.GameState(GAME, 50))
    lost = [m.Element(GAME, 2, LOSE, kind, n) for kind, n in cards]
    discarded = heard(game, *lost, m.GameText(GAME, "Server", "discarded"))
    assert discarded == [m.Discarded(GAME, "p2", (0, 0, 0, 0, 0, 4))]


def test_our_own_discard_is_read_card_by_card() -> None:
    game = table()
    heard(game, m.GameState(GAME, 50))
    lost = [m.Element(GAME, 0, LOSE, 1, 3), m.Element(GAME, 0, LOSE, 4, 1)]
    discarded = heard(game, *lost, m.GameState(GAME, 33))
    assert discarded == [m.Discarded(GAME, "p0", (3, 0, 0, 1, 0, 0)), m.GameState(GAME, 33)]


# Trades by chat.

OFFER = m.MakeOffer(GAME, 1, True, False, True, False, (0, 0, 1, 0, 0, 0, 1, 0, 0, 0))
OURS = m.MakeOffer(GAME, 0, False, True, False, False, (0, 0, 1, 0, 0, 0, 1, 0, 0, 0))


def said_by(seat: int, text: str) -> m.GameText:
    return m.GameText(GAME, f"robot {seat}", text)


def owed(game: OlderGame) -> list[str]:
    texts = [message.text for message in game.owed]
    game.owed.clear()
    return texts


def test_a_player_that_trades_by_chat_is_joined() -> None:
    game = table()
    for seat in (1, 2):
        heard(game, said_by(seat, chat.TAKES_PART))
    assert owed(game) == [chat.TAKES_PART]
    for turn in (1, 2):
        heard(game, m.OlderTurn(GAME, turn), m.GameState(GAME, 20), m.GameState(GAME, 20))
        assert owed(game) == [chat.READY], "once a turn"


def test_an_offer_by_chat_is_answered_by_chat() -> None:
    game = table(chats=True)
    assert heard(game, said_by(1, chat.to_text(OFFER))) == [OFFER] and not game.owed
    (refused,) = game.say(m.RejectOffer(GAME, 0))
    assert chat.from_text(GAME, refused.text) == chat.Answer(0, 1, chat.REFUSED)
    (accepted,) = game.say(m.AcceptOffer(GAME, 0, 1))
    assert chat.from_text(GAME, accepted.text) == chat.Answer(0, 1, chat.ACCEPTED)


def test_an_offer_to_others_gets_the_word_that_its_maker_waits_for() -> None:
    game = table(chats=True)
    heard(game, said_by(1, chat.to_text(m.MakeOffer(GAME, 1, False, False, True, True, (1,) * 10))))
    assert owed(game) == [chat.answer(0, 1, chat.NO_ANSWER)]


def test_our_offer_is_made_by_chat_and_its_acceptance_confirmed() -> None:
    game = table(chats=True)
    (said,) = game.say(OURS)
    assert heard(game, said_by(0, said.text)) == [OURS]
    assert heard(game, said_by(2, chat.answer(2, 0, chat.NO_ANSWER))) == [m.RejectOffer(GAME, 2)]
    assert heard(game, said_by(1, chat.answer(1, 0, chat.ACCEPTED))) == []
    assert owed(game) == [chat.answer(0, 1, chat.ACCEPTED)]


def test_an_offer_that_was_withdrawn_is_not_confirmed() -> None:
    game = table(chats=True)
    game.say(OURS)
    assert game.say(m.ClearOffer(GAME, 0)) == [m.ClearOffer(GAME, 0)]
    assert heard(game, said_by(1, chat.answer(1, 0, chat.ACCEPTED))) == [] and not game.owed


def test_an_offer_that_was_traded_is_not_confirmed_again() -> None:
    game, acceptance = table(chats=True), said_by(1, chat.answer(1, 0, chat.ACCEPTED))
    game.say(OURS)
    heard(game, acceptance, m.AcceptOffer(GAME, 1, 0), acceptance)
    assert owed(game) == [chat.answer(0, 1, chat.ACCEPTED)]


def test_a_seats_new_player_speaks_for_it_and_the_old_one_no_longer() -> None:
    game, text = table(chats=True), chat.to_text(OFFER)
    heard(game, lobby.SitDown(GAME, "Ann", 1, False))
    assert heard(game, said_by(1, text)) == []
    assert heard(game, m.GameText(GAME, "Ann", text)) == [OFFER]


def test_an_offer_of_alternatives_is_one_of_nothing() -> None:
    text = chat.to_text(OFFER).replace("~disj=false", "~disj=true", 1)
    (offer,) = heard(table(chats=True), said_by(1, text))
    assert offer.counts == (0,) * 10


@pytest.mark.parametrize(
    "text",
    [
        chat.to_text(OFFER),
        "TRD:2:0:game=t~from=2~to=true",
        "TRD:9:0:ACC",
        "TRD:2:0:BLOCK#",
        "TRD:2:1:REJ",
        "hello",
    ],
)
def test_other_texts_mean_nothing(text: str) -> None:
    game = table(chats=True)
    assert heard(game, said_by(2, text)) == [] and not game.owed
    assert heard(game, m.GameText(GAME, "a guest", chat.to_text(OFFER))) == []


def test_texts_are_read_and_written_with_their_commas() -> None:
    line = OlderLine(Agent(unhurried(lambda view: 0), "ours", cookie="key"), chats=True)
    line.begin()
    line.say(lobby.AskedToJoin("table", 0, ("-",)), lobby.SitDown("table", "one", 1, True))
    line.say(m.GameText("table", "one", chat.TAKES_PART))
    assert line.texts == [chat.TAKES_PART]


def test_a_table_that_was_left_is_forgotten() -> None:
    line = OlderLine(Agent(unhurried(lambda view: 0), "ours", cookie="key"))
    line.begin()
    line.say(lobby.AskedToJoin("table", 0, ("-",)), lobby.DeleteGame("table"))
    assert isinstance(line.heard[-1], lobby.LeaveGame)
    assert line.say(m.GameText("table", "one", "hello")) == []


def test_a_declined_table_that_is_deleted_is_forgotten() -> None:
    interpreter = Interpreter()
    interpreter.hear(lobby.AskedToJoin("table", 0, ("-",)))
    assert interpreter.hear(lobby.DeleteGame("table")) == [lobby.DeleteGame("table")]
    assert not interpreter._games


def test_a_table_that_the_agent_leaves_is_forgotten() -> None:
    interpreter, leave = Interpreter(), lobby.LeaveGame("ours", "", "table")
    interpreter.hear(lobby.AskedToJoin("table", 0, ("-",)))
    assert interpreter.say(leave) == [leave]
    assert not interpreter._games
