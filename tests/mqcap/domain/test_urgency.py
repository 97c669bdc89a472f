"""The order in which findings are listed."""

from __future__ import annotations

from datetime import date

from mqcap.domain.finding import Severity
from mqcap.domain.urgency import urgency
from tests.factories import crossing


def test_suggestions_come_after_all_that_can_break_and_before_what_is_in_order() -> None:
    listed = sorted(Severity, key=lambda one: urgency(one, None, None))
    assert listed == [
        Severity.act,
        Severity.watch,
        Severity.unknown,
        Severity.suggestion,
        Severity.ok,
    ]


def test_a_suggestion_is_below_everything_that_is_told() -> None:
    told = (Severity.unknown, Severity.watch, Severity.act)
    assert all(one.rank > Severity.suggestion.rank > Severity.ok.rank for one in told)


def test_a_far_date_of_what_is_in_order_is_below_everything_that_is_told() -> None:
    far = crossing(expected_date=date(2027, 8, 10))
    assert urgency(Severity.ok, 0.3, far) > urgency(Severity.watch, -2.0, None, breach=True)
    assert urgency(Severity.ok, 0.3, far) < urgency(Severity.ok, 0.1, None)
    assert urgency(Severity.watch, 0.3, far) < urgency(Severity.watch, -2.0, None, breach=True)
