"""The room: the requests allowed at each time, and the differences between the dialects."""

import pytest

from catan_env.guests.hanabi.wire import messages as m
from catan_env.guests.hanabi.wire import places
from catan_env.guests.hanabi.wire.dialect import DIALECTS, IMPLEMENTED, SPEC, STRICT, Dialect
from catan_env.guests.hanabi.wire.room import HanabiRoom
from tests.guests.hanabi.conversation import Conversation

ALL = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS.keys())
PLAY = b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": 1}'
ORDER = list(places.IDS)


def joined(dialect: Dialect, names: int = 2, lines: int = 3, **options: object) -> Conversation:
    """A lobby with players ann, ben, ... on the lines 0, 1, ..."""
    conversation = Conversation(HanabiRoom(dialect, order=ORDER, **options), lines)  # type: ignore[arg-type]
    for line, name in enumerate(("ann", "ben", "cyd", "dan", "eve")[:names]):
        conversation.ask(line, m.ConnectionRequest(name))
    for line in range(lines):
        conversation.news(line)
    return conversation


def started(dialect: Dialect, names: int = 2, lines: int = 3, **options: object) -> Conversation:
    conversation = joined(dialect, names, lines, **options)
    conversation.ask(names - 1, m.GameStartRequest())
    for line in range(lines):
        conversation.news(line)
    return conversation


def explanation(conversation: Conversation, line: int, data: bytes) -> str:
    """The error, which only that line receives."""
    conversation.say(line, data)
    (error,) = conversation.news(line)
    assert all(not conversation.news(other) for other in conversation.heard)
    assert isinstance(error, m.ErrorResponse)
    return error.explanation


@ALL
def test_errors_depend_on_how_far_decoding_got(dialect: Dialect) -> None:
    conversation = joined(dialect, names=1)
    conversation.ask(1, m.ConnectionRequest("ben"))
    for line in (0, 1, 2):
        conversation.news(line)
    said = [
        explanation(conversation, 1, data)
        for data in (b"\xff\xfe", b"[1]", b"{", b'{"msg_type": "NOTHING"}', b'{"msg_type": 3}',
                     b'{"msg_type": "PLAY_CARD_REQUEST"}',
                     b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": -1}',
                     b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": 1.5}',
                     b'{"msg_type": "HINT_COLOR_REQUEST", "target_player": "ann", "color": "PINK"}')
    ]  # fmt: skip
    assert said == [
        "The received message could not be read as a String.",
        *["The type of the message could not be read."] * 4,
        *["The payload of the received message could not be deserialized."] * 4,
    ]


@ALL
def test_bytes_that_are_not_text_are_refused_with_a_reason(dialect: Dialect) -> None:
    conversation = joined(dialect)
    conversation.say(1, b"\xff\xfe")
    (error,) = conversation.news(1)
    assert error.err_details is not None and "utf-8" in error.err_details


@ALL
def test_the_order_of_checks_outside_a_game(dialect: Dialect) -> None:
    conversation = joined(dialect)
    turn = "Tried to send a request when it was someone else's turn."
    join = b'{"msg_type": "CONNECTION_REQUEST", "name": "ann"}'
    first = dialect.checks_turn_first
    assert explanation(conversation, 0, b"nothing") == (
        turn if first else "The type of the message could not be read."
    )
    assert explanation(conversation, 0, join) == (
        turn if first else "The Player is already connected."
    )
    assert explanation(conversation, 1, join) == "The Player is already connected."
    assert explanation(conversation, 2, join) == ("A Player with the chosen name already exists.")
    assert explanation(conversation, 2, PLAY) == "The Player is not yet connected."
    assert explanation(conversation, 2, b'{"msg_type": "PLAY_CARD_REQUEST"}') == (
        "The Player is not yet connected."
    )
    if not first:
        assert explanation(conversation, 0, PLAY) == "The game has not started yet."


@ALL
def test_after_the_start_no_client_joins_or_starts_again(dialect: Dialect) -> None:
    conversation = started(dialect)
    late = b'{"msg_type": "CONNECTION_REQUEST", "name": "cyd"}'
    assert explanation(conversation, 2, late) == (
        "Connection refused because the game has already started."
    )
    assert explanation(conversation, 1, b'{"msg_type": "GAME_START_REQUEST"}') == (
        "The game cannot be started because it's started already."
    )
    assert explanation(conversation, 0, PLAY) == (
        "Tried to send a request when it was someone else's turn."
    )


@ALL
def test_errors_go_to_the_sender_and_responses_to_every_client(dialect: Dialect) -> None:
    conversation = started(dialect)
    conversation.ask(1, m.HintNumberRequest("ann", "ONE"))
    heard = [bool(conversation.news(line)) for line in range(3)]
    assert heard == [True, True, not dialect.hides]


