"""Any order, overlap, duplication and re-delivery of files, as far as it goes without Spark."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.domain.estate import Estate
from mqcap.ingest.smf.encode import MQ_RECORD_KINDS, Intervals, group_of, mq_records, write_dump
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import level_length
from mqcap.lake.aggregated import write_source_digest
from mqcap.lake.manifest import manifests
from spark_apps.aggregate import aggregation_plan
from spark_apps.decode import pending
from spark_apps.decode_file import DecodeOptions, decode_file
from spark_apps.transforms.keys import key_of
from tests.mqcap.ingest.dumps import START_US, identity, values_of
from tests.spark_apps.lakes import land

HOURS = 60
HOUR_US = 3_600_000_000


def _records() -> list[bytes]:
    """Log statistics of one queue manager in 60 hours, which touch four dates."""
    starts = START_US + np.arange(HOURS) * HOUR_US
    intervals = Intervals(starts, starts + HOUR_US, np.zeros(HOURS, int))
    groups = {
        place: group_of(layout, values_of(layout, HOURS), length, records=HOURS, count=1)
        for place, layout in decoded_kinds()[Kind(115, 1)].items()
        if (length := level_length(layout, "9.4.0")) and layout.repeat is None
    }
    rows = mq_records(MQ_RECORD_KINDS[115, 1], identity(mq_level="9.4.0"), intervals, groups)
    return [row.tobytes() for row in rows]


RECORDS = _records()


@dataclass(frozen=True)
class Delivery:
    """Files that arrive together: runs of records, which may overlap and repeat."""

    files: tuple[tuple[int, ...], ...]

    def write(self, folder: Path) -> list[Path]:
        paths = []
        for number, places in enumerate(self.files):
            path = folder / f"{number}.smf"
            write_dump(path, [RECORDS[place] for place in places])
            paths.append(path)
        return paths


@st.composite
def deliveries(draw: st.DrawFn) -> list[Delivery]:
    """All records, cut into overlapping files, in any order, some sent twice, in some runs."""
    cuts = sorted(draw(st.sets(st.integers(1, HOURS - 1), min_size=1, max_size=3)))
    bounds = [0, *cuts, HOURS]
    files = []
    for start, end in pairwise(bounds):
        overlap = draw(st.integers(0, 8))
        places = list(range(max(0, start - overlap), min(HOURS, end + overlap)))
        repeated = draw(st.lists(st.sampled_from(places), max_size=3))
        files.append(tuple(draw(st.permutations(places + repeated))))
    files = draw(st.permutations([*files, *draw(st.lists(st.sampled_from(files), max_size=2))]))
    split = draw(st.integers(0, len(files)))
    return [Delivery(tuple(part)) for part in (files[:split], files[split:]) if part]


def take(lake: Path, delivery: Delivery, folder: Path) -> tuple[set[date], set[date]]:
    """Land and decode; dates of the new files, and dates that became stale and were redone."""
    folder.mkdir(exist_ok=True)
    land(lake, delivery.write(folder))
    options = DecodeOptions(lake, rejected_bytes_max_ratio=0.0)
    result = [decode_file(file, options) for file in pending(lake)]
    assert [manifest.problem for manifest in result] == [None] * len(result)
    stale = aggregation_plan(lake, Estate()).stale
    for day, digest in stale.items():
        write_source_digest(lake, day, digest)
    return {day for manifest in result for day in manifest.hour_dates}, set(stale)


def distinct_rows(lake: Path) -> set[tuple[Any, ...]]:
    """Keys and record hashes of all rows; equal rows of several files are one."""
    key = [*key_of("section_qjst"), "record_hash"]
    files = sorted((lake / "section_qjst").glob("*/*.parquet"))
    tables = (pq.read_table(file, columns=key, partitioning=None) for file in files)
    return {tuple(row[name] for name in key) for table in tables for row in table.to_pylist()}


def digests(lake: Path) -> Iterator[str]:
    for path in sorted((lake / "metric_sources").glob("*.json")):
        yield path.read_text()


@pytest.mark.thorough
@settings(max_examples=4, deadline=None)
@given(deliveries())
def test_order_overlap_and_repetition_of_files_change_nothing(arrivals: list[Delivery]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder, lake = Path(name), Path(name) / "lake"
        for number, delivery in enumerate(arrivals):
            touched, stale = take(lake, delivery, folder / str(number))
            assert stale == touched
        assert take(lake, arrivals[0], folder / "again") == (set(), set())
        everything = Path(name) / "everything"
        take(everything, Delivery((tuple(range(HOURS)),)), folder / "whole")
        assert distinct_rows(lake) == distinct_rows(everything)
        assert len(distinct_rows(lake)) == HOURS
        together = Path(name) / "together"
        take(
            together, Delivery(tuple(f for d in reversed(arrivals) for f in d.files)), folder / "t"
        )
        assert list(digests(together)) == list(digests(lake))
        assert {m.sha256 for m in manifests(together)} == {m.sha256 for m in manifests(lake)}
