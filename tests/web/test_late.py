"""Values that are made by their first caller, while others ask whether they have to wait."""

from threading import Event, Thread

import pytest

from catan_env.web.late import Late


def test_a_value_that_is_being_made_has_to_be_waited_for() -> None:
    begun, may_end = Event(), Event()

    def make() -> str:
        begun.set()
        may_end.wait()
        return "value"

    late = Late(make)
    thread = Thread(target=late)
    thread.start()
    begun.wait()
    is_made = late.is_made
    may_end.set()
    thread.join()
    assert (is_made, late.is_made, late()) == (False, True, "value")


def test_a_value_that_cannot_be_made_is_not_waited_for_and_its_reason_is_raised() -> None:
    def make() -> str:
        raise ImportError("no module nosuch")

    late = Late(make)
    assert not late.is_made
    for _ in range(2):
        with pytest.raises(ImportError, match="nosuch"):
            late()
        assert late.is_made
