"""Text about one problem: figures, dates, state and probability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Direction
from mqcap.notifications.problem_text import (
    crossing_text,
    one_line,
    probability_text,
    series_name,
    status_text,
)
from mqcap.presentation.sentence_numbers import figure, quantity
from tests.factories import crossing, finding
from tests.mqcap.notifications.builders import breached, cf_finding, problem


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "not known"),
        (0.0, "0"),
        (12.0, "12"),
        (0.55555, "0.556"),
        (-1.158, "-1.16"),
        (4_882.8125, "4,882.8"),
        (45_298.4, "45,298"),
        (1_000_000.0, "1,000,000"),
    ],
)
def test_a_figure_has_as_many_digits_as_it_is_worth(value: float | None, text: str) -> None:
    assert figure(value) == text


def test_a_percentage_has_no_blank_and_an_absent_value_no_unit() -> None:
    assert quantity(51.0, "%") == "51%"
    assert quantity(51.0, "MiB/s") == "51 MiB/s"
    assert quantity(3.0, "") == "3"
    assert quantity(None, "%") == "not known"


def test_a_state_without_dates_has_its_reason() -> None:
    of = cf_finding()
    unknown = crossing(of, state=CrossingState.unknown, reason="12 days of data")
    assert crossing_text(unknown, over=False) == "no date: 12 days of data"
    assert crossing_text(crossing(of, state=CrossingState.unknown), over=False) == "no date"
    far = crossing(of, state=CrossingState.not_within_horizon)
    assert crossing_text(far, over=False) == "not within the horizon"
    half = far.model_copy(update={"probability_90_days": 0.0, "probability_180_days": 0.02})
    assert crossing_text(half, over=False) == "not within 180 days"
    whole = half.model_copy(update={"probability_365_days": 0.06})
    assert crossing_text(whole, over=False) == "not within a year"
    assert crossing_text(None, over=False) == "no forecast is made of this figure"
    assert crossing_text(None, over=True) == "over the limit"


def test_a_lowest_limit_is_passed_from_above_and_some_may_not_be_reached() -> None:
    low = finding(direction=Direction.downward)
    assert crossing_text(breached(low), over=True, of=low) == "below the limit since 2026-01-30"
    full = finding(headroom_ratio=0.0)
    assert crossing_text(breached(full), over=True, of=full) == "at the limit since 2026-01-30"
    assert (
        crossing_text(breached(full), over=True, of=finding()) == "over the limit since 2026-01-30"
    )


def test_a_count_is_told_by_what_it_is_counted_over() -> None:
    assert quantity(2.0, "count/h") == "2 an hour"
    assert quantity(0.5, "count/s") == "0.5 a second"
    assert quantity(2.0, "waits/h") == "2 waits/h"


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "under 1%"), (0.01, "1%"), (0.37, "37%"), (1.0, "over 99%")]
)
def test_no_forecast_is_certain(share: float, words: str) -> None:
    status = problem(cf_finding()).status
    told = status.model_copy(update={"probability": share, "probability_days": 30})
    assert probability_text(told) == f"{words} within 30 days"


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("cf_busy_pct", "CF busy"),
        ("log_growth_mib_per_s", "log growth"),
        ("chinit_31bit_used_pct", "chinit 31bit used"),
    ],
)
def test_a_series_is_called_by_what_it_measures(metric: str, words: str) -> None:
    assert series_name(f"{metric}/PLEX1/X") == words


def test_an_edge_that_never_crosses_is_said() -> None:
    of = cf_finding()
    assert "perhaps not at all" in crossing_text(crossing(of, latest_date=None), over=False)
    alone = crossing(of, expected_date=None, latest_date=None)
    assert crossing_text(alone, over=False).startswith("earliest 2026-04-02; not expected")


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@given(st.floats(-1e12, 1e12))
def test_a_figure_is_close_to_its_value(value: float) -> None:
    assert float(figure(value).replace(",", "")) == pytest.approx(value, rel=0.006, abs=1e-300)


@pytest.mark.parametrize(
    ("told", "words"),
    [(Severity.act, "new"), (Severity.watch, "new; act if it were production")],
)
def test_a_breach_that_is_told_as_less_says_what_the_rule_says(told: Severity, words: str) -> None:
    of = finding()
    one = problem(of, breached(of))
    lesser = one.model_copy(update={"status": one.status.model_copy(update={"severity": told})})
    assert status_text(lesser) == words
