"""Rows of the store for programs of the site."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.crossing import CrossingState
from mqcap.store.crossings import replace_crossings
from mqcap.store.exported.rows import (
    FINDING_COLUMNS,
    OBSERVATION_COLUMNS,
    exported_findings,
    exported_observations,
)
from mqcap.store.findings import replace_findings
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, crossing, finding, observation, series_facts

SOON = DAY + timedelta(days=9)


def test_every_measured_day_is_a_row_with_its_covered_time(engine: Engine) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2")])
    days = [DAY, DAY - timedelta(days=1)]
    rows = [observation(day=day, covered_hours=23.5) for day in days]
    rows.append(observation("PLEX1/CSQ2"))
    replace_observations(engine, days, rows, {})
    made = list(exported_observations(engine))
    assert set(OBSERVATION_COLUMNS) <= made[0].keys()
    assert [(row["subject"], row["site_date"]) for row in made] == [
        ("PLEX1/CSQ1", days[1]),
        ("PLEX1/CSQ1", DAY),
        ("PLEX1/CSQ2", DAY),
    ]
    assert made[0]["covered_seconds"] == 84_600


def test_a_finding_has_the_dates_of_its_crossing(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding("PLEX1/CSQ2"), finding()])
    replace_crossings(engine, DAY, [crossing(state=CrossingState.will_cross, expected_date=SOON)])
    first, second = exported_findings(engine, DAY)
    assert tuple(first) == tuple(FINDING_COLUMNS)
    assert (first["subject"], first["crossing_expected"]) == ("PLEX1/CSQ1", SOON)
    assert (second["subject"], second["crossing_state"]) == ("PLEX1/CSQ2", None)


def test_a_limit_that_is_passed_has_its_first_day_as_all_dates(engine: Engine) -> None:
    since = DAY - timedelta(days=3)
    replace_findings(engine, DAY, [finding()])
    passed = crossing(state=CrossingState.breached, breached_since=since)
    replace_crossings(engine, DAY, [passed])
    [row] = exported_findings(engine, DAY)
    dates = {row[f"crossing_{name}"] for name in ("earliest", "expected", "latest")}
    assert dates == {since}


def test_without_findings_there_is_no_row(engine: Engine) -> None:
    assert list(exported_findings(engine, DAY)) == []
    assert list(exported_observations(engine)) == []
