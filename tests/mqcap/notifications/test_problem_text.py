"""Text about one problem: figures, dates, state and probability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import InputValue
from mqcap.domain.input_source import LossSource
from mqcap.domain.numbers import ABSENT
from mqcap.notifications.problem_text import (
    link_lines,
    named_quantity,
    one_line,
    probability_text,
    series_link,
)
from tests.factories import finding
from tests.mqcap.notifications.builders import cf_finding, problem


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "under 1 %"), (0.01, "1 %"), (0.37, "37 %"), (1.0, "over 99 %")]
)
def test_no_forecast_is_certain(share: float, words: str) -> None:
    status = problem(cf_finding()).status
    graded = status.model_copy(update={"probability": share, "probability_days": 30})
    assert probability_text(graded) == f"{words} within 30 days"


def test_a_rate_is_named_by_what_flows() -> None:
    of = finding()
    assert named_quantity(of, 1.2) == "Log growth 4,320 MB/hour (1.2 MiB/s)"
    assert named_quantity(of, None) == ABSENT
    assert named_quantity(cf_finding(), 51.0) == "51 %"


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(one_line(text).splitlines()) <= 1


def test_the_link_of_a_loss_is_the_page_of_losses() -> None:
    inputs = (InputValue(name="with_load", value=73, origin=LossSource(lost="PLEX1/CF02")),)
    found = finding("PLEX1/CF02", rule_id="LOSS-CF-BUSY", inputs=inputs)
    address = series_link("http://host", problem(found))
    assert address == f"http://host/losses?day={found.site_date}#PLEX1/CF02"
    assert link_lines(problem(found), "http://host")[0] == f"Every survivor: {address}"


def test_the_link_of_a_finding_without_a_series_is_the_page_of_the_finding() -> None:
    found = finding(series_id=None)
    address = series_link("http://host", problem(found))
    assert address == (
        f"http://host/finding?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day={found.site_date}"
    )
    first, _ = link_lines(problem(found), "http://host")
    assert first == f"Finding and problem history: {address}"