@ALL
def test_hints_that_the_rule_book_forbids(dialect: Dialect) -> None:
    conversation = started(dialect)  # ann holds B1 B1 B1 B2 B2
    conversation.ask(1, m.HintColorRequest("ann", "RED"))
    error = conversation.news(1)[0]
    assert isinstance(error, m.ErrorResponse) is not dialect.empty_hints
    conversation = started(dialect)
    conversation.ask(1, m.HintColorRequest("ben", "BLUE"))
    error = conversation.news(1)[0]
    assert isinstance(error, m.ErrorResponse) is not dialect.self_hints
    own = conversation.room.table.next_player
    assert own == ("ann" if dialect.self_hints else "ben")


@ALL
@pytest.mark.parametrize("hint", ["HINT_COLOR_REQUEST", "HINT_NUMBER_REQUEST"])
def test_a_hint_looks_up_its_target_before_it_counts_the_tokens(
    dialect: Dialect, hint: str
) -> None:
    conversation = started(dialect)
    conversation.room.table.tokens = 0
    word = '"color": "BLUE"' if "COLOR" in hint else '"number": "ONE"'

    def to(target: str) -> bytes:
        return f'{{"msg_type": "{hint}", "target_player": "{target}", {word}}}'.encode()

    assert explanation(conversation, 1, to("zoe")) == "The given Player could not be found."
    none = "Hint token count is zero, a hint cannot be played."
    assert explanation(conversation, 1, to("ann")) == none


@ALL
def test_a_discard_with_all_tokens_available(dialect: Dialect) -> None:
    conversation = started(dialect)
    held = conversation.room.table.state("ann").players[1].cards[0].card.id
    conversation.ask(1, m.DiscardCardRequest(held))
    answer = conversation.news(1)[0]
    assert isinstance(answer, m.ErrorResponse) is not dialect.discard_at_max


@ALL
def test_an_id_as_a_string_of_digits(dialect: Dialect) -> None:
    conversation = started(dialect)
    held = conversation.room.table.state("ann").players[1].cards[0].card.id
    conversation.say(1, b'{"msg_type":"PLAY_CARD_REQUEST","played_card_id":"%d"}' % held)
    answer = conversation.news(1)[0]
    assert isinstance(answer, m.ErrorResponse) is not dialect.takes_digits


def test_the_fourth_failed_play_ends_the_game_of_2015() -> None:
    for dialect, most in ((SPEC, 3), (STRICT, 3), (IMPLEMENTED, 4)):
        conversation = started(dialect)
        lives = []
        for count in range(1, most + 1):
            table = conversation.room.table
            line = table.mover
            card = next(
                h for h in table.hands[line]
                if table.tops[places.colour_word(places.card_of(h.number))]
                != places.card_of(h.number).number - 1
            )  # fmt: skip
            conversation.ask(line, m.PlayCardRequest(table.card(card.number).id))
            answer = conversation.news(line)[-1]
            assert isinstance(answer, m.GameOverResponse) is (count == most)
            if count < most:
                lives.append(answer.game_state.err_tokens)
        assert lives == [2, 1, 0][: most - 1]
        assert answer.score == 0


