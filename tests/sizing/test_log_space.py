"""Sizes of logs, pools and structures that can be typed, and what changes of them cost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.backup_schedule import as_often
from sizing.log_space import (
    LOG_CAP_ALLOCATED_MIB,
    MIB_PER_CYLINDER,
    allocated_mib,
    cylinders_for,
    is_largest,
)
from sizing.pool_space import larger_pool


def test_cylinders_end_below_four_gibibytes() -> None:
    assert cylinders_for(4_095.7) == 5_825
    assert cylinders_for(4_095.71) is None
    assert cylinders_for(0.703125) == 1


@given(st.floats(0.01, LOG_CAP_ALLOCATED_MIB))
def test_the_cylinders_hold_what_is_needed_and_one_less_would_not(needed_mib: float) -> None:
    cylinders = cylinders_for(needed_mib)
    assert cylinders is not None
    assert cylinders * MIB_PER_CYLINDER >= needed_mib
    assert (cylinders - 1) * MIB_PER_CYLINDER < needed_mib


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


@pytest.mark.parametrize(
    ("used_pct", "buffers", "wanted"),
    [(85.1, 8_500, 8_510), (95, 17_000, 19_000), (100, 8_500, 10_000), (170, 8_500, 17_000)],
)
def test_the_pages_in_use_are_85_percent_of_the_larger_pool(
    used_pct: float, buffers: float, wanted: int
) -> None:
    change = larger_pool(used_pct, buffers)
    assert change.typed == f"BUFFERS({wanted})"


def test_a_pool_of_unknown_size_gets_a_share_in_words() -> None:
    change = larger_pool(170, None)
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
