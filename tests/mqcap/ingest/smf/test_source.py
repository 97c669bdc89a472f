from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from devtools.simulator.encode.framing import write_dump
from devtools.simulator.encode.mq_records import Intervals
from mqcap.ingest.parquet import plain
from mqcap.ingest.smf import sections, source
from tests.mqcap.ingest.dumps import (
    HALF_HOUR_US,
    START_US,
    cf_dump_records,
    mq_dump_records,
    small_dump,
    with_markers,
)
from tests.mqcap.ingest.reading import SHA, is_accounted, read_all
from tests.mqcap.ingest.smf.test_borrowed_intervals import statistics

pytestmark = pytest.mark.thorough

FRAMINGS = ["rdw", "rdwseg", "bdw", "nordw"]
WHERE = ("record_offset_bytes",)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_every_framing_is_detected_and_gives_the_same_rows(tmp_path: Path, framing: str) -> None:
    plain = read_all(small_dump(tmp_path))
    framed = read_all(small_dump(tmp_path, framing))
    assert framed.summary.framing == framing
    assert framed.summary.problems == ()
    assert is_accounted(framed.summary)
    assert framed.tables.keys() == plain.tables.keys()
    for name, table in framed.tables.items():
        assert table.drop_columns(WHERE).equals(plain.tables[name].drop_columns(WHERE)), name


def test_levels_may_be_mixed_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "mixed.smf"
    records = [*mq_dump_records(mq_level="8.0.0", qmgr="MQ80"), *mq_dump_records()]
    write_dump(path, with_markers(records), "rdw")
    rows = read_all(path).tables["section_qcct"].to_pylist()
    assert {(row["qmgr"], row["qcctslim"] is None) for row in rows} == {
        ("MQ80", True),
        ("MQP1", False),
    }


def test_other_record_types_are_skipped_without_a_word(tmp_path: Path) -> None:
    record = bytearray(mq_dump_records()[0])
    record[5] = 30
    path = tmp_path / "other.smf"
    write_dump(path, with_markers([bytes(record), *cf_dump_records()]), "rdw")
    summary = read_all(path).summary
    assert summary.problems == ()
    assert is_accounted(summary)


def test_a_large_batch_of_one_structure_is_decoded_in_tables_of_bounded_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = small_dump(tmp_path)
    known = read_all(dump).tables
    values_max = max(table.num_columns for table in known.values())
    monkeypatch.setattr(sections, "TABLE_VALUES_MAX", values_max)
    pieces = [(name, plain(table)) for name, table in source.SOURCE.read(dump, SHA).tables()]
    for name, table in known.items():
        some = [rows for dataset, rows in pieces if dataset == name]
        assert pa.concat_tables(some).equals(table.combine_chunks())
        assert all(rows.num_rows * rows.num_columns <= values_max for rows in some)
    assert len(pieces) > len(known)


def test_an_interval_longer_than_a_day_is_quarantined(tmp_path: Path) -> None:
    intervals = Intervals(
        np.array([START_US, START_US]),
        np.array([START_US + HALF_HOUR_US, START_US + 60 * HALF_HOUR_US]),
        np.zeros(2, np.int64),
    )
    path = tmp_path / "long.smf"
    write_dump(path, with_markers(statistics(intervals)), "rdw")
    read = read_all(path)
    assert read.tables["section_qjst"].num_rows == 1
    assert "longer than 25 hours" in read.summary.problems[0]
    assert is_accounted(read.summary)
