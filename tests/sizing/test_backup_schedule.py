from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.backup_schedule import as_often


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
    hours = amount.value / (1 if amount.kind is TypedKind.backup_hours else 60)
    assert 0 < hours <= allowed_h * (1 + 1e-12)


@pytest.mark.parametrize(
    ("allowed_h", "words"),
    [(124.5, "every 5 days:"), (25, "every day:"), (11, "every 8 hours:"), (0.5, "30 minutes:")],
)
def test_the_schedule_is_one_that_a_scheduler_takes(allowed_h: float, words: str) -> None:
    assert words in as_often(allowed_h, "page sets").action


def test_what_is_spread_is_backed_up_every_hour() -> None:
    assert "back up page sets every hour" in as_often(0.001, "page sets").action
