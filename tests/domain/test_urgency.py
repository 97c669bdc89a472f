"""The order in which findings are listed."""

from __future__ import annotations

from domain.finding import Severity
from domain.urgency import urgency


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
