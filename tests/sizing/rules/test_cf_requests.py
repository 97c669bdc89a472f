"""Requests to the coupling facility that need not have been, and how long they take."""

from __future__ import annotations

import pytest

from mqcap.domain.finding import Severity
from tests.sizing.builders import RULES, finding, severities

OK, WATCH = Severity.ok, Severity.watch
RISING = {
    "CF-RESPONSE": "CF-BUSY-N",
    "CF-0TO1": "KEYRNOTIFYDELAY",
    "CF-REDRIVE": "alike in size",
    "CF-RETRY": "Keep shared queues open",
}
"""Rules without a level, each with what its advice names."""


@pytest.mark.parametrize("rule_id", RISING)
def test_a_rise_to_exactly_one_and_a_half_times_the_usual_is_allowed(rule_id: str) -> None:
    assert severities(rule_id, "recent", 0, 5.9, 6, 6.01, usual=4) == [OK, OK, OK, WATCH]


@pytest.mark.parametrize("rule_id", RISING)
def test_a_rise_is_watched_with_advice_in_words_and_never_with_a_figure(rule_id: str) -> None:
    judged = finding(rule_id, recent=400, usual=4)
    assert judged.severity is WATCH, "a level of ours is never graded as act"
    assert RISING[rule_id] in judged.advice
    assert judged.changes == ()
    assert judged.limit_value == 6
    assert "in the last week, 4" in judged.summary
    assert any("limit = 1.5 x 4" in line for line in judged.arithmetic)


@pytest.mark.parametrize("rule_id", RISING)
def test_anything_is_a_rise_where_there_was_nothing(rule_id: str) -> None:
    assert severities(rule_id, "recent", 0, 0.01, usual=0) == [OK, WATCH]


@pytest.mark.parametrize("rule_id", ["CF-RESPONSE", "CF-0TO1", "CF-REDRIVE"])
def test_a_measured_rise_needs_the_last_week_and_days_before_it(rule_id: str) -> None:
    rule = RULES[rule_id]
    assert rule.applies_to({"recent": 1.0, "usual": 1.0})
    assert not rule.applies_to({"recent": 1.0})
    assert not rule.applies_to({"usual": 1.0})
    assert rule.forecast_series is None, "the end of the headroom cannot be forecast"


def test_retries_are_compared_once_the_estate_has_them_and_the_earlier_report_is_asked_for() -> (
    None
):
    assert not RULES["CF-RETRY"].applies_to({})
    assert RULES["CF-RETRY"].applies_to({"configured": 21.0})
    assert RULES["CF-RETRY"].applies_to({"recent": 21.0, "usual": 20.0})
    assert not RULES["CF-RETRY"].applies_to({"recent": 21.0}), "no days to compare with"
    unknown = finding("CF-RETRY", recent=21)
    assert unknown.severity is Severity.unknown
    assert "cf_retries_usual_pct" in unknown.missing[0]
    assert "retries of requests: 21 %" in finding("CF-RETRY", recent=21, usual=2).arithmetic


@pytest.mark.parametrize(("configured", "caveats"), [(21, 1), (None, 2), (5, 2)])
def test_measured_retries_say_which_counts_they_are(configured: float | None, caveats: int) -> None:
    judged = finding("CF-RETRY", recent=21, usual=20, configured=configured)
    assert len(judged.caveats) == caveats


def test_exactly_6000_messages_may_have_one_key() -> None:
    counts = (5_099, 5_101, 6_000, 6_001)
    assert severities("CF-COMMONKEY", "messages", *counts) == [OK, WATCH, WATCH, WATCH]
    assert finding("CF-COMMONKEY", messages=6_000).breach is False
    over = finding("CF-COMMONKEY", messages=6_001)
    assert over.breach
    assert "own message or correlation identifiers" in over.advice
    assert "fewer than 50" in finding("CF-COMMONKEY", messages=10).advice


@pytest.mark.parametrize(
    ("deepest", "redrives_per_get", "applies"),
    [
        (None, 0.0, True),
        (9_000.0, None, True),
        (9_000.0, 0.99, False),
        (9_000.0, 1.0, True),
        (9_000.0, 4.4, True),
        (5_000.0, 0.0, True),
    ],
    ids=["configured", "no counts", "few", "one", "as in MP16", "configured beside a depth"],
)
def test_the_depth_of_a_queue_counts_where_gets_search_lists(
    deepest: float | None, redrives_per_get: float | None, applies: bool
) -> None:
    values = {"messages": 9_000.0, "deepest": deepest, "redrives_per_get": redrives_per_get}
    assert RULES["CF-COMMONKEY"].applies_to(values) is applies
    assert not RULES["CF-COMMONKEY"].applies_to({**values, "messages": None})
