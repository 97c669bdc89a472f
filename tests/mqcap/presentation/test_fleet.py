"""Advice of a line of the fleet, in one text."""

from datetime import date

from mqcap.domain.crossing import Crossing
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, Severity
from mqcap.queries.fleet import fleet_lines
from mqcap.settings import AlertSettings
from tests.factories import crossing, finding

NOTHING = "Nothing to change: the page set has room."
WATCHED = finding(
    severity=Severity.watch, breach=False, headroom_ratio=0.1246, changes=(), advice=NOTHING
)


def advice(of: Finding, *dated: Crossing) -> str:
    [line] = fleet_lines([of], dated, [], Estate(), AlertSettings())
    return line.advice


def test_what_is_watched_before_its_limit_is_passed_does_not_say_nothing_to_change() -> None:
    dated = crossing(
        WATCHED,
        earliest_date=date(2026, 4, 2),
        expected_date=date(2026, 5, 1),
        latest_date=date(2026, 6, 30),
    )
    assert advice(WATCHED, dated) == "No change yet: expected 2026-05-01."
    assert advice(WATCHED) == "No change yet: 12.46 % headroom."


def test_the_advice_of_a_breach_and_of_what_is_in_order_is_that_of_the_rule() -> None:
    assert advice(finding(advice="Add logs.")) == "Add logs."
    assert advice(WATCHED.model_copy(update={"severity": Severity.ok})) == NOTHING


def test_a_change_before_its_limit_is_passed_is_never_beside_no_change_yet() -> None:
    planned = WATCHED.model_copy(update={"changes": finding().changes, "advice": "Add logs."})
    assert advice(planned) == "Add logs."
