"""How good past forecasts were, as the page tells it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.web import TestClient, rows_of, text_of  # isort: skip - chooses Airflow's home

from domain.metric import Statistic
from domain.score import CrossingScore, ForecastScore
from mq_capacity_page.scorecard import verdict
from store import writes
from store.scores import save_scores
from tests.plugins import builder

DAY = builder.DAY


def score(**changed: Any) -> ForecastScore:
    values: dict[str, Any] = {
        "series_id": builder.LOG,
        "statistic": Statistic.peak,
        "cutoff_date": DAY - timedelta(days=20),
        "interval_width": 0.8,
        "scored_to": DAY,
        "scored_days": 20,
        "inside_days": 12,
        "smape_pct": 9.5,
        "mean_error": 0.1,
        "backtest_smape_pct": 6.2,
    }
    return ForecastScore(**values | changed)


def fill(folder: Path) -> None:
    """Scores of two series, a stated chance that came, and a forecast of nine days before."""
    engine = builder.empty_store(folder)
    came = CrossingScore(
        rule_id="LOG-FILL-30MIN",
        subject="PLEX1/CSQ1",
        cutoff_date=DAY - timedelta(days=31),
        horizon_days=30,
        probability=0.7,
        came=True,
    )
    save_scores(engine, [score(), score(series_id=builder.CF, inside_days=16)], [came])
    earlier = DAY - timedelta(days=9)
    points = tuple(
        one.model_copy(update={"site_date": one.site_date - timedelta(days=9), "lower": 0.0})
        for one in builder.forecast(builder.LOG).points
    )
    made = builder.forecast(builder.LOG, cutoff_date=earlier, points=points)
    writes.replace_forecasts(engine, earlier, [made])
    engine.dispose()


def test_the_scorecard_holds_bands_against_what_was_measured(
    site_folder: Path, filled: TestClient
) -> None:
    fill(site_folder)
    answer = filled.get("/scorecard")
    rows = rows_of(answer, "scores")
    assert "CF busy daily peak 80 % 80 % ✓ as meant 9.5 % 6.2 % 20 1" in rows
    assert "Log growth daily peak 60 % 80 % ▲ too narrow 9.5 % 6.2 % 20 1" in rows
    text = text_of(answer)
    assert "Scored up to Sat 31 Jan 2026" in text
    assert "30 days 70 % 100 % 1" in text
    assert "3 of the last 3 in the band" in text


def test_the_worst_series_comes_first_and_leads_to_its_chart(
    site_folder: Path, filled: TestClient
) -> None:
    fill(site_folder)
    answer = filled.get("/scorecard")
    assert answer.text.index("PLEX1/CSQ1</span>") < answer.text.index("PLEX1/CF01</span>")
    assert "series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1&amp;statistic=peak" in answer.text


def test_a_shorter_window_leaves_older_forecasts_out(site_folder: Path, filled: TestClient) -> None:
    fill(site_folder)
    assert "Nothing is scored yet" in text_of(filled.get("/scorecard?days=10"))


def test_before_the_first_score_the_page_says_who_makes_it(filled: TestClient) -> None:
    text = text_of(filled.get("/scorecard"))
    assert "Nothing is scored yet" in text
    assert "mqcap_weekly_backtest" in text


@pytest.mark.parametrize(
    ("held", "word"),
    [(0.74, "too narrow"), (0.76, "as meant"), (0.8, "as meant"), (0.9, "too wide")],
)
def test_five_points_to_either_side_are_as_meant(held: float, word: str) -> None:
    assert verdict(held, 0.8) == word


def test_programs_get_the_same_scores(site_folder: Path, filled: TestClient) -> None:
    fill(site_folder)
    items = filled.get("/api/scores").json()["items"]
    assert [(one["metric"], one["coverage_ratio"]) for one in items] == [
        ("cf_busy_pct", 0.8),
        ("log_growth_mib_per_s", 0.6),
    ]
    [chance] = filled.get("/api/reliability").json()["items"]
    assert (chance["stated"], chance["came"]) == (0.7, 1.0)
