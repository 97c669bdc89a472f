"""A subject as a model."""

from __future__ import annotations

from datetime import date

import pytest

from mq_capacity_page.pages.subject.view import subject_view
from mq_capacity_page.web.context import PageContext
from tests.plugins import builder


@pytest.mark.parametrize(
    ("name", "findings", "series"),
    [("PLEX1", 3, 3), ("PLEX1/CSQ1", 2, 1), ("PLEX1/CF01", 1, 2), ("PLEX2", 1, 1)],
)
def test_a_subject_has_the_findings_and_series_below_it(
    context: PageContext, name: str, findings: int, series: int
) -> None:
    view = subject_view(context, name, builder.DAY)
    assert view is not None
    assert (len(view.lines), len(view.series)) == (findings, series)


@pytest.mark.parametrize("day", [builder.DAY, None])
def test_a_subject_without_findings_and_series_has_no_view(
    context: PageContext, day: date | None
) -> None:
    assert subject_view(context, "PLEX1/CSQ", day) is None


def test_before_the_first_evaluated_day_a_subject_has_all_its_series(context: PageContext) -> None:
    view = subject_view(context, "PLEX1", None)
    assert view is not None
    assert view.lines == []
    assert {facts.series_id for facts in view.series} == {builder.LOG, builder.CF, builder.QUIET}
