"""The page of one finding says how its forecasts did, and why its date moved."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.plugins.served.web import TestClient, text_of  # isort: skip - chooses Airflow's home first

from mqcap.domain.crossing import CrossingState
from mqcap.domain.forecast import Forecast
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from tests.plugins import builder

BEFORE = builder.DAY - timedelta(days=14)
PAGE = "/finding?rule=CF-BUSY-1&subject=PLEX1/CF01"


def forecast_before() -> Forecast:
    """Of it the last 14 measured days lie inside the interval from the eleventh on."""
    made = builder.forecast(builder.CF, cutoff_date=BEFORE)
    points = tuple(
        one.model_copy(
            update={
                "site_date": BEFORE + timedelta(days=number),
                "upper": 9.0 if number > 10 else 2.0,
            }
        )
        for number, one in enumerate(made.points, 1)
    )
    return made.model_copy(update={"points": points})


def test_a_finding_says_why_its_date_moved_and_how_its_forecasts_did(
    site_folder: Path, client: TestClient
) -> None:
    engine = builder.filled_store(site_folder)
    dated = next(one for one in builder.dated() if one.state is CrossingState.will_cross)
    was = {"cutoff_date": BEFORE, "expected_date": builder.DAY + timedelta(days=80)}
    replace_findings(engine, BEFORE, [builder.finding(site_date=BEFORE)])
    replace_crossings(engine, BEFORE, [dated.model_copy(update=was)])
    replace_forecasts(engine, BEFORE, [forecast_before()])
    engine.dispose()
    text = text_of(client.get(PAGE))
    assert "4 of the last 8 inside the interval, as forecast at least 7 days before." in text
    assert "The date changed: it was 2026-04-21 as of 2026-01-17: " in text
    assert "after 14 new days" in text


def test_without_an_earlier_day_no_move_is_reported(filled: TestClient) -> None:
    text = text_of(filled.get(PAGE))
    assert "inside the interval" not in text
    assert "The date changed" not in text
