"""Recommendation for a finding, in one text."""

from __future__ import annotations

from datetime import date

from mqcap.domain.finding import Change, Severity
from mqcap.presentation.recommendation import advice, recommendation
from tests.factories import crossing, finding

NOTHING = "Nothing to change: the page set has room."
WATCHED = finding(
    severity=Severity.watch, breach=False, headroom_ratio=0.1246, changes=(), advice=NOTHING
)


def test_the_first_two_changes_are_named() -> None:
    changes = tuple(Change(action=f"Do {n}.") for n in range(3))
    assert recommendation(finding(changes=changes), None) == "Do 0. Do 1."


def test_what_is_missing_comes_before_anything_else() -> None:
    of = finding(severity=Severity.unknown, missing=("log_size_mib: set it in the estate",))
    assert recommendation(of, None) == "Needs: log_size_mib: set it in the estate"


def test_what_is_watched_before_its_limit_is_passed_does_not_say_nothing_to_change() -> None:
    dated = crossing(
        WATCHED,
        earliest_date=date(2026, 4, 2),
        expected_date=date(2026, 5, 1),
        latest_date=date(2026, 6, 30),
    )
    assert recommendation(WATCHED, dated) == ("No change yet: expected 2026-05-01.")
    assert recommendation(WATCHED, None) == "No change yet: 12.46 % headroom."


def test_the_advice_of_a_breach_and_of_what_is_in_order_is_that_of_the_rule() -> None:
    assert advice(finding(advice="Add logs."), None) == "Add logs."
    fine = WATCHED.model_copy(update={"severity": Severity.ok})
    assert recommendation(fine, None) == NOTHING


def test_a_change_before_its_limit_is_passed_is_never_beside_no_change_yet() -> None:
    planned = WATCHED.model_copy(update={"changes": finding().changes, "advice": "Add logs."})
    assert advice(planned, None) == "Add logs."
