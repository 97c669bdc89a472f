"""Records that contradict each other are a data finding with both figures and both files."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.completeness.days import contradicting_records
from mqcap.domain.feed import FeedState, data_findings
from mqcap.lake.layout import hour_partition

DAY = date(2026, 3, 2)
NAMES = {"a": "SYS1.SMF", "b": "SYS1.AGAIN.SMF"}


def write(lake: Path, *rows: dict[str, Any]) -> None:
    folder = hour_partition(lake, "conflict", DAY)
    folder.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), folder / "rows.parquet")


def row(hour: int, minutes: str, **changed: Any) -> dict[str, Any]:
    return {
        "dataset": "section_qjst", "interval_start_utc": datetime(2026, 3, 2, hour, tzinfo=UTC),
        "place": "PLEX1/CSQ1", "field": "qjstbffl", "kept_file": "b", "kept_value": minutes,
        "other_file": "a", "other_value": "7.2", **changed,
    }  # fmt: skip


def test_the_finding_of_a_site_day_has_both_figures_and_names_both_files(tmp_path: Path) -> None:
    write(tmp_path, row(10, "37"), row(9, "36"), row(23, "99"), row(9, "1", place="PLEX1/CF01"))
    zone = ZoneInfo("Europe/Berlin")
    found = contradicting_records(tmp_path, NAMES, DAY, DAY, lambda _: zone)
    assert data_findings(found) == tuple(found)
    other, finding = found
    assert (other.subject, finding.subject, finding.state) == (
        "PLEX1/CF01", "PLEX1/CSQ1", FeedState.differs,
    )  # fmt: skip
    assert not finding.is_incomplete
    assert finding.summary == (
        "PLEX1/CSQ1: 2 sections of records in SYS1.AGAIN.SMF and SYS1.SMF contradict each other; "
        "the first at 10:00: QJST QJSTBFFL is 36 in SYS1.AGAIN.SMF, which was received last and "
        "counts, and 7.2 in SYS1.SMF."
    )
    assert finding.remedy.endswith("mqcap withdraw SYS1.AGAIN.SMF")


def test_rows_of_an_older_release_name_no_figures_and_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"dataset": "section_qjst", "subject": "SYS1/CSQ1", "kept_hash": 1})
    assert contradicting_records(tmp_path, NAMES, DAY, DAY, lambda _: ZoneInfo("UTC")) == []
