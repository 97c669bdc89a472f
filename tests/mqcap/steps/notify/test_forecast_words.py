from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.notifications.problem_history import problems_on
from mqcap.settings import Settings
from mqcap.steps.notify import alert
from mqcap.steps.verify import accuracy_lines, score
from mqcap.store.crossings import replace_crossings
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, crossing, observation, series_facts
from tests.mqcap.notifications.builders import cf_finding, forecast
from tests.mqcap.steps.notify.builders import ONE_DAY, mails_of, site
from tests.summary_budget import mail_text

pytestmark = pytest.mark.thorough

FIRST = DAY - timedelta(days=20)
TOLD = DAY - timedelta(days=7)
HIGH_DAYS = {DAY - timedelta(days=2), DAY - timedelta(days=5)}
FAR, NEAR = DAY + timedelta(days=80), DAY + timedelta(days=50)


def made(day: date, higher: float = 0.0) -> Forecast:
    usual = forecast(cf_finding(site_date=day), days=60)
    points = tuple(
        replace(
            point,
            expected=point.expected + higher,
            lower=point.lower + higher,
            upper=point.upper + higher,
        )
        for point in usual.points
    )
    return usual.model_copy(update={"points": points})


def dated(day: date, expected: date | None, **changed: object) -> Crossing:
    return crossing(cf_finding(site_date=day), expected_date=expected, **changed)


def judged(engine: Engine, day: date, expected: date, finding: Finding) -> None:
    replace_findings(engine, day, [finding.model_copy(update={"site_date": day})])
    replace_crossings(engine, day, [dated(day, expected)])


@pytest.fixture
def settings(engine: Engine, tmp_path: Path) -> Settings:
    settings = site(tmp_path, raise_days=1, weekly_digest="never")
    facts = series_facts("PLEX1/CF01", series_id="cf_busy_pct/PLEX1/CF01", metric="cf_busy_pct")
    upsert_series(engine, [facts])
    days = [FIRST + number * ONE_DAY for number in range((DAY - FIRST).days + 1)]
    rows = [
        observation("PLEX1/CF01", day, peak=70.0 if day in HIGH_DAYS else 50.0).model_copy(
            update={"series_id": facts.series_id}
        )
        for day in days
    ]
    replace_observations(engine, days, rows, {})
    for day in days:
        replace_forecasts(engine, day, [made(day, 2.0 if day > TOLD else 0.0)])
    for day in (TOLD, *(TOLD + number * ONE_DAY for number in range(1, 8))):
        judged(engine, day, NEAR if day == DAY else FAR, cf_finding())
    problems_on(settings, engine, DAY)
    return settings


def test_shown_forecasts_are_scored_and_a_rerun_as_well(engine: Engine, settings: Settings) -> None:
    counts = score(settings, engine, DAY)
    assert counts["forecasts"] == (DAY - FIRST).days
    lines = accuracy_lines(settings, engine, DAY)
    assert lines[0].startswith(
        "Live: cf_busy_pct peak: 76.67 % of 210 days in the 80 % prediction interval"
    )
    assert lines[0].endswith("(20 forecasts)")
    assert (score(settings, engine, DAY), accuracy_lines(settings, engine, DAY)) == (counts, lines)


def test_the_mail_says_in_a_line_which_date_moved_why(engine: Engine, settings: Settings) -> None:
    alert(settings, engine, DAY)
    [mail] = mails_of(engine)
    lines = mail_text(mail.content).splitlines()
    line = lines[lines.index("DATES THAT MOVED") + 1]
    assert line.startswith("PLEX1/CF01: was 21 May 2026 as of 23 Feb 2026: level ")