def test_in_the_lobby_of_2015_the_last_joiner_may_act() -> None:
    conversation = joined(IMPLEMENTED)
    conversation.say(1, b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": 6}')
    assert isinstance(conversation.news(1)[0], m.PlayCardResponse)
    assert conversation.room.table.next_player == "ann"
    conversation.ask(2, m.ConnectionRequest("cyd"))
    assert conversation.room.table.next_player == "cyd"


@ALL
def test_the_fourth_joiner_makes_the_first_three_give_a_card_back(dialect: Dialect) -> None:
    conversation = started(dialect, names=4, lines=4)
    table = conversation.room.table
    assert [[held.number for held in hand] for hand in table.hands] == [
        [1, 2, 3, 4], [6, 7, 8, 9], [11, 12, 13, 14], [16, 17, 18, 19]
    ]  # fmt: skip
    assert table.deck == [*range(20, 51), 5, 10, 15]


def test_the_server_of_2015_limits_players_only_by_cards() -> None:
    conversation = Conversation(HanabiRoom(IMPLEMENTED), 14)
    for line in range(14):
        conversation.ask(line, m.ConnectionRequest(f"p{line}"))
    (error,) = [e for e in conversation.news(13) if isinstance(e, m.ErrorResponse)]
    assert error.explanation == "The deck has nor more cards."
    assert len(conversation.room.table.names) == 12


def test_names_are_listed_by_joining_or_by_age() -> None:
    for dialect, names in ((SPEC, ["ben", "ann"]), (IMPLEMENTED, ["ann", "ben"])):
        conversation = Conversation(HanabiRoom(dialect), 2)
        conversation.ask(1, m.ConnectionRequest("ben"))
        conversation.ask(0, m.ConnectionRequest("ann"))
        assert conversation.news(0)[-1].names == names


@pytest.mark.parametrize("given", [b"1.0", b"true"])
def test_only_a_dialect_that_takes_digits_offers_them(given: bytes) -> None:
    data = b'{"msg_type": "PLAY_CARD_REQUEST", "played_card_id": ' + given + b"}"
    assert "`int`, got" in m.ServerSpelling(takes_digits=False).decode(data).details
    assert "`int | str`, got" in m.ServerSpelling(takes_digits=True).decode(data).details


@pytest.mark.parametrize("name", ["", "x" * 65])
def test_a_name_has_one_to_64_characters(name: str) -> None:
    conversation = Conversation(HanabiRoom(SPEC), 1)
    conversation.ask(0, m.ConnectionRequest(name))
    (error,) = conversation.news(0)
    assert error.explanation.startswith("The payload") and "64" in error.err_details
    conversation = Conversation(HanabiRoom(IMPLEMENTED), 1)
    conversation.ask(0, m.ConnectionRequest(name))
    assert conversation.news(0)[0].names == [name]


def test_leaving_a_lobby_frees_the_name_and_leaving_a_game_ends_it() -> None:
    for dialect in (SPEC, STRICT):
        conversation = joined(dialect)
        conversation.leave(0)
        assert conversation.news(1)[0].names == ["ben"]
        conversation = started(dialect)
        conversation.leave(0)
        assert conversation.news(1) == [m.GameOverResponse(0)]
        assert conversation.closed == {0, 1, 2}
    conversation = started(IMPLEMENTED)
    conversation.leave(0)
    assert not conversation.news(1) and conversation.closed == {0}


def test_after_a_game_the_next_lobby_opens_or_the_server_ends() -> None:
    conversation = started(SPEC, games=2)
    conversation.leave(0)
    assert not conversation.room.is_over
    conversation.do(conversation.room.opened(7, 0.0))
    conversation.heard[7] = []
    conversation.ask(7, m.ConnectionRequest("ann"))
    assert conversation.news(7)[0].names == ["ann"]


def test_in_2015_a_refused_hint_costs_a_last_turn_until_the_game_hangs() -> None:
    conversation = started(IMPLEMENTED)
    table = conversation.room.table
    table.deck.clear()
    hint = b'{"msg_type": "HINT_COLOR_REQUEST", "target_player": "zoe", "color": "RED"}'
    gone = "The given Player could not be found."
    assert [explanation(conversation, 1, hint) for _ in range(2)] == [gone, gone]
    hung = "Tried to make a turn pass when no turns are left."
    assert explanation(conversation, 1, hint) == hung
    assert explanation(conversation, 1, PLAY.replace(b"1", b"6")) == hung
    not_held = "The given Card cannot be found on the Player's hand."
    assert explanation(conversation, 1, PLAY) == not_held
    conversation = started(SPEC)
    conversation.room.table.deck.clear()
    assert {explanation(conversation, 1, hint) for _ in range(5)} == {gone}


def test_a_timed_out_mover_has_left() -> None:
    conversation = started(SPEC, turn_timeout=5.0)
    room = conversation.room
    assert room.deadline == 5.0
    conversation.do(room.time(4.0))
    assert not conversation.news(0)
    conversation.do(room.time(5.0))
    assert conversation.news(0) == [m.GameOverResponse(0)] and 1 in conversation.closed


def test_the_exact_number_of_players() -> None:
    conversation = joined(SPEC, names=1, players=2)
    start = b'{"msg_type": "GAME_START_REQUEST"}'
    assert "so few" in explanation(conversation, 0, start)
    conversation.ask(1, m.ConnectionRequest("ben"))
    conversation.news(0), conversation.news(1), conversation.news(2)
    third = b'{"msg_type": "CONNECTION_REQUEST", "name": "cyd"}'
    assert "full" in explanation(conversation, 2, third)


@ALL
def test_a_number_of_players_that_cannot_begin_is_refused_at_the_start(dialect: Dialect) -> None:
    most = dialect.most or 12
    for players in (dialect.fewest, most):
        HanabiRoom(dialect, players=players)
    for players in (dialect.fewest - 1, most + 1):
        with pytest.raises(ValueError, match=f"{players}; allowed are {dialect.fewest} to {most} "):
            HanabiRoom(dialect, players=players)
