"""Unanswered messages."""

from catan_env.net.watchdog import PATIENCE, Watchdog


def test_a_message_is_overdue_after_three_seconds_of_silence() -> None:
    watchdog = Watchdog()
    watchdog.sent(10.0)
    assert PATIENCE == 3.0 and watchdog.deadline == 13.0
    assert not watchdog.is_overdue(12.9)
    assert watchdog.is_overdue(13.0) and watchdog.is_overdue(99.0)


def test_nothing_is_overdue_before_a_message_is_sent() -> None:
    watchdog = Watchdog(1.0)
    watchdog.received(5.0)
    assert not watchdog.is_waiting
    assert watchdog.deadline is None and not watchdog.is_overdue(1e9)


def test_silence_is_counted_from_the_last_message_received() -> None:
    watchdog = Watchdog(2.0)
    watchdog.sent(0.0)
    watchdog.received(1.5)
    assert not watchdog.is_overdue(2.0) and watchdog.deadline == 3.5
    assert watchdog.is_overdue(3.5)


def test_a_message_read_before_a_decision_does_not_shorten_the_silence_after_it() -> None:
    """It was read together with the message that was then answered for six seconds."""
    watchdog = Watchdog(2.0)
    watchdog.sent(6.0)
    watchdog.received(0.0)
    assert watchdog.deadline == 8.0


def test_silence_is_counted_from_the_last_message_sent() -> None:
    watchdog = Watchdog(2.0)
    watchdog.sent(0.0)
    watchdog.sent(1.0)
    assert not watchdog.is_overdue(2.9) and watchdog.is_overdue(3.0)


def test_an_answered_message_is_not_overdue() -> None:
    watchdog = Watchdog(2.0)
    watchdog.sent(0.0)
    watchdog.answered()
    watchdog.received(1.0)
    assert not watchdog.is_waiting and not watchdog.is_overdue(1e9)
    watchdog.sent(5.0)
    assert watchdog.is_overdue(7.0)


def test_a_message_at_time_0_is_awaited_like_any_other() -> None:
    watchdog = Watchdog(2.0)
    watchdog.sent(0.0)
    assert watchdog.is_waiting and watchdog.is_overdue(2.0)


def test_a_patience_of_0_waits_without_a_limit() -> None:
    watchdog = Watchdog(0.0)
    watchdog.sent(0.0)
    assert watchdog.is_waiting
    assert watchdog.deadline is None and not watchdog.is_overdue(1e9)
