from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.input_source import BusiestStart
from mqcap.judging.hours import busiest, busiest_hours_of
from mqcap.lake.layout import hour_partition
from mqcap.settings import Settings
from tests.mqcap.judging.observations import findings_of
from tests.mqcap.rulebook.builders import new_store, observe, settings_of

LOG = "log_growth_mib_per_s"
SUBJECT = "PLEX1/CSQ1"
DAY = date(2026, 3, 9)
NINE = datetime(2026, 3, 9, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)


def rates(*mib_per_s: float | None) -> dict[datetime, float]:
    hours = enumerate(mib_per_s)
    return {NINE + count * HOUR: rate for count, rate in hours if rate is not None}


def write(lake: Path, hours: dict[datetime, float], subject: str = SUBJECT) -> None:
    for hour, rate in hours.items():
        folder = hour_partition(lake, "metric_hourly", hour.date())
        folder.mkdir(parents=True, exist_ok=True)
        row = {"metric": [LOG], "subject": [subject], "hour_utc": [hour]}
        row |= {"value": [rate], "peak": [rate]}
        pq.write_table(pa.table(row), folder / f"{hour:%H}-{subject[-1]}.parquet")


def site(folder: Path) -> Settings:
    return settings_of(folder, active_log_size_mib=1_800)


def test_each_length_has_the_volume_of_its_busiest_run() -> None:
    curve, starts = busiest(rates(1, 3, 2, 0, 4))
    assert curve.volumes_mib == (14_400, 18_000, 21_600, 32_400, 36_000)
    assert starts == (
        BusiestStart(1, NINE + 4 * HOUR),
        BusiestStart(2, NINE + HOUR),
        BusiestStart(3, NINE),
        BusiestStart(4, NINE + HOUR),
        BusiestStart(5, NINE),
    )


@pytest.mark.parametrize(
    ("second", "volumes"), [(None, (18_000, 18_000)), (0, (18_000, 18_000, 21_600, 28_800))]
)
def test_no_run_goes_across_a_missing_hour_and_one_without_log_is_no_gap(
    second: float | None, volumes: tuple[float, ...]
) -> None:
    assert busiest(rates(5, second, 1, 2))[0].volumes_mib == volumes


@given(st.lists(st.one_of(st.none(), st.floats(0, 100)), min_size=1, max_size=60))
def test_no_start_is_worse_than_the_curve(hourly: list[float | None]) -> None:
    measured = rates(*hourly)
    if not measured:
        return
    curve, _ = busiest(measured)
    for start in measured:
        volume, hour = 0.0, start
        while hour in measured:
            volume, hour = volume + measured[hour] * 3_600, hour + HOUR
            assert volume <= curve.volume_mib((hour - start) / HOUR) * (1 + 1e-5) + 1e-6


def test_hours_are_read_from_the_lake_by_series_within_the_days_of_the_site(tmp_path: Path) -> None:
    settings = site(tmp_path)
    lake = Path(settings.lake)
    write(lake, rates(1, 2))
    write(lake, rates(3), "PLEX1/CSQ2")
    write(lake, {NINE - timedelta(days=1): 9, NINE + timedelta(days=1): 9})
    hours = busiest_hours_of(settings, DAY, DAY)
    assert hours[LOG, SUBJECT].curve.volumes_mib == (7_200, 10_800)
    assert hours[LOG, SUBJECT].hour_count == 2
    assert hours[LOG, "PLEX1/CSQ2"].curve.volumes_mib == (10_800,)


def test_a_lake_without_hours_has_no_curve(tmp_path: Path) -> None:
    assert busiest_hours_of(site(tmp_path), DAY, DAY) == {}


def test_a_finding_of_the_day_shows_the_hours_that_it_was_made_from(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, active_log_size_mib=3_600, active_logs=3)
    write(Path(settings.lake), rates(0.1, 0.2, 2, 1, *[0.1] * 8))
    engine = new_store(tmp_path)
    observe(engine, LOG, SUBJECT, {DAY: 1.8})
    result = findings_of(settings, engine, DAY)["LOG-RUNWAY-12H", SUBJECT]
    # 7,200 MiB from eleven o'clock on: the first hour takes all of it
    assert result.observed == pytest.approx(1)
    [hours] = [entry for entry in result.inputs if entry.name == "busiest_hours"]
    assert "busiest hours of" in hours.source
    assert "12 measured" in hours.source
