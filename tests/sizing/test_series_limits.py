"""The limit of a series, where the figure that is judged is made of more than it."""

from __future__ import annotations

import math

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.sizing.builders import finding


@given(
    busy=st.floats(0, 100),
    lost=st.floats(0, 100),
    engines=st.integers(1, 8),
    others=st.integers(1, 8),
)
def test_a_survivor_breaches_where_its_own_load_passes_the_limit_of_its_series(
    busy: float, lost: float, engines: int, others: int
) -> None:
    inputs = {"busy_pct": busy, "engines": engines, "lost_busy_pct": lost, "lost_engines": others}
    agrees("CF-SURVIVOR", busy, inputs)


@given(busy=st.floats(0, 100), engines=st.integers(1, 8), rate=st.floats(0, 100_000))
def test_a_move_breaches_where_present_load_passes_the_limit_of_its_series(
    busy: float, engines: int, rate: float
) -> None:
    agrees("SYS-CF-CHECK", busy, {"busy_pct": busy, "engines": engines, "transactions_per_s": rate})


@given(age=st.floats(0, 1e6), size=st.floats(1, 4_096), rate=st.floats(0.001, 500))
def test_a_unit_of_work_is_too_old_where_the_log_rate_passes_the_limit_of_its_series(
    age: float, size: float, rate: float
) -> None:
    assume(age == 0 or age > 1)
    inputs = {"oldest_uow_s": age, "log_size_mib": size, "log_rate_mib_per_s": rate}
    assume(age or rate < 2 * size)
    agrees("REC-UOW-LONG", rate, inputs)


@given(
    channels=st.floats(1, 9_999),
    allowed=st.floats(0.1, 60),
    syncq=st.none() | st.floats(0, 9_999),
)
def test_channels_are_late_where_their_number_passes_the_limit_of_its_series(
    channels: float, allowed: float, syncq: float | None
) -> None:
    given_ = {} if syncq is None else {"syncq_channels": syncq}
    agrees("CH-START-STOP", channels, {"channels": channels, "restart_max_s": allowed, **given_})


def agrees(rule_id: str, value: float, inputs: dict[str, float]) -> None:
    """The finding is a breach exactly where the series is beyond its own limit."""
    judged = finding(rule_id, **inputs)
    assert judged.series_limit is not None
    assume(not math.isclose(value, judged.series_limit, rel_tol=1e-6, abs_tol=1e-6))
    assert judged.breach is (value > judged.series_limit)
