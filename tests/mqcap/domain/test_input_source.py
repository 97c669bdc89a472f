from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from pydantic import TypeAdapter, ValidationError

from mqcap.domain.input_source import (
    ConsoleSource,
    EstateSource,
    ForecastSource,
    InputSource,
    LearntSource,
    MeasuredDaySource,
    MeasuredWindowSource,
    RecordSource,
    TextSource,
    WindowFigure,
)
from mqcap.domain.metric import Statistic
from mqcap.domain.unit_cost import UnitCostKind

DAY = date(2026, 10, 1)
LOG = {"metric": "log_growth_mib_per_s", "subject": "PLEX1/CSQ1"}
WINDOW = {**LOG, "first_date": date(2026, 9, 1), "last_date": DAY}
ALL: list[tuple[InputSource, str]] = [
    (
        MeasuredDaySource(**LOG, statistic=Statistic.p95, site_date=DAY),
        "log_growth_mib_per_s/PLEX1/CSQ1, 95th percentile of 2026-10-01",
    ),
    (
        MeasuredWindowSource(**WINDOW, figure=WindowFigure.median, statistic=Statistic.peak),
        "log_growth_mib_per_s/PLEX1/CSQ1, median of the daily peak, 2026-09-01 to 2026-10-01",
    ),
    (
        MeasuredWindowSource(**WINDOW, figure=WindowFigure.day_count),
        "log_growth_mib_per_s/PLEX1/CSQ1, 2026-09-01 to 2026-10-01",
    ),
    (EstateSource(place="PLEX1/CSQ1", key="maxarch"), "settings, estate PLEX1/CSQ1: maxarch"),
    (
        LearntSource(
            cost=UnitCostKind.chinit_31bit_kib_per_channel,
            subject="PLEX1/CSQ1/CHINIT",
            lower=81.14,
            upper=122.2,
            sample_text="400 days to 2026-11-21",
        ),
        "learnt from 400 days to 2026-11-21 of PLEX1/CSQ1/CHINIT, 81.14 to 122.2",
    ),
    (RecordSource(subject="PLEX1/CSQ1", fact="mq_version"), "records of PLEX1/CSQ1: mq_version"),
    (
        ConsoleSource(
            message_id="CSQJ111A",
            at_utc=datetime(2026, 3, 2, 12, tzinfo=UTC),
            file_name="syslog.txt",
            line_number=17,
        ),
        "CSQJ111A, syslog.txt line 17",
    ),
    (ForecastSource(site_date=DAY), "forecast for 2026-10-01"),
    (TextSource(text="as somebody wrote it"), "as somebody wrote it"),
]


@pytest.mark.parametrize(("source", "text"), ALL, ids=[text for _, text in ALL])
def test_a_source_is_described_in_one_text(source: InputSource, text: str) -> None:
    assert source.describe() == text


@pytest.mark.parametrize("source", [source for source, _ in ALL], ids=[text for _, text in ALL])
def test_the_kind_in_a_document_decides_what_it_is_read_as(source: InputSource) -> None:
    adapter: TypeAdapter[InputSource] = TypeAdapter(InputSource)
    assert adapter.validate_json(adapter.dump_json(source)) == source


def test_a_kind_that_does_not_exist_is_refused() -> None:
    adapter: TypeAdapter[InputSource] = TypeAdapter(InputSource)
    with pytest.raises(ValidationError, match="kind"):
        adapter.validate_python({"kind": "hearsay", "text": "so they say"})


def test_a_measured_source_names_its_series_and_when() -> None:
    source = MeasuredDaySource(**LOG, statistic=Statistic.mean, site_date=DAY)
    assert source.series_id == "log_growth_mib_per_s/PLEX1/CSQ1"
    assert source.when == "mean of 2026-10-01"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (MeasuredDaySource(**LOG, statistic=Statistic.p95, site_date=DAY), "p95 of 2026-10-01"),
        (
            MeasuredDaySource(**LOG, statistic=Statistic.peak, site_date=DAY, window_days=35),
            "peak of 35 days, on 2026-10-01",
        ),
        (
            MeasuredDaySource(**LOG, statistic=Statistic.p95, site_date=DAY, window_days=35),
            "worst p95 of 35 days, on 2026-10-01",
        ),
        (
            MeasuredWindowSource(**WINDOW, figure=WindowFigure.mean, statistic=Statistic.p95),
            "mean of the daily p95, 2026-09-01 to 2026-10-01",
        ),
        (
            MeasuredWindowSource(**WINDOW, figure=WindowFigure.day_count),
            "2026-09-01 to 2026-10-01",
        ),
    ],
)
def test_a_narrow_column_names_the_statistic_shortly(
    source: MeasuredDaySource | MeasuredWindowSource, text: str
) -> None:
    assert source.short_when == text
