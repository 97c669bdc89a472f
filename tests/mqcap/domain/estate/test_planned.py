"""Planned changes of a queue manager."""

from __future__ import annotations

from datetime import date

import pytest
from pydantic import ValidationError

from mqcap.domain.estate import PlannedChange

DAY = date(2026, 3, 2)


def test_the_values_of_a_change_are_the_keys_that_it_sets() -> None:
    change = PlannedChange.model_validate(
        {"from": "2026-03-02", "active_logs": 12, "dual_logging": False, "note": "CHG1"}
    )
    assert change.first_day == DAY
    assert change.values() == {"active_logs": 12, "dual_logging": False}


def test_a_change_may_set_nothing() -> None:
    assert PlannedChange(first_day=DAY).values() == {}


@pytest.mark.parametrize(
    "facts", [{"active_logs": 1}, {"active_log_size_mib": 4_097}, {"name": "CSQ2"}]
)
def test_values_out_of_range_and_other_keys_are_refused(facts: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        PlannedChange.model_validate({"from": DAY, **facts})
