"""The one wording of a crossing."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.domain.crossing import SINCE_DATA_BEGINS, CrossingState
from mqcap.domain.finding import InputValue
from mqcap.domain.input_source import LossSource
from mqcap.domain.metric import Direction
from mqcap.presentation.crossing_text import crossing_text, side, since_words
from tests.factories import crossing, finding

BREACHED = {"state": CrossingState.breached, "breached_since": date(2026, 1, 30)}
DATES = {
    "state": CrossingState.will_cross,
    "earliest_date": date(2026, 4, 2),
    "expected_date": date(2026, 5, 1),
    "latest_date": date(2026, 6, 30),
}
FINE = finding(breach=False, headroom_ratio=0.4)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        (BREACHED, "over the limit since 2026-01-30"),
        (BREACHED | {"breached_since": None}, "over the limit"),
        (DATES, "expected 2026-05-01, earliest 2026-04-02, latest 2026-06-30"),
        (
            DATES | {"latest_date": None},
            "expected 2026-05-01, earliest 2026-04-02, perhaps not at all within the horizon",
        ),
        (
            DATES | {"expected_date": None, "latest_date": None, "probability_365_days": 0.4},
            "earliest 2026-04-02, not expected within a year",
        ),
        (
            {"state": CrossingState.not_within_horizon, "probability_180_days": 0.02},
            "not within 180 days",
        ),
        ({"state": CrossingState.unknown, "reason": "12 days of data"}, "no date, 12 days of data"),
        ({"state": CrossingState.unknown, "reason": None}, "no date"),
    ],
)
def test_a_crossing_is_worded_by_its_state(changed: dict[str, object], text: str) -> None:
    dated = {"earliest_date": None, "expected_date": None, "latest_date": None} | changed
    assert str(crossing_text(crossing(FINE, **dated), FINE)) == text


def test_headline_and_detail_make_up_the_clause() -> None:
    text = crossing_text(crossing(FINE, **DATES), FINE)
    assert text.headline == "expected 2026-05-01"
    assert text.detail == "earliest 2026-04-02, latest 2026-06-30"
    assert str(text) == f"{text.headline}, {text.detail}"


def test_a_rule_without_a_forecast_says_so_unless_its_limit_is_passed() -> None:
    assert str(crossing_text(None, FINE)) == "not forecast"
    assert str(crossing_text(None)) == "not forecast"
    assert str(crossing_text(None, finding())) == "over the limit"


def test_a_lowest_limit_is_passed_from_above_and_some_may_not_be_reached() -> None:
    low = finding(direction=Direction.downward)
    assert str(crossing_text(crossing(low, **BREACHED), low)).startswith("below the limit since")
    assert side(crossing(low), None) == "below"
    full = finding(headroom_ratio=0.0)
    assert str(crossing_text(crossing(full, **BREACHED), full)).startswith("at the limit since")


def test_a_limit_passed_on_the_first_measured_day_is_over_since_the_data_begins() -> None:
    over = crossing(FINE, **(BREACHED | {"reason": SINCE_DATA_BEGINS}))
    assert str(crossing_text(over)) == "over the limit since the data begins (2026-01-30)"
    assert since_words(crossing(FINE, **BREACHED)) == "since 2026-01-30"
    assert since_words(None) == ""


def test_what_the_console_reported_is_no_limit() -> None:
    happened = finding(is_event=True, observed=None, limit_value=None)
    assert str(crossing_text(None, happened)) == "reported on the console"


def test_a_limit_that_a_loss_would_pass_is_passed_once_it_happens() -> None:
    inputs = (InputValue(name="with_load", value=73, origin=LossSource(lost="PLEX1/CF02")),)
    assert str(crossing_text(None, finding(inputs=inputs))) == "over the limit once it is lost"


def test_a_limit_that_a_loss_would_pass_later_is_not_passed_today() -> None:
    inputs = (InputValue(name="with_load", value=55, origin=LossSource(lost="PLEX1/CF02")),)
    later = finding(inputs=inputs, breach=False)
    assert str(crossing_text(None, later)) == "not passed if it were lost today"
