"""A past day is answered with what was known on it, whatever has arrived about later days."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.completeness.days import completeness_as_of, feeds_as_of, judge_touched
from mqcap.domain.estate import QueueManager, Sysplex
from mqcap.domain.feed import FeedState
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic
from mqcap.settings import AlertSettings, Settings, load_settings
from mqcap.steps.evaluate import evaluate_rules
from mqcap.steps.notify import alert
from mqcap.store.crossings import read_crossings
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds
from mqcap.store.findings import read_findings
from mqcap.store.forecasts import read_forecasts, replace_forecasts
from mqcap.store.outbox import read_deliveries
from tests.mqcap.completeness.builders import (
    DAY,
    MOVER,
    OTHER,
    QM,
    at,
    every,
    one,
    without,
    write_lake,
)
from tests.mqcap.completeness.test_days import WEEK, measured
from tests.mqcap.rulebook.builders import LOG
from tests.stores import new_store

pytestmark = pytest.mark.thorough

LATER = DAY + timedelta(days=4)
Rows = list[dict[str, Any]]


def site(folder: Path, zone: str = "UTC") -> Settings:
    qmgrs = (QueueManager(name="CSQ1", active_log_size_mib=2_048, active_logs=60),
             QueueManager(name="CSQ3"))  # fmt: skip
    plex = Sysplex(sysplex="PLEX1", timezone=zone, qmgrs=qmgrs)
    alerts = AlertSettings(mail_folder=folder / "mail")
    return load_settings(lake=str(folder / "lake"), estate=(plex,), alerts=alerts)


def lake_of(folder: Path, rows: Iterable[Mapping[str, Any]]) -> Settings:
    shutil.rmtree(folder / "lake", ignore_errors=True)
    given = site(folder)
    (folder / "lake" / "feed_interval").mkdir(parents=True)
    write_lake(Path(given.lake), rows)
    return given


def known_on(day: date, rows: Rows) -> Rows:
    return [row for row in rows if row["interval_end_utc"] <= at("24:00", day)]


def stopped_overnight() -> Rows:
    """A queue manager ends at 22:30 and is back at 03:10 of the next day."""
    until = without(every(QM, first=WEEK, last=LATER), at("22:00"), at("28:00"))
    return [*until, one(QM, at("22:00"), at("22:30")), one(QM, at("27:10"), at("28:00"))]


gaps = st.lists(st.tuples(st.integers(0, 24 * 12), st.integers(1, 40)), max_size=4)


@settings(max_examples=25)
@given(gaps, gaps, st.sampled_from(["UTC", "America/New_York", "Asia/Tokyo"]))
def test_arrivals_of_later_days_change_nothing_of_what_was_known(
    ours: list[tuple[int, int]], others: list[tuple[int, int]], zone: str
) -> None:
    rows = [*every(MOVER, first=WEEK, last=LATER), *every(("statistics", "PLEX1/CSQ3", "SYS1"),
            first=DAY + timedelta(days=2), last=LATER)]  # fmt: skip
    for sender, missing in ((QM, ours), (OTHER, others)):
        some = every(sender, first=WEEK, last=LATER)
        for hour, hours in missing:
            start = at("00:00", WEEK) + timedelta(hours=hour)
            some = without(some, start, start + timedelta(hours=hours))
        rows += some
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        engine = new_store(folder / "store.db")
        given_site = site(folder, zone)
        write_lake(Path(given_site.lake), known_on(DAY + timedelta(days=1), rows))
        short = feeds_as_of(given_site, engine, WEEK, DAY)
        arrived = completeness_as_of(given_site, engine, WEEK, DAY)
        write_lake(Path(given_site.lake), rows)
        assert feeds_as_of(given_site, engine, WEEK, DAY) == short
        engine.dispose()
    assert arrived.today == tuple(item for item in short if item.site_date == DAY)
    earlier = (item for item in short if item.site_date < DAY)
    assert arrived.earlier == tuple(item for item in earlier if item.is_incomplete)
    assert {item.site_date for item in short} <= {WEEK + timedelta(days=n) for n in range(8)}


def shown(engine: Store) -> tuple[list[Finding], list[Any], list[Any]]:
    mails = [(row.channel, row.subject_line, row.content) for row in read_deliveries(engine, DAY)]
    return read_findings(engine, DAY), read_crossings(engine, DAY), mails


def test_a_stop_that_is_explained_the_next_day_was_a_gap_on_its_own(
    engine: Store, tmp_path: Path
) -> None:
    """The page learns that it was a stop; what was reported of the day stays as it was."""
    rows = stopped_overnight()
    measured(engine, 0.3, [DAY])
    given_site = lake_of(tmp_path, known_on(DAY, rows))
    evaluate_rules(given_site, engine, DAY)
    alert(given_site, engine, DAY, replay=True)
    live = shown(engine)
    assert [feed.state for feed in read_feeds(engine, DAY) if feed.subject == "PLEX1/CSQ1"] == [
        FeedState.partial
    ]
    given_site = lake_of(tmp_path, rows)
    judge_touched(given_site, engine, [LATER])
    assert [feed.state for feed in read_feeds(engine, DAY) if feed.subject == "PLEX1/CSQ1"] == [
        FeedState.stopped
    ]
    evaluate_rules(given_site, engine, DAY)
    alert(given_site, engine, DAY, replay=True)
    assert shown(engine) == live


def forecast_of(day: date) -> Forecast:
    return Forecast(
        series_id=LOG, statistic=Statistic.peak, cutoff_date=day, model="prophet",
        horizon_days=180, trained_days=200, interval_width=0.8,
    )  # fmt: skip


def test_a_forecast_says_which_of_its_days_lack_records(engine: Store, tmp_path: Path) -> None:
    noon = at("12:00", DAY - timedelta(days=2))
    rows = without(every(QM, first=WEEK), noon, noon + timedelta(hours=2))
    measured(engine, 0.3, [DAY])
    replace_forecasts(engine, DAY, [forecast_of(DAY)])
    given_site = lake_of(tmp_path, without(rows, at("09:00"), at("12:00")))
    assert evaluate_rules(given_site, engine, DAY)["forecasts_noted"] == 1
    [marked] = read_forecasts(engine, DAY)
    assert marked.data_note is not None
    assert marked.data_note.startswith("Its last day is incomplete. PLEX1/CSQ1: 3 h of 24 h")
    assert marked.data_note.endswith("Of the days before it, 1 lacks records: 2026-03-02.")
    lake_of(tmp_path, every(QM, first=WEEK))
    assert evaluate_rules(given_site, engine, DAY)["forecasts_noted"] == 0
    assert read_forecasts(engine, DAY) == [forecast_of(DAY)]
