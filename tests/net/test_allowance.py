"""Rate limits."""

from catan_env.net.allowance import Allowance


def test_a_long_silence_saves_up_no_more_than_a_second() -> None:
    allowance = Allowance(rate=10, now=0.0)
    assert allowance.spend(10, now=3600.0) == 0.0
    assert allowance.spend(5, now=3600.0) == 0.5


def test_a_debt_is_paid_as_time_passes() -> None:
    allowance = Allowance(rate=10, now=0.0)
    assert allowance.spend(30, now=0.0) == 2.0
    assert allowance.spend(0, now=1.5) == 0.5
    assert allowance.spend(0, now=2.0) == 0.0
