"""The last day for a change."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.presentation.due_dates import due_date, last_responsible_date
from mqcap.settings import AlertSettings, ChangeFreeze
from tests.factories import crossing, finding

PASSED = date(2026, 6, 1)
FINE = finding(breach=False)
YEAR_END = ChangeFreeze(name="year end", first=date(2026, 5, 10), last=date(2026, 5, 25))
BEFORE = ChangeFreeze(first=date(2026, 5, 1), last=date(2026, 5, 9))


@pytest.mark.parametrize(
    ("freezes", "last", "names"),
    [
        ((), date(2026, 5, 18), []),
        ((YEAR_END,), date(2026, 5, 9), ["year end"]),
        (
            (BEFORE, YEAR_END),
            date(2026, 4, 30),
            ["year end", "the freeze of 2026-05-01 to 2026-05-09"],
        ),
    ],
)
def test_a_day_in_a_freeze_moves_before_it_as_often_as_needed(
    freezes: tuple[ChangeFreeze, ...], last: date, names: list[str]
) -> None:
    assert last_responsible_date(PASSED, 14, freezes) == (last, names)


def test_the_earliest_crossing_counts_less_the_lead_time_of_the_rule() -> None:
    alerts = AlertSettings(lead_time_days={"default": 14, FINE.rule_id: 30})
    dated = crossing(FINE, earliest_date=PASSED, expected_date=PASSED + timedelta(days=60))
    assert due_date(FINE, dated, alerts) == date(2026, 5, 2)
    late = dated.model_copy(update={"earliest_date": None, "expected_date": PASSED})
    assert due_date(FINE, late, alerts) == date(2026, 5, 2)


def test_what_is_over_or_has_no_date_is_not_due() -> None:
    alerts = AlertSettings()
    assert due_date(FINE, None, alerts) is None
    assert due_date(finding(breach=True), crossing(), alerts) is None
    far = crossing(FINE, state=CrossingState.not_within_horizon)
    assert due_date(FINE, far, alerts) is None
    dateless = crossing(FINE, earliest_date=None, expected_date=None)
    assert due_date(FINE, dateless, alerts) is None
