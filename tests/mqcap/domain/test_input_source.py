"""Inputs: sources, datasets, discovery and feeds."""

from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from mqcap.domain import datasets
from mqcap.domain.datasets import Dataset
from mqcap.domain.discovery import load_all
from mqcap.domain.feed import (
    FeedDay,
    FeedKind,
    FeedState,
    Gap,
    GapCause,
    data_findings,
    mq_versions_of,
)
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
from tests.factories import differing_sources, feed_day

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
def test_a_source_has_one_text_and_is_read_as_what_it_was(source: InputSource, text: str) -> None:
    assert source.describe() == text
    adapter: TypeAdapter[InputSource] = TypeAdapter(InputSource)
    assert adapter.validate_json(adapter.dump_json(source)) == source


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
        (MeasuredWindowSource(**WINDOW, figure=WindowFigure.day_count), "2026-09-01 to 2026-10-01"),
    ],
)
def test_a_narrow_column_names_the_statistic_shortly(
    source: MeasuredDaySource | MeasuredWindowSource, text: str
) -> None:
    assert source.short_when == text


DATASETS = [value for value in vars(datasets).values() if isinstance(value, Dataset)]
TYPES = {"string", "int", "bigint", "double", "date", "timestamp", "decimal(20,0)"}


@pytest.mark.parametrize("dataset", DATASETS, ids=lambda dataset: dataset.name)
def test_keys_are_columns_and_types_are_those_of_spark(dataset: Dataset) -> None:
    assert set(dataset.key) <= set(dataset.columns)
    assert set(dataset.columns.values()) <= TYPES


def test_a_module_that_fails_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "found_by_itself"
    folder.mkdir()
    for name, text in {"__init__": "", "a": "", "broken": "import no_such_module"}.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        load_all(import_module(folder.name))


MIDNIGHT = datetime(2026, 3, 2, tzinfo=UTC)
CF = "PLEX1/CF01"


def gap(first: float, last: float) -> Gap:
    return Gap(
        start_utc=MIDNIGHT + timedelta(hours=first),
        end_utc=MIDNIGHT + timedelta(hours=last),
        cause=GapCause.unexplained,
    )


@pytest.mark.parametrize("state", list(FeedState))
def test_a_stop_leaves_nothing_missing(state: FeedState) -> None:
    complete = {FeedState.complete, FeedState.stopped, FeedState.differs}
    assert state.is_incomplete is (state not in complete)
    assert feed_day(state=state).is_incomplete is state.is_incomplete


def test_the_ratio_is_received_of_expected_and_at_most_one() -> None:
    assert feed_day(expected_seconds=100.0, received_seconds=25.0).ratio == 0.25
    assert feed_day(expected_seconds=100.0, received_seconds=101.0).ratio == 1.0
    assert feed_day(expected_seconds=0.0, received_seconds=0.0).ratio == 1.0


def test_the_key_names_kind_subject_and_member() -> None:
    assert feed_day().key == "DATA-STATISTICS/PLEX1/CSQ1"
    member = feed_day(CF, kind=FeedKind.member, member="SYS2")
    assert member.key == "DATA-MEMBER/PLEX1/CF01/SYS2"
    assert (member.system, feed_day().system, differing_sources().system) == ("SYS2", "", "")
    assert member.title == "Coupling facility activity of one system (SMF 74.4)"


def member_of(facility: tuple[Gap, ...], member: tuple[Gap, ...]) -> list[FeedDay]:
    return [
        feed_day(CF, kind=FeedKind.coupling_facility, gaps=facility),
        feed_day(CF, kind=FeedKind.member, member="SYS2", gaps=member),
    ]


def test_a_member_is_left_out_unless_it_lacks_more_than_its_facility() -> None:
    same = member_of((gap(1, 2), gap(3, 4)), (gap(3, 4),))
    assert data_findings(same) == (same[0],)
    more = member_of((gap(3, 4),), (gap(3, 4), gap(5, 6)))
    assert data_findings(more) == tuple(more)


def test_a_channel_initiator_is_left_out_beside_its_queue_manager_only() -> None:
    manager, other = feed_day(), feed_day("PLEX1/CSQ2")
    chinit = feed_day("PLEX1/CSQ1/CHINIT", kind=FeedKind.channel_initiator)
    assert data_findings([chinit, manager]) == (manager,)
    assert data_findings([chinit, other]) == (chinit, other)


def test_the_statistics_of_a_queue_manager_outrank_its_channel_initiator() -> None:
    chinit = FeedKind.channel_initiator
    feeds = [
        feed_day(mq_level="9.4.0"),
        feed_day("PLEX1/CSQ1/CHINIT", kind=chinit, mq_level="9.3.5"),
        feed_day("PLEX1/CSQ2/CHINIT", kind=chinit, mq_level="9.2.0"),
        feed_day("PLEX1/CSQ3"),
        feed_day("PLEX1/CF01", kind=FeedKind.coupling_facility, mq_level="25"),
    ]
    assert mq_versions_of(feeds) == {"PLEX1/CSQ1": "9.4.0", "PLEX1/CSQ2": "9.2.0"}


@pytest.mark.parametrize("stated", ["", "9", "V9R4", "9.4.0.1"])
def test_what_is_no_version_is_left_out(stated: str) -> None:
    assert mq_versions_of([feed_day(mq_level=stated)]) == {}
