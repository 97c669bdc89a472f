"""Assumptions of the plan in sentences."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mqcap.reports.sections.assumptions import assumptions
from mqcap.settings import AlertSettings, ChangeFreeze, Settings
from tests.factories import DAY, finding, forecast
from tests.mqcap.reports.builders import basis


def test_without_configuration_each_assumption_says_so(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        sentences = assumptions(made).sentences
    assert sentences[:3] == (
        "Lead times: default 14 days.", "No change freeze is stated.",
        "No change is planned in the estate.",
    )  # fmt: skip
    assert sentences[3].endswith("the nominal coverage of their prediction interval is 80 %.")


def test_freezes_that_are_over_are_left_out(tmp_path: Path) -> None:
    freezes = (
        ChangeFreeze(first=DAY - timedelta(days=9), last=DAY - timedelta(days=1), name="old"),
        ChangeFreeze(first=DAY - timedelta(days=9), last=DAY, name="quarter end"),
        ChangeFreeze(first=DAY + timedelta(days=9), last=DAY + timedelta(days=10)),
    )
    alerts = AlertSettings(lead_time_days={"B": 7, "A": 30}, change_freezes=freezes)
    settings = Settings(lake=str(tmp_path / "lake"), alerts=alerts)
    with basis(tmp_path, [finding()], settings=settings) as made:
        sentences = assumptions(made).sentences
    assert sentences[:3] == (
        "Lead times: A 30 days, B 7 days.",
        "Freeze quarter end: 2026-02-21 to 2026-03-02.",
        "Freeze of changes: 2026-03-11 to 2026-03-12.",
    )


def test_refused_forecasts_and_removed_days_are_counted(tmp_path: Path) -> None:
    forecasts = [
        forecast(removed_count=2),
        forecast("PLEX1/CSQ2", removed_count=3, points=(), refusal="only 12 days were measured"),
    ]
    with basis(tmp_path, [finding()], forecasts=forecasts) as made:
        last = assumptions(made).sentences[-1]
    assert last == "2 forecasts, 1 refused; 5 days were left out as outliers or artefacts."
