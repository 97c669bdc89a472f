"""Stories of real sites, and what holds for the advice on logs whatever the load."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mqcap.domain.finding import Finding, Severity
from sizing.log_space import LOG_CAP_CYLINDERS, LOGS_MAX, MIB_PER_CYLINDER, cylinders_for
from tests.sizing.builders import finding

rates = st.floats(0.001, 500.0)
sizes = st.floats(10.0, 4_096.0)
counts = st.integers(2, 310)


def typed(result: Finding) -> list[str]:
    return [change.typed for change in result.changes]


def test_the_90_minute_site_is_green_or_amber_per_log_and_red_for_all_of_them() -> None:
    logs_configured = {"log_size_mib": 2_048, "active_logs": 3, "dual_logging": True}
    rate = 2_048 / 1_800
    judged = finding("LOG-FILL-30MIN", **logs_configured, log_rate_mib_per_s=rate)
    assert judged.breach is False
    assert judged.severity is Severity.watch
    every = finding("LOG-RUNWAY-12H", **logs_configured, sustained_rate_mib_per_s=rate)
    assert every.breach is True
    assert every.severity is Severity.act
    assert "1 h of 12 h" in every.summary
    assert "larger first" in every.advice
    bigger, more = every.changes
    assert bigger.typed == "CYL(5825)"
    assert more.typed == "11 x CYL(5825)"
    assert "2 h instead of 1 h" in bigger.action
    assert "14 in each copy" in more.action
    assert "h more" in bigger.action
    assert "h more" in more.action
    assert "two copies" in bigger.side_effects


def test_the_infeasible_log_gets_no_advice_above_the_cap_but_alternatives() -> None:
    judged = finding("LOG-FILL-30MIN", log_size_mib=2_048, log_rate_mib_per_s=3.2, active_logs=6)
    assert judged.breach is True
    assert "4 GiB" in judged.advice
    assert "2 queue managers" in judged.advice
    for alternative in ("more logs", "archive faster", "compress", "spread"):
        assert alternative in judged.advice
    assert typed(judged)[:2] == ["CYL(5825)", "28 x CYL(5825)"]
    assert typed(judged)[-1] == "2 queue managers"
    assert "5,760" not in " ".join(change.action for change in judged.changes)


def test_a_full_size_log_is_not_advised_to_grow() -> None:
    judged = finding("LOG-FILL-30MIN", log_size_mib=4_096, log_rate_mib_per_s=2.5, active_logs=60)
    assert "CYL(5825)" not in typed(judged)
    assert judged.changes[0].action.startswith("Keep the 60 active logs")


def test_advice_is_in_mebibytes_and_cylinders_rounded_up() -> None:
    judged = finding("LOG-FILL-30MIN", log_size_mib=1_024, log_rate_mib_per_s=2.0)
    assert typed(judged) == ["CYL(5120)"]
    assert "3,600 MiB (5,120 cylinders" in judged.changes[0].action
    assert "twice that with dual logging" in judged.changes[0].side_effects


def test_decimal_megabytes_give_the_cylinders_of_the_worked_check() -> None:
    assert cylinders_for(2_000_000 * 1_800 / 2**20) == 4_883


def test_a_queue_manager_that_logs_nothing_never_fills_a_log() -> None:
    for rule_id, rate in (
        ("LOG-FILL-30MIN", "log_rate_mib_per_s"),
        ("LOG-RUNWAY-12H", "sustained_rate_mib_per_s"),
        ("LOG-DAY-ACTIVE", "day_mean_mib_per_s"),
    ):
        judged = finding(rule_id, **{"log_size_mib": 100, "active_logs": 3, rate: 0})
        assert judged.breach is False
        assert judged.severity is Severity.ok
    quiet = finding("LOG-COUNT-OVERLAP", log_size_mib=100, archive_time_min=5, log_rate_mib_per_s=0)
    assert quiet.severity is Severity.ok


@given(size=sizes, rate=rates, faster=st.floats(1.0, 100.0))
def test_a_faster_load_never_gives_more_time(size: float, rate: float, faster: float) -> None:
    slow = finding("LOG-FILL-30MIN", log_size_mib=size, log_rate_mib_per_s=rate)
    fast = finding("LOG-FILL-30MIN", log_size_mib=size, log_rate_mib_per_s=rate * faster)
    assert slow.headroom_ratio is not None
    assert fast.headroom_ratio is not None
    assert fast.headroom_ratio <= slow.headroom_ratio
    assert not (slow.breach and not fast.breach)


def after(result: Finding, size: float, logs: int) -> tuple[float, int]:
    """The logs_configured once the typed figures of a finding are in place."""
    for text in typed(result):
        if match := re.fullmatch(r"CYL\((\d+)\)", text):
            size = int(match[1]) * MIB_PER_CYLINDER
        if match := re.fullmatch(r"(\d+) x CYL\((\d+)\)", text):
            logs += int(match[1])
            assert int(match[2]) * MIB_PER_CYLINDER >= size or int(match[2]) == LOG_CAP_CYLINDERS
    return size, logs


@given(size=sizes, logs=counts, rate=rates)
def test_no_advice_on_logs_is_infeasible(size: float, logs: int, rate: float) -> None:
    logs_configured = {"log_size_mib": size, "active_logs": logs}
    for result in (
        finding("LOG-FILL-30MIN", **logs_configured, log_rate_mib_per_s=rate),
        finding("LOG-RUNWAY-12H", **logs_configured, sustained_rate_mib_per_s=rate),
        finding("LOG-DAY-ACTIVE", **logs_configured, day_mean_mib_per_s=rate),
        finding(
            "LOG-COUNT-OVERLAP", **logs_configured, archive_time_min=5, log_rate_mib_per_s=rate
        ),
        finding("LOG-COUNT-MIN", **logs_configured),
    ):
        new_size, new_logs = after(result, size, logs)
        assert new_size <= 4_096
        assert new_logs <= LOGS_MAX
        assert not result.breach or result.changes


@given(size=sizes, rate=st.floats(0.001, 2.27))
def test_following_the_advice_makes_the_fill_time_long_enough(size: float, rate: float) -> None:
    judged = finding("LOG-FILL-30MIN", log_size_mib=size, log_rate_mib_per_s=rate)
    assume(judged.breach)
    new_size, _ = after(judged, size, 4)
    assert new_size > size
    again = finding("LOG-FILL-30MIN", log_size_mib=new_size, log_rate_mib_per_s=rate)
    assert again.breach is False


@pytest.mark.parametrize("rule_id", ["LOG-RUNWAY-12H", "LOG-DAY-ACTIVE"])
@given(size=sizes, logs=counts, rate=st.floats(0.001, 14.0))
def test_following_the_advice_makes_the_ring_large_enough(
    rule_id: str, size: float, logs: int, rate: float
) -> None:
    name = {"LOG-RUNWAY-12H": "sustained_rate_mib_per_s", "LOG-DAY-ACTIVE": "day_mean_mib_per_s"}
    judged = finding(rule_id, **{"log_size_mib": size, "active_logs": logs, name[rule_id]: rate})
    assume(judged.breach)
    new_size, new_logs = after(judged, size, logs)
    logs_configured = {"log_size_mib": new_size, "active_logs": new_logs}
    assert finding(rule_id, **logs_configured, **{name[rule_id]: rate}).breach is False


@given(rate=st.floats(30.0, 500.0))
def test_a_load_that_no_ring_can_hold_is_spread(rate: float) -> None:
    judged = finding(
        "LOG-RUNWAY-12H", log_size_mib=4_096, active_logs=310, sustained_rate_mib_per_s=rate
    )
    assert typed(judged)[-1].endswith("queue managers")
    managers = int(typed(judged)[-1].split()[0])
    each = finding(
        "LOG-RUNWAY-12H",
        log_size_mib=LOG_CAP_CYLINDERS * MIB_PER_CYLINDER,
        active_logs=310,
        sustained_rate_mib_per_s=rate / managers,
    )
    assert each.breach is False


def test_slow_archiving_is_to_be_sped_up_and_bridged_with_logs() -> None:
    slow = {"log_size_mib": 3_600, "archive_time_min": 35, "log_rate_mib_per_s": 2.0}
    few = finding("LOG-COUNT-OVERLAP", **slow, active_logs=4)
    assert few.breach is True
    assert few.changes[0].action.startswith("Bring the time to archive one log below 24 min")
    assert few.changes[1].typed == "21 x CYL(5120)"
    assert any("= 90 min" in line for line in few.arithmetic)
    many = finding("LOG-COUNT-OVERLAP", **slow, active_logs=25)
    assert len(many.changes) == 1
    faster = finding("LOG-COUNT-OVERLAP", **{**slow, "archive_time_min": 24})
    assert faster.breach is False
    assert "approaches" in faster.advice


def test_a_log_at_the_cap_is_never_advised_to_shrink() -> None:
    day = finding(
        "LOG-DAY-ACTIVE",
        log_size_mib=4096,
        active_logs=8,
        day_mean_mib_per_s=2.0,
    )
    assert day.breach
    assert [change.typed for change in day.changes] == ["36 x CYL(5825)"]
