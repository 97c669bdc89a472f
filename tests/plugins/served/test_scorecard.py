"""Accuracy of past forecasts on the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugins.served.web import TestClient, rows_of, text_of  # isort: skip - chooses Airflow's home

from mq_capacity_page.pages.scorecard.view import coverage_verdict
from tests.plugins.scores import fill


def test_the_scorecard_compares_intervals_with_measured_values(
    site_folder: Path, filled: TestClient
) -> None:
    fill(site_folder)
    answer = filled.get("/scorecard")
    rows = rows_of(answer, "scores")
    assert "CF busy daily peak 80 % 80 % ✓ as stated 9.5 % 6.2 % 20 1" in rows
    assert "Log growth daily peak 60 % 80 % ▲ too narrow 9.5 % 6.2 % 20 1" in rows
    text = text_of(answer)
    assert "Scored up to Sat 31 Jan 2026" in text
    assert "30 days 70 % 100 % 1" in text
    assert "3 of the last 3 inside the interval" in text


def test_the_worst_series_comes_first_and_leads_to_its_chart(
    site_folder: Path, filled: TestClient
) -> None:
    fill(site_folder)
    answer = filled.get("/scorecard")
    assert answer.text.index("PLEX1/CSQ1</span>") < answer.text.index("PLEX1/CF01</span>")
    assert "series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1&amp;statistic=peak" in answer.text


def test_a_shorter_window_leaves_older_forecasts_out(site_folder: Path, filled: TestClient) -> None:
    fill(site_folder)
    assert "No scores yet" in text_of(filled.get("/scorecard?days=10"))


def test_before_the_first_score_the_page_says_who_makes_it(filled: TestClient) -> None:
    text = text_of(filled.get("/scorecard"))
    assert "No scores yet" in text
    assert "mqcap_forecast_verification" in text


@pytest.mark.parametrize(
    ("held", "word"),
    [(0.74, "too narrow"), (0.76, "as stated"), (0.8, "as stated"), (0.9, "too wide")],
)
def test_five_points_to_either_side_are_as_meant(held: float, word: str) -> None:
    assert coverage_verdict(held, 0.8) == word


def test_programs_get_the_same_scores(site_folder: Path, filled: TestClient) -> None:
    fill(site_folder)
    items = filled.get("/api/scores").json()["items"]
    assert [(one["metric"], one["coverage_ratio"]) for one in items] == [
        ("cf_busy_pct", 0.8),
        ("log_growth_mib_per_s", 0.6),
    ]
    [score] = filled.get("/api/reliability").json()["items"]
    assert (score["stated"], score["came"]) == (0.7, 1.0)
