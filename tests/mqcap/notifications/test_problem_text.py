"""Text about one problem: figures, dates, state and probability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.numbers import ABSENT
from mqcap.notifications.problem_text import (
    named_quantity,
    one_line,
    probability_text,
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
