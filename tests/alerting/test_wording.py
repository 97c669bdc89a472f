"""Figures and dates in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerting.wording import figure, one_line, quantity, when
from domain.crossing import CrossingState
from tests.alerting.builders import cf_finding, crossing


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
    assert when(unknown, over=False) == "no date: 12 days of data"
    assert when(crossing(of, state=CrossingState.unknown), over=False) == "no date"
    far = crossing(of, state=CrossingState.not_within_horizon)
    assert when(far, over=False) == "not within the horizon"
    half = far.model_copy(update={"probability_90_days": 0.0, "probability_180_days": 0.02})
    assert when(half, over=False) == "not within 180 days"
    whole = half.model_copy(update={"probability_365_days": 0.06})
    assert when(whole, over=False) == "not within a year"
    assert when(None, over=False) == "no forecast is made of this figure"
    assert when(None, over=True) == "over the limit"


def test_an_edge_that_never_crosses_is_said() -> None:
    of = cf_finding()
    assert "perhaps not at all" in when(crossing(of, latest_date=None), over=False)
    alone = crossing(of, expected_date=None, latest_date=None)
    assert when(alone, over=False).startswith("earliest 2026-04-02; not expected")


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


@given(st.floats(-1e12, 1e12))
def test_a_figure_is_close_to_its_value(value: float) -> None:
    assert float(figure(value).replace(",", "")) == pytest.approx(value, rel=0.006, abs=1e-300)
