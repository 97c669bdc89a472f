"""Two sources that differ are a data finding with both figures."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.completeness.days import differing_sources
from mqcap.domain.feed import FeedKind, FeedState, data_findings
from mqcap.lake.layout import hour_partition
from mqcap.settings.analysis import AttributionSettings, SourceFloor

DAY = date(2026, 3, 2)
CSQ1 = "PLEX1/CSQ1"
SETTINGS = AttributionSettings()


def row(second: float, **changed: Any) -> dict[str, Any]:
    """A log of 1 MiB/s over an hour, and what the other source has."""
    return {
        "pair": "log_tasks",
        "subject": CSQ1,
        "site_date": DAY,
        "first": 3_600.0,
        "second": second,
        "covered_seconds": 3_600.0,
        **changed,
    }


def write(lake: Path, day: date, *rows: dict[str, Any]) -> None:
    folder = hour_partition(lake, "source_pair", day)
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / "part-0.parquet")


@pytest.mark.parametrize(
    ("second", "differs"),
    [(3_239.0, True), (3_240.0, False), (3_600.0, False), (3_960.0, False), (3_961.0, True)],
)
def test_a_tenth_is_tolerated_in_both_directions(
    tmp_path: Path, second: float, differs: bool
) -> None:
    write(tmp_path, DAY, row(second))
    assert bool(differing_sources(tmp_path, DAY, DAY, SETTINGS)) is differs


def test_the_finding_has_both_figures_and_is_listed_without_making_records_incomplete(
    tmp_path: Path,
) -> None:
    write(tmp_path, DAY, row(1_800.0))
    [found] = differing_sources(tmp_path, DAY, DAY, SETTINGS)
    assert (found.kind, found.state, found.member) == (
        FeedKind.comparison,
        FeedState.differs,
        "log_tasks",
    )
    assert found.summary == (
        "PLEX1/CSQ1: log write rate is 1 MiB/s by 115.1 (QJSTBFFL) and 0.5 MiB/s by 116 class 3 "
        "(WTASJWB), 50 % less; tolerated are 10 % (attribution.source_tolerance_pct)."
    )
    assert not found.is_incomplete
    assert data_findings([found]) == (found,)


def test_pieces_of_a_site_date_are_added_and_other_days_left_out(tmp_path: Path) -> None:
    write(tmp_path, DAY, row(7_200.0), row(9.0, site_date=DAY + timedelta(days=1)))
    write(tmp_path, DAY - timedelta(days=1), row(0.0))
    assert differing_sources(tmp_path, DAY, DAY, SETTINGS) == []


def test_a_lake_without_pairs_has_none(tmp_path: Path) -> None:
    assert differing_sources(tmp_path, DAY, DAY, SETTINGS) == []


@pytest.mark.parametrize(("second", "differs"), [(0.0, False), (1_800.0, True)])
def test_a_source_that_has_nothing_of_what_the_other_has_differs_with_both_figures(
    tmp_path: Path, second: float, differs: bool
) -> None:
    write(tmp_path, DAY, row(second, first=0.0))
    found = differing_sources(tmp_path, DAY, DAY, SETTINGS)
    assert bool(found) is differs
    for each in found:
        assert "is 0 MiB/s by 115.1 (QJSTBFFL) and 0.5 MiB/s by 116 class 3" in each.summary
        assert "where the first has none; tolerated are 10 %" in each.summary


@pytest.mark.parametrize(
    ("pair", "floor"), [("log_tasks", 0.01), ("log_queues", 0.01), ("structure_requests", 1.0)]
)
@pytest.mark.parametrize(("share", "differs"), [(0.999, False), (1.0, True), (1.001, True)])
def test_sources_are_compared_from_the_floor_of_their_unit_on(
    tmp_path: Path, pair: str, floor: float, share: float, differs: bool
) -> None:
    figure = 3_600 * floor * share
    write(tmp_path, DAY, row(figure, pair=pair, first=figure / 2))
    found = differing_sources(tmp_path, DAY, DAY, SETTINGS)
    assert bool(found) is differs


def test_a_site_that_has_no_floor_compares_the_smallest_figure(tmp_path: Path) -> None:
    write(tmp_path, DAY, row(0.003, first=0.0015))
    assert differing_sources(tmp_path, DAY, DAY, SETTINGS) == []
    none = SETTINGS.model_copy(update={"source_floor": SourceFloor(log_mib_per_s=0)})
    [found] = differing_sources(tmp_path, DAY, DAY, none)
    assert found.subject == CSQ1
