"""Sizes of logs, pools and structures that can be typed, and what changes of them cost."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import Effect
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.backup_schedule import as_often
from sizing.log_space import (
    LOG_CAP_ALLOCATED_MIB,
    LOG_CAP_CYLINDERS,
    MIB_PER_CYLINDER,
    ActiveLogs,
    add_logs,
    allocated_mib,
    cylinders_for,
    is_largest,
    resize,
    spread,
)
from sizing.pool_space import larger_pool
from tests.sizing.builders import RULES, finding

TODAY = ActiveLogs(1_000, 4, dual_logging=True)


def test_cylinders_end_below_four_gibibytes() -> None:
    assert cylinders_for(4_095.7) == 5_825
    assert cylinders_for(4_095.71) is None
    assert cylinders_for(0.703125) == 1
    for cylinders in range(1, 5_825):
        assert cylinders_for(math.nextafter(cylinders * 0.703125, math.inf)) == cylinders + 1


@given(st.floats(0.01, LOG_CAP_ALLOCATED_MIB))
def test_the_cylinders_hold_what_is_needed_and_one_less_would_not(needed_mib: float) -> None:
    cylinders = cylinders_for(needed_mib)
    assert cylinders is not None
    assert cylinders * MIB_PER_CYLINDER >= needed_mib
    assert (cylinders - 1) * MIB_PER_CYLINDER < needed_mib


def test_larger_logs_name_size_cylinders_and_the_dasd_of_all_copies() -> None:
    change = resize(TODAY, 1_406.25, "they last longer")
    assert change.amount == TypedAmount.of(TypedKind.cylinders, 2_000)
    assert change.action == (
        "Define active logs of 1,407 MiB (2,000 cylinders of 3390) instead of 1,000 MiB: "
        "they last longer."
    )
    assert change.side_effects.startswith(
        "DASD: 4,616 cylinders (3,246 MiB) more (4 logs, two copies)"
    )


@pytest.mark.parametrize(
    ("dual_logging", "cost"),
    [
        (True, "DASD: 4,616 cylinders (3,246 MiB) more (4 logs, two copies)"),
        (False, "DASD: 2,308 cylinders (1,623 MiB) more (4 logs, one copy)"),
        (
            None,
            "DASD: 2,308 cylinders (1,623 MiB) more (4 logs, one copy; twice that with dual",
        ),
    ],
)
def test_the_cost_depends_on_the_copies(dual_logging: bool | None, cost: str) -> None:
    change = resize(ActiveLogs(1_000, 4, dual_logging), 1_406.25, "they last longer")
    assert change.side_effects.startswith(cost)


def test_without_a_number_of_logs_the_cost_is_that_of_one() -> None:
    change = resize(ActiveLogs(1_000), 1_406.25, "they last longer")
    assert "577 cylinders (406 MiB) more (for each log, one copy;" in change.side_effects


def test_the_largest_log_has_one_size_in_all_advice() -> None:
    largest = resize(TODAY, LOG_CAP_ALLOCATED_MIB, "the largest")
    more = add_logs(ActiveLogs(LOG_CAP_ALLOCATED_MIB, 4, dual_logging=True), 6, "more")
    assert "of 4,095.7 MiB (5,825 cylinders" in largest.action
    assert "of 4,095.7 MiB, 6 in each copy" in more.action
    actions = " ".join(
        change.action
        for change in finding(
            "LOG-RUNWAY-12H", log_size_mib=1_024, active_logs=6, sustained_rate_mib_per_s=0.794
        ).changes
    )
    assert "4,095.7 MiB" in actions
    assert "4,095 MiB" not in actions


def test_further_logs_are_counted_from_those_of_today() -> None:
    change = add_logs(TODAY, 7, "they last longer", Effect.relief)
    assert change.amount == TypedAmount.of(TypedKind.more_data_sets, 1_423, 3)
    assert change.action.startswith("Define 3 more active logs of 1,000 MiB, 7 in each copy:")
    assert change.effect is Effect.relief
    single = add_logs(TODAY, 5, "they last longer")
    assert single.action.startswith("Define 1 more active log of")


def test_a_log_of_the_cap_is_extended_in_the_most_cylinders() -> None:
    change = add_logs(ActiveLogs(4_096, 4), 5, "they last longer")
    assert change.amount == TypedAmount.of(TypedKind.more_data_sets, LOG_CAP_CYLINDERS, 1)


def test_the_load_is_spread_with_or_without_a_reason() -> None:
    assert spread(3).action == "Spread the persistent load over 3 queue managers."
    assert spread(3, "in turn").action.endswith("over 3 queue managers in turn.")
    assert spread(3).typed == "3 queue managers"


@pytest.mark.parametrize(
    ("size_mib", "allocated", "largest"),
    [
        (4_094.9, 4_094.9, False),
        (4_095, LOG_CAP_ALLOCATED_MIB, True),  # CYL(5825) rounded down
        (LOG_CAP_ALLOCATED_MIB, LOG_CAP_ALLOCATED_MIB, True),
        (4_096, 4_096, True),
    ],
)
def test_4095_mib_are_the_5825_cylinders_that_were_typed(
    size_mib: float, allocated: float, largest: bool
) -> None:
    assert allocated_mib(size_mib) == allocated
    assert is_largest(allocated_mib(size_mib)) is largest


def test_one_change_of_the_logs_mends_what_their_other_rules_report() -> None:
    for rule_id in ("LOG-FILL-30MIN", "LOG-DAY-ACTIVE", "LOG-COUNT-MIN"):
        assert RULES[rule_id].traits.superseded_by == "LOG-RUNWAY-12H"


@pytest.mark.parametrize(
    ("used_pct", "buffers", "wanted"),
    [(85.1, 8_500, 8_510), (95, 17_000, 19_000), (100, 8_500, 10_000), (170, 8_500, 17_000)],
)
def test_the_pages_in_use_are_85_percent_of_the_larger_pool(
    used_pct: float, buffers: float, wanted: int
) -> None:
    [change] = larger_pool(used_pct, buffers)
    assert change.typed == f"BUFFERS({wanted})"


def test_a_pool_of_unknown_size_gets_a_share_in_words() -> None:
    [change] = larger_pool(170, None)
    assert change.amount is None
    assert "by 100 % or more" in change.action


@pytest.mark.parametrize(
    ("allowed_h", "amount"),
    [
        (124.5, TypedAmount.of(TypedKind.backup_hours, 120)),
        (24.0, TypedAmount.of(TypedKind.backup_hours, 24)),
        (23.9, TypedAmount.of(TypedKind.backup_hours, 12)),
        (11.9, TypedAmount.of(TypedKind.backup_hours, 8)),
        (2.99, TypedAmount.of(TypedKind.backup_hours, 2)),
        (1.0, TypedAmount.of(TypedKind.backup_hours, 1)),
        (0.99, TypedAmount.of(TypedKind.backup_minutes, 30)),
        (1 / 60, TypedAmount.of(TypedKind.backup_minutes, 1)),
        (0.01, TypedAmount.of(TypedKind.queue_managers, 100)),
    ],
)
def test_an_interval_is_typed_in_hours_then_minutes_then_the_load_is_spread(
    allowed_h: float, amount: TypedAmount
) -> None:
    assert as_often(allowed_h, "page sets").amount == amount


@given(st.floats(1 / 60, 1e5))
def test_the_typed_interval_is_never_longer_than_allowed(allowed_h: float) -> None:
    amount = as_often(allowed_h, "page sets").amount
    assert amount is not None
    assert amount.kind in {TypedKind.backup_hours, TypedKind.backup_minutes}
    hours = amount.value / (1 if amount.kind == TypedKind.backup_hours else 60)
    assert 0 < hours <= allowed_h * (1 + 1e-12)


@pytest.mark.parametrize(
    ("allowed_h", "words"),
    [(124.5, "every 5 days:"), (25, "every day:"), (11, "every 8 hours:"), (0.5, "30 minutes:")],
)
def test_the_schedule_is_one_that_a_scheduler_takes(allowed_h: float, words: str) -> None:
    assert words in as_often(allowed_h, "page sets").action


def test_what_is_spread_is_backed_up_every_hour() -> None:
    assert "back up page sets every hour" in as_often(0.001, "page sets").action
