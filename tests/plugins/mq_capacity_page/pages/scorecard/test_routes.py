"""Accuracy of past forecasts on the page."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from mq_capacity_page.web.context import PageContext
from mqcap.domain.score import SiteCorrection
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_site_correction
from tests.factories import console_state
from tests.plugins import builder
from tests.plugins.scores import fill
from tests.plugins.web import TestClient, rows_of, text_of


def test_the_scorecard_compares_intervals_with_measured_values(
    site_folder: Path, filled: TestClient
) -> None:
    fill(site_folder)
    answer = filled.get("/scorecard")
    rows = rows_of(answer, "scores")
    assert "CF busy daily peak live 80 % 80 % ✓ as stated 9.5 % 6.2 % 20 1" in rows
    assert "Log growth daily peak live 60 % 80 % ▲ too narrow 9.5 % 6.2 % 20 1" in rows
    text = text_of(answer)
    assert "Scored up to Sat 31 Jan 2026" in text
    assert "30 days live 70 % 100 % too few to judge 1" in text
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


def test_what_happened_is_listed_with_what_was_forecast(
    context: PageContext, filled: TestClient
) -> None:
    assert "The console reported nothing" in text_of(filled.get("/scorecard"))
    day = builder.DAY - timedelta(days=5)
    replace_states(context.engine, [], [console_state(site_date=day, last_date=day)])
    text = text_of(filled.get("/scorecard"))
    assert "1 event on the console without an evaluated day 14 days before" in text
    assert "CSQ1 active logs out of active log space (CSQJ111A)" in text
    assert "2026 not compared" in text


def test_the_correction_by_the_sites_own_outcomes_is_below_the_reliability(
    site_folder: Path, filled: TestClient
) -> None:
    assert "Own outcomes" not in text_of(filled.get("/scorecard"))
    engine = builder.empty_store(site_folder)
    made = SiteCorrection(cutoff_date=builder.DAY, shift=0.2, limit_count=60, case_count=150)
    replace_site_correction(engine, made)
    engine.dispose()
    text = text_of(filled.get("/scorecard"))
    assert "Own outcomes: 150 probabilities of 60 limits whose days are over" in text
    assert "10, 50 and 90 % become 12 %, 55 %, 92 %" in text
