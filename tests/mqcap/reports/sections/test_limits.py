"""Limits with forecasts: which lines, and which of them have a chart."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.domain.finding import Severity
from mqcap.reports.document import ReportKind
from mqcap.reports.sections.limits import limits
from mqcap.store.observations import replace_observations
from tests.factories import DAY, crossing, finding, forecast, observation
from tests.mqcap.reports.builders import basis, texts


def test_the_weekly_and_the_monthly_report_have_urgent_limits_only(tmp_path: Path) -> None:
    fine = finding("PLEX1/CSQ2", severity=Severity.ok, breach=False, headroom_ratio=0.5)
    urgent = finding(breach=False)
    findings, crossings = [fine, urgent], [crossing(fine), crossing(urgent)]
    with basis(tmp_path, findings, crossings) as made:
        monthly = texts(limits(made).tables[0])
        weekly = texts(limits(made._replace(kind=ReportKind.weekly)).tables[0])
    assert [row[0] for row in monthly] == [row[0] for row in weekly] == ["CSQ1"]
    assert weekly[0][6:9] == ["2 Apr 2026", "29 Apr 2026", "29 Jun 2026"]


def test_a_finding_without_a_crossing_is_no_limit(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        section = limits(made)
    assert section.tables[0].rows == ()
    assert section.tables[0].blank == "No limit has a forecast."


@pytest.mark.thorough
def test_a_measured_series_has_one_chart_with_the_wording_of_its_crossing(tmp_path: Path) -> None:
    first, second = finding(breach=False), finding(breach=False, rule_id="LOG-B")
    days = [observation(day=DAY - timedelta(days=back)) for back in range(5)]
    with basis(
        tmp_path, [first, second], [crossing(first), crossing(second)], [forecast()]
    ) as made:
        assert limits(made).pictures == ()
        replace_observations(made.engine, {day.site_date for day in days}, days, {})
        [picture] = limits(made).pictures
    assert picture.png.startswith(b"\x89PNG")
    assert picture.words.startswith("PLEX1/CSQ1: Limit 2,001.6 MB/hour (0.556 MiB/s): expected ")
